/// **Value.** An import that runs elsewhere while the main actor shows some people.
package struct ImportPlan: Sendable {
    /// **Value.** What the import does.
    package enum Kind: Sendable {
        /// Adds 1 to the age of everybody, in one commit.
        case changes
        /// Inserts as many people again, 1,000 a commit.
        case insertions
        /// The same by the library's import of rows, if it has one, beside a list that follows.
        case rows
    }

    /// How many rows an import that inserts commits at once.
    package static let commitSize = 1_000

    package let kind: Kind
    /// How many people the main actor shows: the first ones.
    package let held: Int
    /// Whom an import that inserts inserts.
    package let newPeople: [PersonInput]
}

/// **Value.** What the main actor noticed of an import.
package struct ImportResult: Sendable {
    /// How long the heart goes on beating after the import: what was told late is in the gaps as well.
    private static let settlingTime: UInt64 = 200_000_000

    /// Before the import.
    let idle: Pulse
    /// From its beginning until what is shown has followed.
    let during: Pulse
    /// How long the import itself took.
    let seconds: Double

    /// Beats for a second, then while `run` runs elsewhere.
    @MainActor
    package init(of run: @escaping @concurrent @Sendable () async throws -> Void) throws {
        idle = Heart.beat(seconds: 1)
        let start = now()
        var outcome: Result<UInt64, any Error>?
        Task {
            do {
                try await run()
                outcome = .success(now())
            } catch {
                outcome = .failure(error)
            }
        }
        during = Heart.beat {
            switch outcome {
            case nil: false
            case .success(let end): now() > end + Self.settlingTime
            case .failure: true
            }
        }
        seconds = Double(try (outcome?.get() ?? start) - start) / 1e9
    }

    var figures: [String: Double] {
        // What the beats themselves cost is in both.
        let beats = idle.processor / Double(max(1, idle.beats)) * Double(during.beats)
        return [
            "gap": during.longestGap * 1e3, "idle": idle.longestGap * 1e3,
            "work": during.longestWork * 1e3, "over": max(0, during.longestGap - idle.longestGap) * 1e3,
            "busy": max(0, during.processor - beats) * 1e3, "seconds": seconds,
        ]
    }
}
