import DequeModule

/// **Shared.** The graph of all waits in the process, used to refuse a wait that could never end before it begins.
///
///     party --waits for--> gate, that is, for the party that has been admitted
///       +-----waits for--> party: a step inside of it, or an update whose handle it awaits
///       +---may wait for-> party: a step that a task begun by it awaits, for it may await that task
///
/// A wait is recorded before it begins, and removed when it is over. A new wait is checked for a path that leads back to
/// the waiting party, or to code that it is a part of; if two parties begin to wait for each other, the second one finds
/// the first. Waits that no one has to wait for are not recorded, so most updates never use the graph.
///
/// Nobody can tell whether a step awaits a task that it has begun. So a path with such a wait refuses nothing; it ends a
/// wait only after nothing has moved for some time (`mayNeverEnd`).
///
/// The graph knows the waits for gates and handles. A step that is waited for in another way (a semaphore, a callback
/// or a detached task that is awaited, a queue's `sync`) remains invisible; waits that block have deadlines.
///
/// Locks: first the graph's, then a gate's; gates never call back.
///
/// Invariants:
/// 1. The graph has no cycles of certain waits.
/// 2. A party is in the graph only while it waits.
package final class WaitGraph: Sendable {
    /// The only instance, because updates of different stacks can wait for each other, too.
    package static let shared = WaitGraph()

    /// **Value.** The target of a wait.
    package enum Target: Sendable {
        /// Waits to be admitted; over when the party itself holds the gate.
        case gate(UpdateGate)
        /// Waits for the end of the party.
        case party(WaitParticipant)

        /// The party that must act first.
        var holder: WaitParticipant? {
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

    /// **Value.** The reason why a wait must not begin.
    package enum Refusal: Error {
        /// It would wait for itself, through `holder`.
        case cycle(holder: UpdateCall)
        /// It must not wait for code that can suspend, which `holder` is or waits for.
        case suspension(holder: UpdateCall)
    }

    private struct Wait: Sendable {
        let party: WaitParticipant
        let target: Target
        let isCertain: Bool
    }

    /// The waits of each party that waits.
    private typealias Waits = [ObjectIdentifier: Deque<Wait>]

    private let waits = Locked<Waits>([:])

    package init() {}

    /// Records that a party waits, or is about to.
    ///
    /// - Parameter isCertain: `false` if a task that it has begun waits, which it may await.
    package func add(_ party: WaitParticipant, waitingFor target: Target, isCertain: Bool = true) {
        waits.withLock { waits in Self.add(Wait(party: party, target: target, isCertain: isCertain), to: &waits) }
    }

    /// Records that a party waits, unless it could wait forever. Of two parties that begin to wait for each other at the same
    /// time, one is refused.
    ///
    /// - Parameter refusesSuspension: `true` if it must not wait for code that can suspend either.
    package func begin(
        _ party: WaitParticipant, waitingFor target: Target, refusesSuspension: Bool = false
    ) throws(Refusal) {
        let refusal: Refusal? = waits.withLock { waits in
            let wait = Wait(party: party, target: target, isCertain: true)
            Self.add(wait, to: &waits)
            let refusal = Self.refusal(of: party, refusesSuspension: refusesSuspension, in: waits)
            if refusal != nil { Self.remove(wait, from: &waits) }
            return refusal
        }
        if let refusal { throw refusal }
    }

    /// Removes a wait of a party. Its other waits, if there are any, remain.
    package func remove(_ party: WaitParticipant, waitingFor target: Target, isCertain: Bool = true) {
        waits.withLock { waits in Self.remove(Wait(party: party, target: target, isCertain: isCertain), from: &waits) }
    }

    package func removeAll(of party: WaitParticipant) {
        waits.withLock { waits in _ = waits.removeValue(forKey: ObjectIdentifier(party)) }
    }

    /// Throws an error if the recorded waits of a party could never end.
    ///
    /// - Parameter refusesSuspension: `true` if it must not wait for code that can suspend either.
    package func check(_ party: WaitParticipant, refusesSuspension: Bool = false) throws(Refusal) {
        let refusal = waits.withLock { waits in Self.refusal(of: party, refusesSuspension: refusesSuspension, in: waits)
        }
        if let refusal { throw refusal }
    }

    /// Returns `true` if the recorded waits of a party can never end, should the steps on their way await the tasks that they
    /// have begun.
    package func mayNeverEnd(_ party: WaitParticipant) -> Bool {
        waits.withLock { waits in
            var search = Search(party: party, refusesSuspension: false, isCertain: false)
            return (waits[ObjectIdentifier(party)] ?? []).contains { wait in
                guard let holder = wait.target.holder else { return false }
                // Its gates are passed where it holds them itself; its own end, which a task of it awaits, is ahead.
                if holder === party, case .gate = wait.target { return false }
                return search.leadsBack(from: holder, waits)
            }
        }
    }

    /// Returns the party that a party waits for in the end, which must act and waits for no other known party; the party
    /// itself if it does not wait.
    package func last(from party: WaitParticipant) -> WaitParticipant {
        waits.withLock { waits in
            var (last, seen) = (party, Set<ObjectIdentifier>())
            while seen.insert(ObjectIdentifier(last)).inserted {
                let certain = waits[ObjectIdentifier(last)]?.lazy.filter(\.isCertain)
                let next = certain?.compactMap(\.target.holder).first { $0 !== last }
                guard let next else { break }
                last = next
            }
            return last
        }
    }

    private static func add(_ wait: Wait, to waits: inout Waits) {
        waits[ObjectIdentifier(wait.party), default: []].append(wait)
    }

    private static func remove(_ wait: Wait, from waits: inout Waits) {
        guard var left = waits.removeValue(forKey: ObjectIdentifier(wait.party)) else { return }
        // From the start: of the many tasks of one step that wait in a line, the first one usually ends first.
        let index = left.firstIndex { $0.isCertain == wait.isCertain && $0.target.isSame(as: wait.target) }
        if let index { left.remove(at: index) }
        if !left.isEmpty { waits[ObjectIdentifier(wait.party)] = left }
    }

    private static func refusal(of party: WaitParticipant, refusesSuspension: Bool, in waits: Waits) -> Refusal? {
        for wait in waits[ObjectIdentifier(party)] ?? [] where wait.isCertain {
            guard let holder = wait.target.holder, holder !== party else { continue }
            var search = Search(party: party, refusesSuspension: refusesSuspension, isCertain: true)
            if search.leadsBack(from: holder, waits) { return .cycle(holder: holder.call) }
            if search.meetsSuspension { return .suspension(holder: holder.call) }
        }
        return nil
    }

    private struct Search {
        let party: WaitParticipant
        let refusesSuspension: Bool
        /// `true` to follow only certain waits.
        let isCertain: Bool
        var meetsSuspension = false
        var seen: Set<ObjectIdentifier> = []

        mutating func leadsBack(from step: WaitParticipant, _ waits: Waits) -> Bool {
            if party.isInside(step) { return true }
            if refusesSuspension && step.canSuspend { meetsSuspension = true }
            guard seen.insert(ObjectIdentifier(step)).inserted else { return false }
            for wait in waits[ObjectIdentifier(step)] ?? [] where wait.isCertain || !isCertain {
                guard let next = wait.target.holder, next !== step else { continue }
                if leadsBack(from: next, waits) { return true }
            }
            return false
        }
    }
}
