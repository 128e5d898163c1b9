import DataMonkCore
import Foundation
import Testing

/// Tasks and threads meet at the gate itself and at wake-ups, never by sleeping.
@Suite struct `UpdateGate Concurrency` {
    private let gate = UpdateGate()

    @Test func `bodies run in the order of their requests, awaits included`() async throws {
        let log = Locked<[Int]>([])
        let tickets = (0..<20).map { _ in gate.request() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, ticket) in tickets.enumerated().reversed() {
                group.addTask {
                    try await gate.enter(with: ticket)
                    log.withLock { $0.append(number) }
                    await Task.yield()
                    log.withLock { $0.append(number) }
                    gate.leave(ticket)
                }
            }
            try await group.waitForAll()
        }
        #expect(log.withLock { $0 } == (0..<20).flatMap { [$0, $0] })
    }

    @Test func `a cancelled task leaves the queue`() async throws {
        let first = try await gate.enter()
        let ticket = gate.request()
        let second = Task { try await gate.enter(with: ticket) }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        let third = gate.request()
        gate.leave(first)
        #expect(gate.holds(third))
        gate.leave(third)
    }

    @Test func `a ticket given up before its owner waits throws when it comes to wait`() async throws {
        let first = try await gate.enter()
        let second = gate.request()
        #expect(gate.cancel(second))
        await #expect(throws: CancellationError.self) { try await gate.enter(with: second) }
        #expect(!gate.cancel(first))
        gate.leave(first)
    }

    @Test func `a grant that comes before the wait is not lost`() async throws {
        let first = gate.request()
        let second = gate.request()
        gate.leave(first)
        try await gate.enter(with: second)
        gate.leave(second)
    }

    @Test func `a continuation keeps the next one out`() async throws {
        let first = try await gate.enter()
        let second = gate.request()
        #expect(gate.reenterIfHolding(first))
        #expect(!gate.reenterIfHolding(second))
        gate.leave(first)
        #expect(gate.holds(first))
        gate.leave(first)
        #expect(gate.holds(second))
        gate.leave(second)
    }

    private static func party(
        _ line: UInt, canSuspend: Bool = false, inside outer: WaitParticipant? = nil
    ) -> WaitParticipant {
        WaitParticipant(
            UpdateCall("update", file: "Tests/Gate.swift", line: line), canSuspend: canSuspend, outer: outer)
    }

    @Test func `the party that is admitted next is the holder`() {
        let parties = (1...4).map { Self.party($0) }
        let tickets = parties.map { gate.request(by: $0) }
        #expect(gate.holder === parties[0])
        #expect(gate.cancel(tickets[1]))
        gate.leave(tickets[0])
        #expect(gate.holder === parties[2])
        #expect(gate.ticket(heldBy: parties[2]) == tickets[2] && gate.ticket(heldBy: parties[3]) == nil)
        gate.leave(tickets[2])
        #expect(gate.holder === parties[3])
        gate.leave(tickets[3])
        #expect(gate.holder == nil)
    }

    @Test func `a thread that would wait for itself is refused`() throws {
        let holder = Self.party(1)
        let first = try gate.enterAndWait(by: holder)
        #expect(throws: GateError.wouldDeadlock(holder: holder.call)) {
            try gate.enterAndWait(by: Self.party(2, inside: holder))
        }
        #expect(throws: GateError.deadlinePassed(holder: holder.call)) {
            try gate.enterAndWait(by: Self.party(3), deadline: .now)
        }
        gate.leave(first)
        gate.leave(try gate.enterAndWait(by: Self.party(4, inside: holder)))
    }

    @Test func `who must not wait for code that can suspend is refused`() throws {
        let (plain, suspending) = (Self.party(1), Self.party(2, canSuspend: true))
        let first = try gate.enterAndWait(by: plain)
        let second = gate.request(by: suspending)
        #expect(throws: GateError.mayNeedMain(holder: suspending.call)) {
            try gate.enterAndWait(by: Self.party(3), refusesSuspension: true)
        }
        #expect(gate.cancel(second))
        #expect(throws: GateError.deadlinePassed(holder: plain.call)) {
            try gate.enterAndWait(by: Self.party(4), deadline: .now, refusesSuspension: true)
        }
        gate.leave(first)
    }

    @Test func `of two that wait crosswise the second is refused`() throws {
        let other = UpdateGate()
        let (left, right) = (Self.party(1), Self.party(2))
        let first = try gate.enterAndWait(by: left)
        let second = try other.enterAndWait(by: right)
        WaitGraph.shared.add(left, waitingFor: .gate(other))
        #expect(throws: GateError.wouldDeadlock(holder: left.call)) { try gate.enterAndWait(by: right) }
        WaitGraph.shared.removeAll(of: left)
        gate.leave(first)
        other.leave(second)
    }

    @Test func `a way round over three gates and a handle is found`() throws {
        let graph = WaitGraph()
        let (second, third) = (UpdateGate(), UpdateGate())
        let (left, middle, right) = (Self.party(1), Self.party(2), Self.party(3))
        let tickets = (gate.request(by: left), second.request(by: middle), third.request(by: right))
        graph.add(left, waitingFor: .gate(second))
        graph.add(middle, waitingFor: .party(right))
        try graph.check(left)
        let inner = Self.party(4, inside: right)
        graph.add(right, waitingFor: .party(inner))
        graph.add(inner, waitingFor: .gate(gate))
        #expect(throws: WaitGraph.Refusal.self) { try graph.check(inner) }
        graph.remove(middle, waitingFor: .party(right))
        try graph.check(inner)
        gate.leave(tickets.0)
        second.leave(tickets.1)
        third.leave(tickets.2)
    }

    @Test func `a way round over a task that a step has begun refuses nothing, and is found`() throws {
        let graph = WaitGraph()
        let (step, inTask, behind) = (Self.party(1), Self.party(2), Self.party(3))
        let ticket = gate.request(by: step)
        graph.add(step, waitingFor: .party(inTask), isCertain: false)
        graph.add(inTask, waitingFor: .gate(gate))
        graph.add(behind, waitingFor: .gate(gate))
        try graph.check(inTask)
        #expect(graph.last(from: inTask) === step)
        #expect(graph.mayNeverEnd(inTask) && !graph.mayNeverEnd(behind))
        graph.add(step, waitingFor: .party(inTask))
        graph.remove(step, waitingFor: .party(inTask), isCertain: false)
        #expect(throws: WaitGraph.Refusal.self) { try graph.check(inTask) }
        gate.leave(ticket)
    }

    @Test func `who comes to wait under a ticket that was given up is told why`() async throws {
        struct Reason: Error {}
        let first = gate.request()
        let second = gate.request()
        #expect(gate.cancel(second, throwing: Reason()))
        await #expect(throws: Reason.self) { try await gate.enter(with: second) }
        gate.leave(first)
    }

    @Test func `a blocked thread is let in`() throws {
        let first = gate.request()
        let entered = Wakeup<Bool>()
        let gate = gate
        let isStarting = Wakeup<Void>()
        Thread {
            isStarting.wake(with: ())
            let ticket = try? gate.enterAndWait(deadline: .now + .seconds(60))
            entered.wake(with: ticket != nil)
            if let ticket { gate.leave(ticket) }
        }.start()
        isStarting.wait()
        gate.leave(first)
        #expect(entered.wait())
    }

    @Test func `tasks and threads under load are in one at a time`() async throws {
        let inside = Locked(0)
        let total = Locked(0)
        let body: @Sendable () -> Void = {
            #expect(
                inside.withLock {
                    $0 += 1; return $0
                } == 1)
            inside.withLock { $0 -= 1 }
            total.withLock { $0 += 1 }
        }
        let gate = gate
        let threads = (0..<3).map { _ in
            let ended = Wakeup<Void>()
            Thread {
                for _ in 0..<100 {
                    if let ticket = try? gate.enterAndWait() {
                        body()
                        gate.leave(ticket)
                    }
                }
                ended.wake(with: ())
            }.start()
            return ended
        }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let task = Task {
                        let ticket = try await gate.enter()
                        await Task.yield()
                        body()
                        gate.leave(ticket)
                    }
                    if number % 3 == 0 { task.cancel() }
                    if case .failure = await task.result { total.withLock { $0 += 1 } }
                }
            }
        }
        for thread in threads { thread.wait() }
        #expect(total.withLock { $0 } == 400)
    }
}
