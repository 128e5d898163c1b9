import DequeModule

/// **Value.** Numbers the commits, tells readers which generation their snapshot is of, and keeps where each context
/// stands.
///
/// A commit here is one store transaction, however many updates it carries.
///
///     idle --announce--> in flight --publish--> idle        the leader, after COMMIT returned
///                            |
///                            +------abandon--> idle         the leader, when the transaction is known to be gone
///
/// Only the leader of the commit queue moves these states, while it holds the writer lock; anybody takes stamps.
/// An abandoned number is given to the next commit, so that commit n makes generation n. Nothing can confuse the two:
/// the abandoned one was never visible, and its probe is forgotten with it.
///
/// ## Which generation is a snapshot of?
/// SQLite does not say. A reader takes a stamp, opens the snapshot, and takes a stamp again:
///
///     before            open             after
///     ------+-------------+----------------+-------->
///     published >= b                published <= a, perhaps one in flight
///
/// - It contains everything up to `before.published`: a commit is published after it became visible.
/// - It contains nothing newer than what `after` shows: a commit is announced before it becomes visible.
///
/// If that leaves one generation, it is known exactly. If not, each commit since then has a **probe**: a fact about
/// the data that (P1) is false in every state before the commit and (P2) is true in the state that the commit makes;
/// later commits may falsify it again. "Row r has version v" is one, for versions only grow and a primary key is never
/// given twice. "Row r is absent" is none: it holds before r was inserted as well. A commit without a fact has no probe.
///
/// *Testing newest first is exact.* Let c be the newest candidate that was not ruled out; the snapshot is of c or of
/// something older. If it is of c, the probe of c is true in it (P2). If it is older, the probe is false in it (P1). So
/// a true probe means c, a false one rules c out, and the next older candidate has taken its place in this argument.
/// Oldest first is wrong: a false probe may mean "not yet" as well as "overwritten since".
///
/// ## Standings
/// A context stands at a generation: it shows the data of that one and no other. It enters **before** it opens its
/// first snapshot, at `stamp.published`, so that what it may need is kept, and advances to what the snapshot turned out
/// to be. Nobody stands at a commit in flight: its notice has not been delivered. A reader whose snapshot contains it
/// waits until it is published, which is no disk access away.
///
/// ## Invariants
/// 1. A commit in flight is the one after the last published.
/// 2. `recent` holds the probes of the newest published generations without a gap, at most `capacity` of them.
/// 3. Nobody stands above the last published generation.
/// 4. `levels` counts the standings by generation, ascending, each count positive.
///
/// ## Illegal, and why
/// - announce in flight: two commits at once would make the newest candidate ambiguous. There is one writer.
/// - publish or abandon of another number than the one in flight: the leader lost count; every later number is wrong.
/// - enter twice, advance or leave without having entered: a standing belongs to one context for its life.
/// - advance to an older generation: objects of the context have already shown the newer one.
package struct GenerationLedger<Probe: Sendable>: Sendable {
    /// The newest generation that every new snapshot contains.
    package private(set) var published: Generation
    /// The commit between announce and publish, and its probe.
    private(set) var commitInFlight: (generation: Generation, probe: Probe?)?
    /// The probes of the last published generations, the newest at the end.
    private(set) var recent: Deque<Probe?> = []
    let capacity: Int

    var standings: [ContextID: Generation] = [:]
    var levels: [StandingLevel] = []

    /// - Parameter recentCommits: for how many commits back a snapshot can be told; a reader that took longer to open
    ///   it retries.
    package init(opened: Generation = .opened, recentCommits: Int = 64) {
        precondition(recentCommits > 0, "A ledger needs room for the probe of one commit")
        published = opened
        capacity = recentCommits
    }

    /// What a reader takes before and after it opens its snapshot.
    package var stamp: GenerationStamp {
        GenerationStamp(published: published, inFlight: commitInFlight?.generation)
    }

    /// A commit is about to become visible. Before COMMIT.
    ///
    /// - Parameter probe: by which a reader tells whether its snapshot contains the commit; nil if the commit changes
    ///   nothing that would show it (a reader that opens its snapshot meanwhile then retries).
    package mutating func announce(_ probe: Probe?) -> Generation {
        precondition(commitInFlight == nil, "A commit is announced while another one is in flight")
        let generation = published.next
        commitInFlight = (generation, probe)
        return generation
    }

    /// The announced commit is visible. After COMMIT, and after the row cache and the notices know it.
    package mutating func publish(_ generation: Generation) {
        let probe = endFlight(of: generation)
        published = generation
        if recent.count == capacity { recent.removeFirst() }
        recent.append(probe)
    }

    /// The announced commit has not become visible and never will.
    package mutating func abandon(_ generation: Generation) {
        _ = endFlight(of: generation)
    }

    private mutating func endFlight(of generation: Generation) -> Probe? {
        guard let commit = commitInFlight, commit.generation == generation else {
            preconditionFailure("Generation \(generation.rawValue) is not the one in flight")
        }
        commitInFlight = nil
        return commit.probe
    }

    /// Which generation a snapshot is of that was opened after `before` was taken and before `after` was.
    package func candidates(
        openedBetween before: GenerationStamp, and after: GenerationStamp
    ) -> SnapshotCandidates<Probe> {
        precondition(before.published <= after.published, "The stamps are in the wrong order")
        var number = (after.inFlight ?? after.published).rawValue
        var found: [SnapshotCandidates<Probe>.Candidate] = []
        while number > before.published.rawValue {
            let generation = Generation(rawValue: number)
            switch probe(of: generation) {
            case .known(let probe): found.append(.init(generation: generation, probe: probe))
            case .abandoned: break
            case .unknown:
                // What is older cannot be tested before this one is ruled out.
                return found.isEmpty ? .retry : .between(newestFirst: found, otherwise: nil)
            }
            number -= 1
        }
        if found.isEmpty { return .exactly(before.published) }
        return .between(newestFirst: found, otherwise: before.published)
    }

    private enum ProbeLookUp {
        case known(Probe)
        /// In flight when the stamp was taken, and given up since.
        case abandoned
        /// Made without a probe, or too long ago.
        case unknown
    }

    private func probe(of generation: Generation) -> ProbeLookUp {
        if let commit = commitInFlight, commit.generation == generation {
            return commit.probe.map(ProbeLookUp.known) ?? .unknown
        }
        if generation > published { return .abandoned }
        // A number given again after an abandon stands for its second commit here. That one was announced after the
        // reader's second stamp, so its probe is false in the snapshot, as P1 says: no answer changes.
        let age = published.rawValue - generation.rawValue
        guard age < UInt64(recent.count), let probe = recent[recent.count - 1 - Int(age)] else { return .unknown }
        return .known(probe)
    }
}
