/// **Value.** An import that runs elsewhere while the main actor shows some people.
package struct ImportPlan: Sendable {
    /// **Value.** What the import does.
    package enum Kind: Sendable {
        /// Adds 1 to the age of everybody, in one commit.
        case changes
        /// Inserts as many people again, 1,000 a commit.
        case insertions
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
    /// Before the import.
    let idle: Pulse
    /// From its beginning until what is shown has followed.
    let during: Pulse
    /// How long the import itself took.
    let seconds: Double

    package init(idle: Pulse, during: Pulse, seconds: Double) {
        self.idle = idle
        self.during = during
        self.seconds = seconds
    }

    var figures: [String: Double] {
        // What the beats themselves cost is in both.
        let beats = idle.processor / Double(max(1, idle.beats)) * Double(during.beats)
        return [
            "gap": during.longestGap * 1e3, "idle": idle.longestGap * 1e3,
            "over": max(0, during.longestGap - idle.longestGap) * 1e3,
            "busy": max(0, during.processor - beats) * 1e3, "seconds": seconds,
        ]
    }
}
