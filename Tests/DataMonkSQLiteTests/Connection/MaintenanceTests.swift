import DataMonkCore
import DataMonkSQLite
import Foundation
import Testing

@Suite("Checkpoints, copies and damage")
struct MaintenanceTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func size(_ suffix: String) -> Int {
        let path = directory.store.path + suffix
        return (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
    }

    @Test func `a checkpoint is due when the log has grown past the interval`() throws {
        let connection = try directory.connection { $0.checkpointInterval = 20 }
        try connection.execute("CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR, ZAGE INTEGER )")
        #expect(try connection.checkpointIfDue() == nil)
        for row in 0..<40 { try connection.insert("Monk", age: row) }
        #expect(connection.logPages >= 20)
        let result = try #require(try connection.checkpointIfDue())
        #expect(result.logPages == result.movedPages && result.movedPages >= 20)
        #expect(try connection.checkpointIfDue() == nil)
    }

    @Test func `beside a reader that keeps its snapshot a checkpoint is tried once an interval`() throws {
        let connection = try directory.connection { $0.checkpointInterval = 20 }
        try connection.execute("CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR, ZAGE INTEGER )")
        let reader = try directory.connection(.readOnly)
        try reader.beginSnapshot()
        var tries: [Int] = []
        for row in 0..<100 {
            try connection.insert("Monk", age: row)
            if try connection.checkpointIfDue() != nil { tries.append(connection.logPages) }
        }
        #expect(tries.count >= 4)
        #expect(zip(tries, tries.dropFirst()).allSatisfy { $1 - $0 >= 20 })
        try reader.commit()
        // The reader is gone: the next try moves all, and the log begins anew.
        while try connection.checkpointIfDue() == nil { try connection.insert("Monk", age: 0) }
        try connection.insert("Monk", age: 0)
        #expect(connection.logPages < 20)
    }

    @Test func `a reader's snapshot holds back a checkpoint and no more`() throws {
        let connection = try directory.people(10)
        try connection.checkpoint(.truncate)
        let reader = try directory.connection(.readOnly)
        try reader.beginSnapshot()
        try connection.insert("Late", age: 1)
        let result = try connection.checkpoint(.passive)
        #expect(result.movedPages < result.logPages)
        #expect(failure { try connection.checkpoint(.truncate, waitingAtMost: .zero) }?.isBusy == true)
        try reader.commit()
        try connection.checkpoint(.truncate)
        #expect(size("-wal") == 0)
    }

    @Test func `closing the writer empties the log, also beside an open reader`() throws {
        let connection = try directory.people(10)
        let reader = try directory.connection(.readOnly)
        #expect(size("-wal") > 0)
        try connection.close()
        #expect(size("-wal") == 0)
        #expect(try reader.countPeople() == 10)
    }

    @Test func `a truncated file is reported as damaged`() throws {
        try directory.people(2_000).close()
        let handle = try FileHandle(forWritingTo: directory.store)
        try handle.truncate(atOffset: UInt64(size("") / 8192 * 4096))
        try handle.close()
        #expect(readError()?.code == .corrupt)
    }

    @Test func `a page of noise is reported as damaged, and found by the integrity check`() throws {
        try directory.people(2_000).close()
        var random = SystemRandomNumberGenerator()
        let handle = try FileHandle(forWritingTo: directory.store)
        for page in 3..<(size("") / 4096) {
            try handle.seek(toOffset: UInt64(page * 4096))
            try handle.write(contentsOf: Data((0..<4096).map { _ in UInt8.random(in: .min ... .max, using: &random) }))
        }
        try handle.close()
        #expect(readError()?.code == .corrupt)
        let connection = try directory.connection(.readWrite)
        let report = (try? connection.text("PRAGMA integrity_check")) ?? "refused"
        #expect(report != "ok")
    }

    @Test func `a sound file passes the integrity check`() throws {
        #expect(try directory.people(100).text("PRAGMA integrity_check") == "ok")
    }

    /// What reading every row throws.
    private func readError() -> StoreError? {
        do {
            try StoreError.translatingFailures(of: directory.store) {
                let connection = try directory.connection(.readWrite)
                try connection.withStatement("SELECT * FROM ZPERSON") { while try $0.step() {} }
            }
            return nil
        } catch {
            return error as? StoreError
        }
    }
}
