import DataMonkCore
import Testing

struct CommitQueueStateTests {
    private var queue = CommitQueueState(batchLimit: 3)

    @Test mutating func `the first member leads and takes those that wait`() throws {
        let (first, firstRole) = queue.enqueue()
        let (second, secondRole) = queue.enqueue()
        #expect(firstRole == .lead)
        #expect(secondRole == .wait)
        #expect(queue.take(by: first) == [first, second])
        let wakeups = queue.finish()
        #expect(wakeups.followers == [second])
        #expect(wakeups.nextLeader == nil)
        #expect(queue.leader == nil)
        try queue.checkInvariants()
    }

    @Test mutating func `members that come while one writes are led by the first of them`() {
        let first = queue.enqueue().member
        _ = queue.take(by: first)
        let second = queue.enqueue().member
        let third = queue.enqueue().member
        #expect(queue.finish().nextLeader == second)
        #expect(queue.take(by: second) == [second, third])
    }

    @Test mutating func `a batch is bounded`() {
        let members = (0..<5).map { _ in queue.enqueue().member }
        #expect(queue.take(by: members[0]) == Array(members[0..<3]))
        #expect(queue.finish().nextLeader == members[3])
    }

    @Test mutating func `a lone member leads nobody and follows nobody`() throws {
        let first = queue.enqueue().member
        let second = queue.enqueue().member
        let lone = queue.enqueue(isLone: true).member
        let last = queue.enqueue().member
        #expect(queue.take(by: first) == [first, second])
        #expect(queue.finish().nextLeader == lone)
        #expect(queue.take(by: lone) == [lone])
        try queue.checkInvariants()
        #expect(queue.finish().nextLeader == last)
        #expect(queue.take(by: last) == [last])
        try queue.checkInvariants()
    }

    @Test mutating func `a member leaves until it is taken`() throws {
        let first = queue.enqueue().member
        let second = queue.enqueue().member
        let third = queue.enqueue().member
        #expect(queue.cancel(second) == .left)
        #expect(queue.cancel(second) == .tooLate)
        #expect(queue.take(by: first) == [first, third])
        #expect(queue.cancel(third) == .tooLate)
        try queue.checkInvariants()
    }

    @Test mutating func `a leader told to lead does not leave`() {
        let first = queue.enqueue().member
        #expect(queue.cancel(first) == .tooLate)
    }

    @Test mutating func `each member of a fallen batch runs alone once`() throws {
        let first = queue.enqueue().member
        let second = queue.enqueue().member
        _ = queue.take(by: first)
        queue.fall()
        #expect(queue.beginAlone() == first)
        #expect(queue.beginAlone() == second)
        #expect(queue.beginAlone() == nil)
        try queue.checkInvariants()
        #expect(queue.finish().followers == [second])
    }

    @Test func `finishing before all ran alone is misuse`() async {
        await #expect(processExitsWith: .failure) {
            var queue = CommitQueueState()
            _ = queue.take(by: queue.enqueue().member)
            queue.fall()
            _ = queue.finish()
        }
    }

    @Test func `taking beside the leader is misuse`() async {
        await #expect(processExitsWith: .failure) {
            var queue = CommitQueueState()
            _ = queue.enqueue()
            _ = queue.take(by: queue.enqueue().member)
        }
    }
}
