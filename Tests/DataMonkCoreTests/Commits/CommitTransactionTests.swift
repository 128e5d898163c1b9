import DataMonkCore
import Testing

struct CommitTransactionTests {
    @Test func `members are written in order, then committed`() throws {
        var transaction = CommitTransaction(memberCount: 2)
        #expect(transaction.next == .write(0))
        transaction.beginMember()
        transaction.undo()
        #expect(transaction.next == .write(1))
        transaction.beginMember()
        transaction.keep()
        #expect(transaction.next == .commit)
        transaction.commit()
        #expect(transaction.next == nil)
        #expect(transaction.members == [.undone, .kept])
        try transaction.checkInvariants()
    }

    @Test func `a transaction that kept nobody is rolled back`() {
        var transaction = CommitTransaction(memberCount: 1)
        transaction.beginMember()
        transaction.undo()
        #expect(transaction.next == .rollBack)
        transaction.rollBack()
        #expect(transaction.state == .gone)
    }

    @Test func `a transaction that fell is at its end`() {
        var transaction = CommitTransaction(memberCount: 2)
        transaction.beginMember()
        transaction.fall()
        #expect(transaction.next == nil)
    }

    @Test func `releasing a savepoint twice is misuse`() async {
        await #expect(processExitsWith: .failure) {
            var transaction = CommitTransaction(memberCount: 2)
            transaction.beginMember()
            transaction.keep()
            transaction.keep()
        }
    }

    @Test func `committing before all were written is misuse`() async {
        await #expect(processExitsWith: .failure) {
            var transaction = CommitTransaction(memberCount: 1)
            transaction.commit()
        }
    }
}
