import DataMonkCore
import DataMonkSQLite
import Foundation
import Testing

@Suite("Transactions")
struct TransactionTests {
    let directory: TemporaryDirectory
    let connection: SQLiteConnection

    init() throws {
        directory = try TemporaryDirectory()
        connection = try directory.people()
    }

    @Test func `a transaction that throws leaves nothing`() throws {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try connection.transaction(.immediate) {
                try connection.insert("Monk", age: 1)
                throw Stop()
            }
        }
        #expect(!connection.isInTransaction)
        #expect(try connection.countPeople() == 0)
    }

    @Test func `a savepoint is undone alone`() throws {
        try connection.begin(.immediate)
        let kept = try connection.beginSavepoint()
        try connection.insert("Knight", age: 1)
        try connection.release(kept)
        let undone = try connection.beginSavepoint()
        try connection.insert("Farmer", age: 2)
        let inner = try connection.beginSavepoint()
        try connection.insert("Child", age: 3)
        try connection.release(inner)
        try connection.rollBack(to: undone)
        try connection.commit()
        #expect(try connection.text("SELECT group_concat(ZNAME) FROM ZPERSON") == "Knight")
    }

    @Test func `a savepoint ends once`() async {
        await #expect(processExitsWith: .failure) {
            let directory = try TemporaryDirectory()
            let connection = try directory.connection()
            try connection.begin(.immediate)
            let savepoint = try connection.beginSavepoint()
            try connection.release(savepoint)
            try connection.release(savepoint)
        }
    }

    @Test func `a savepoint without a transaction is refused`() {
        #expect(throws: SQLiteFailure.self) { try connection.beginSavepoint() }
    }

    @Test func `a second writer waits until the deadline, then names the lock`() throws {
        let other = try directory.connection()
        try other.begin(.immediate)
        let start = ContinuousClock.now
        let failure = try #require(failure { try connection.begin(.immediate) })
        let waited = start.duration(to: .now)
        #expect(failure.isBusy)
        #expect(waited >= .milliseconds(50))
        #expect(!connection.isInTransaction)
        let error = StoreError(failure, storeURL: directory.store)
        #expect(error.code == .locked)
        #expect(error.underlyingError is SQLiteFailure)
        try other.rollback()
        try connection.begin(.immediate)
        try connection.rollback()
    }

    @Test func `a full disk tells whether the transaction stands`() throws {
        let pages = try connection.int64("PRAGMA page_count")
        try connection.execute("PRAGMA max_page_count = \(pages + 2)")
        try connection.begin(.immediate)
        let failure = try #require(
            failure {
                while true { try connection.insert(String(repeating: "long", count: 500), age: 1) }
            })
        #expect(StoreError(failure, storeURL: directory.store).code == .outOfSpace)
        // SQLite undoes the statement and sometimes the transaction: whatever it did, rollback() is right after it.
        try connection.rollback()
        #expect(!connection.isInTransaction)
        #expect(try connection.countPeople() == 0)
    }

    @Test func `a broken unique index names its columns`() throws {
        try connection.execute(
            "CREATE UNIQUE INDEX Z_Person_UNIQUE_name_age ON ZPERSON (ZNAME COLLATE BINARY ASC, ZAGE)")
        try connection.begin(.immediate)
        try connection.insert("Monk", age: 1)
        let failure = try #require(failure { try connection.insert("Monk", age: 1) })
        #expect(connection.isInTransaction)
        let violation = try #require(failure.constraintViolation)
        #expect(violation.kind == .unique && violation.table == "ZPERSON" && violation.columns == ["ZNAME", "ZAGE"])
        let error = StoreError(failure, storeURL: directory.store)
        #expect(error.code == .constraintViolation)
        #expect(error.message.contains("ZNAME, ZAGE") && !error.message.contains("Monk"))
        try connection.rollback()
    }

    @Test func `a snapshot does not see later commits`() throws {
        let reader = try directory.connection(.readOnly)
        try reader.beginSnapshot()
        #expect(reader.holdsSnapshot)
        try connection.insert("Late", age: 1)
        #expect(try reader.countPeople() == 0)
        try reader.commit()
        #expect(try reader.countPeople() == 1)
    }

    @Test func `the data version changes with another connection's commit only`() throws {
        let reader = try directory.connection(.readOnly)
        let before = try reader.dataVersion()
        #expect(try reader.dataVersion() == before)
        try connection.insert("Monk", age: 1)
        #expect(try reader.dataVersion() != before)
    }
}
