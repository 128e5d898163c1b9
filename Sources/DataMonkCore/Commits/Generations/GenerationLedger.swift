import DequeModule

/// **Value.** Numbers the commits, determines the generations of readers' snapshots, and records the generation at which
/// each context stands.
///
/// A commit here is one store transaction, however many updates it carries.
///
///     idle --announce--> in flight --publish--> idle        the leader, after COMMIT returned
///                            |
///                            +------abandon--> idle         the leader, when the transaction is known to be gone
///
/// Only the leader of the commit queue makes these transitions, while it holds the writer lock; any thread may take
/// stamps. An abandoned number is reused for the next commit, so that commit n creates generation n. A reader that has found
/// its generation meanwhile may confuse the two, so it opens another snapshot: see `GenerationStamp.abandonCount`.
///
/// ## The generation of a snapshot
/// SQLite does not report it. A reader takes a stamp, opens the snapshot, and takes a stamp again:
///
///     before            open             after
///     ------+-------------+----------------+-------->
///     published >= b                published <= a, possibly one in flight
///
/// - It contains everything up to `before.published`: a commit is published after it becomes visible.
/// - It contains nothing newer than the commits in `after`: a commit is announced before it becomes visible.
///
/// If that leaves one generation, it is known exactly. If not, each commit since then has a **probe**: a fact about the
/// data that (P1) is false in every state before the commit and (P2) is true in the state that the commit creates; later
/// commits may make it false again. "Row r has version v or a later one" is such a fact, because versions only increase
/// and a primary key is never reused; P1 is not true of a commit that is refused because the row has that version already.
/// "Row r does not exist" is not: it is also true before r is inserted. A commit without such a fact has no probe.
///
/// *Testing newest first is exact.* Let c be the newest candidate that has not been ruled out. The snapshot is of c or of
/// an older generation. If it is of c, the probe of c is true in it (P2). If it is older, the probe is false in it (P1).
/// Thus a true probe means c, and a false one rules c out; the same argument then applies to the next older candidate.
/// Testing oldest first is wrong: a false probe may mean "not yet" as well as "overwritten since".
///
/// Commits of other processes get their numbers when they are noticed, which is before a snapshot that shows them is
/// numbered, with one exception: a commit that follows the one in flight (`toldBeforeCommit`). It may have overwritten what
/// the probe is about, and a snapshot that shows it must not count as older than the commit in flight. Therefore a later
/// version counts, too; and if the row is gone although its key has been assigned, the reader opens another snapshot.
///
/// ## Standings
/// A context stands at a generation: it shows the data of that generation and no other. It enters **before** it opens its
/// first snapshot, at `stamp.published`, so that the data it may need is kept, and then advances to the generation of the
/// snapshot. A context never stands at a commit in flight, because the commit's notice has not been delivered. A reader
/// whose snapshot contains such a commit waits until it is published: for a file, without any disk access.
///
/// ## Invariants
/// 1. A commit in flight has the number after the last published one.
/// 2. `recent` contains the probes of the newest published generations without gaps, at most `capacity` of them.
/// 3. No context stands above the last published generation.
/// 4. `levels` counts the standings by generation, ascending, with positive counts.
///
/// ## Illegal, and why
/// - announce while in flight: two commits at once would make the newest candidate ambiguous. There is one writer.
/// - publish or abandon of a number other than the one in flight: the leader has lost count, and every later number is
///   wrong.
/// - enter twice, advance or leave without having entered: a standing belongs to one context for its lifetime.
/// - advance to an older generation: objects of the context have already shown the newer one.
package struct GenerationLedger<Probe: Sendable>: Sendable {
    /// The newest generation that every new snapshot contains.
    package private(set) var published: Generation
    /// The commit between announce and publish, and its probe.
    private(set) var commitInFlight: (generation: Generation, probe: Probe?)?
    private var abandonCount = 0
    /// The probes of the last published generations, the newest at the end.
    private(set) var recent: Deque<Probe?> = []
    let capacity: Int

    var standings: [ContextID: Generation] = [:]
    var levels: [StandingLevel] = []

    /// - Parameter recentCommits: The number of recent commits for which the generation of a snapshot can be determined.
    ///   A reader that took longer to open it retries.
    package init(opened: Generation = .opened, recentCommits: Int = 64) {
        precondition(recentCommits > 0, "A ledger needs room for at least one probe")
        published = opened
        capacity = recentCommits
    }

    /// The stamp that a reader takes before and after it opens its snapshot.
    package var stamp: GenerationStamp {
        GenerationStamp(published: published, inFlight: commitInFlight?.generation, abandonCount: abandonCount)
    }

    /// Announces a commit that is about to become visible. Called before COMMIT.
    ///
    /// - Parameter probe: The fact by which a reader recognizes whether its snapshot contains the commit; `nil` if the
    ///   commit changes nothing that would show it (a reader that opens its snapshot meanwhile then retries).
    package mutating func announce(_ probe: Probe?) -> Generation {
        precondition(commitInFlight == nil, "A commit was announced while another one is in progress")
        let generation = published.next
        commitInFlight = (generation, probe)
        return generation
    }

    /// Publishes the announced commit, which is visible. Called after COMMIT, and after the row cache and the notices
    /// have it.
    ///
    /// - Parameter keepsProbe: `false` if the commit may not have become visible after all, so that its probe tells
    ///   nothing (a reader that opens its snapshot meanwhile then retries).
    package mutating func publish(_ generation: Generation, keepsProbe: Bool = true) {
        let probe = endFlight(of: generation)
        published = generation
        if recent.count == capacity { recent.removeFirst() }
        recent.append(keepsProbe ? probe : nil)
    }

    /// Abandons the announced commit, which has not become visible and never will.
    package mutating func abandon(_ generation: Generation) {
        _ = endFlight(of: generation)
        abandonCount += 1
    }

    private mutating func endFlight(of generation: Generation) -> Probe? {
        guard let commit = commitInFlight, commit.generation == generation else {
            preconditionFailure("Generation \(generation.rawValue) is not the one in progress")
        }
        commitInFlight = nil
        return commit.probe
    }

    /// Returns the possible generations of a snapshot that was opened between two stamps.
    package func candidates(
        openedBetween before: GenerationStamp, and after: GenerationStamp
    ) -> SnapshotCandidates<Probe> {
        precondition(before.published <= after.published, "The second stamp is older than the first")
        var number = (after.inFlight ?? after.published).rawValue
        var found: [SnapshotCandidates<Probe>.Candidate] = []
        while number > before.published.rawValue {
            let generation = Generation(rawValue: number)
            switch probe(of: generation) {
            case .known(let probe): found.append(.init(generation: generation, probe: probe))
            case .abandoned: break
            case .unknown:
                // Older candidates cannot be tested before this one is ruled out.
                return found.isEmpty ? .retry : .between(newestFirst: found, otherwise: nil)
            }
            number -= 1
        }
        if found.isEmpty { return .exactly(before.published) }
        return .between(newestFirst: found, otherwise: before.published)
    }

    private enum ProbeLookUp {
        case known(Probe)
        /// In flight when the stamp was taken, and abandoned since.
        case abandoned
        /// Committed without a probe, or too long ago.
        case unknown
    }

    private func probe(of generation: Generation) -> ProbeLookUp {
        if let commit = commitInFlight, commit.generation == generation {
            return commit.probe.map(ProbeLookUp.known) ?? .unknown
        }
        if generation > published { return .abandoned }
        // A number reused after an abandon denotes its second commit here. That commit was announced after the reader's
        // second stamp, so its probe is false in the snapshot by P1. A reader that has tested the first one's is told by
        // `abandonCount`.
        let age = published.rawValue - generation.rawValue
        guard age < UInt64(recent.count), let probe = recent[recent.count - 1 - Int(age)] else { return .unknown }
        return .known(probe)
    }
}
