import DataMonkCore
import Testing

struct MailboxTests {
    private var mailbox = Mailbox<String>(standingAt: .opened, capacity: 2)

    private func generation(_ number: UInt64) -> Generation { Generation(rawValue: number) }

    @Test mutating func `the first notice schedules a turn, the next ones do not`() {
        #expect(mailbox.deliver("one", at: generation(1)) == .scheduleTurn)
        #expect(mailbox.deliver("two", at: generation(2)) == .nothing)
        let drained = mailbox.drain(through: generation(2))
        #expect(drained.notices == ["one", "two"])
        #expect(!drained.needsTurn)
        #expect(mailbox.deliver("three", at: generation(3)) == .scheduleTurn)
    }

    @Test mutating func `what is newer than the drain stays and asks for a turn`() throws {
        _ = mailbox.deliver("one", at: generation(1))
        _ = mailbox.deliver("two", at: generation(2))
        let drained = mailbox.drain(through: generation(1))
        #expect(drained.notices == ["one"])
        #expect(drained.needsTurn)
        try mailbox.checkInvariants()
        #expect(mailbox.drain(through: generation(2)).notices == ["two"])
    }

    @Test mutating func `one notice too many becomes a mark to refresh everything`() throws {
        for number in 1...4 { _ = mailbox.deliver("\(number)", at: generation(UInt64(number))) }
        #expect(mailbox.refreshMark == generation(4))
        let drained = mailbox.drain(through: generation(4))
        #expect(drained.refreshesAll)
        #expect(drained.notices.isEmpty)
        #expect(!drained.needsTurn)
        try mailbox.checkInvariants()
    }

    @Test func `notices that weigh too much become a mark, together or alone`() throws {
        var mailbox = Mailbox<String>(standingAt: .opened, weightLimit: 10)
        _ = mailbox.deliver("one", at: generation(1), weight: 6)
        _ = mailbox.deliver("two", at: generation(2), weight: 4)
        try mailbox.checkInvariants()
        #expect(mailbox.drain(through: generation(1)).notices == ["one"])
        _ = mailbox.deliver("three", at: generation(3), weight: 7)
        #expect(mailbox.drain(through: generation(3)).refreshesAll)
        _ = mailbox.deliver("four", at: generation(4), weight: 11)
        try mailbox.checkInvariants()
        #expect(mailbox.drain(through: generation(4)).refreshesAll)
    }

    @Test mutating func `a mark drained in part keeps its newer part`() throws {
        for number in 1...4 { _ = mailbox.deliver("\(number)", at: generation(UInt64(number))) }
        let first = mailbox.drain(through: generation(2))
        #expect(first.refreshesAll)
        #expect(first.needsTurn)
        try mailbox.checkInvariants()
        #expect(mailbox.drain(through: generation(4)).refreshesAll)
        #expect(mailbox.drain(through: generation(4)).isEmpty)
    }

    @Test mutating func `a mark of later commits waits`() {
        for number in 2...4 { _ = mailbox.deliver("\(number)", at: generation(UInt64(number))) }
        let drained = mailbox.drain(through: generation(1))
        #expect(drained.isEmpty)
        #expect(drained.needsTurn)
    }

    @Test func `delivering what was drained already is misuse`() async {
        await #expect(processExitsWith: .failure) {
            var mailbox = Mailbox<String>(standingAt: .opened)
            _ = mailbox.drain(through: Generation(rawValue: 2))
            _ = mailbox.deliver("one", at: Generation(rawValue: 1))
        }
    }
}
