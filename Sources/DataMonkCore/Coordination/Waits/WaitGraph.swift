/// **Shared.** Who waits for whom, in the whole process: so that a wait that could never end is refused when it begins.
///
///     party --waits for--> gate, that is, for the party that holds it
///       +-----waits for--> party: a step inside of it, or an update whose handle it awaits
///
/// A wait is written down before it begins and struck out when it is over. Whoever begins one looks whether the way from
/// there leads back to itself, or to code that it is a part of; of two that wait crosswise, the second one finds the first.
/// Waits that nobody has to wait for are not written down: most updates never come here.
///
/// It knows what is asked through gates and handles. Who waits for a step in another way (a semaphore, a callback that is
/// awaited, a queue's `sync`) stays unseen; for these waits there are deadlines.
///
/// Locks: first the graph's, then a gate's; no gate calls back.
///
/// Invariants:
/// 1. No way in the graph leads back to where it began.
/// 2. A party is in the graph only while it waits.
package final class WaitGraph: Sendable {
    /// There is one: updates of different stacks can wait for each other, too.
    package static let shared = WaitGraph()

    /// What a party waits for.
    package enum Target: Sendable {
        /// To be let in; over when the party itself holds the gate.
        case gate(UpdateGate)
        /// Its end.
        case party(WaitParty)

        /// Who has to do something first.
        var holder: WaitParty? {
            switch self {
            case .gate(let gate): gate.holder
            case .party(let party): party
            }
        }

        func isSame(as other: Target) -> Bool {
            switch (self, other) {
            case (.gate(let left), .gate(let right)): left === right
            case (.party(let left), .party(let right)): left === right
            case (.gate, .party), (.party, .gate): false
            }
        }
    }

    /// Why a wait must not begin.
    package enum Refusal: Error {
        /// It would wait for itself, by way of `holder`.
        case cycle(holder: UpdateCall)
        /// It must not wait for code that can suspend, which `holder` is or waits for.
        case suspension(holder: UpdateCall)
    }

    private struct Wait: Sendable {
        let party: WaitParty
        let target: Target
    }

    private let waits = Locked<[ObjectIdentifier: [Wait]]>([:])

    package init() {}

    /// Writes down that a party waits, or is about to.
    package func add(_ party: WaitParty, waitingFor targets: Target...) {
        waits.withLock { waits in
            for target in targets {
                waits[ObjectIdentifier(party), default: []].append(Wait(party: party, target: target))
            }
        }
    }

    /// Strikes out a wait of a party; others, if there are any, go on.
    package func remove(_ party: WaitParty, waitingFor target: Target) {
        waits.withLock { waits in
            guard var left = waits.removeValue(forKey: ObjectIdentifier(party)) else { return }
            if let index = left.lastIndex(where: { $0.target.isSame(as: target) }) { left.remove(at: index) }
            if !left.isEmpty { waits[ObjectIdentifier(party)] = left }
        }
    }

    /// Strikes out all waits of a party.
    package func removeAll(of party: WaitParty) {
        waits.withLock { waits in _ = waits.removeValue(forKey: ObjectIdentifier(party)) }
    }

    /// Refuses the waits that were written down for a party if they could not end.
    ///
    /// - Parameter refusesSuspension: whether it must not wait for code that can suspend either.
    package func check(_ party: WaitParty, refusesSuspension: Bool = false) throws(Refusal) {
        let refusal: Refusal? = waits.withLock { waits in
            for wait in waits[ObjectIdentifier(party)] ?? [] {
                guard let holder = wait.target.holder, holder !== party else { continue }
                var search = Search(party: party, refusesSuspension: refusesSuspension)
                if search.leadsBack(from: holder, waits) { return .cycle(holder: holder.call) }
                if search.meetsSuspension { return .suspension(holder: holder.call) }
            }
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Whom a party waits for in the end: who has to do something, and waits for nobody that is known; the party itself if
    /// that is so.
    package func last(from party: WaitParty) -> WaitParty {
        waits.withLock { waits in
            var (last, seen) = (party, Set<ObjectIdentifier>())
            while seen.insert(ObjectIdentifier(last)).inserted {
                let next = waits[ObjectIdentifier(last)]?.lazy.compactMap(\.target.holder).first { $0 !== last }
                guard let next else { break }
                last = next
            }
            return last
        }
    }

    /// Who is in the graph; for tests.
    package var waitingCount: Int { waits.withLock { $0.count } }

    private struct Search {
        let party: WaitParty
        let refusesSuspension: Bool
        var meetsSuspension = false
        var seen: Set<ObjectIdentifier> = []

        mutating func leadsBack(from step: WaitParty, _ waits: [ObjectIdentifier: [Wait]]) -> Bool {
            if party.isInside(step) { return true }
            if refusesSuspension && step.canSuspend { meetsSuspension = true }
            guard seen.insert(ObjectIdentifier(step)).inserted else { return false }
            for wait in waits[ObjectIdentifier(step)] ?? [] {
                guard let next = wait.target.holder, next !== step else { continue }
                if leadsBack(from: next, waits) { return true }
            }
            return false
        }
    }
}
