import DataMonkCore
import DataMonkSQLite
import Foundation
import Testing

@Suite("The pool of readers")
struct ReaderPoolConcurrencyTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try directory.people(10).close()
    }

    private func pool(capacity: Int, timeout: Duration = .milliseconds(30)) -> ReaderPool {
        ReaderPool(storeURL: directory.store, capacity: capacity, timeout: timeout) { [directory] in
            try directory.connection(.readOnly)
        }
    }

    private func error(of body: () throws -> Void) -> StoreError? {
        do {
            try body()
            return nil
        } catch {
            return error as? StoreError
        }
    }

    @Test func `the connection used last is used first`() throws {
        let pool = pool(capacity: 3)
        let first = try pool.checkOut()
        let second = try pool.checkOut()
        let identity = ObjectIdentifier(second)
        pool.checkIn(first)
        pool.checkIn(second)
        #expect(try pool.withReader { ObjectIdentifier($0) } == identity)
        #expect(pool.count == 2)
    }

    @Test func `who waits too long is told the limit`() throws {
        let pool = pool(capacity: 1)
        try pool.withReader { _ in
            let error = try #require(error { _ = try pool.checkOut() })
            #expect(error.code == .timeout)
            #expect(error.message.contains("All 1 read connections"))
        }
        #expect(try pool.withReader { try $0.countPeople() } == 10)
    }

    @Test func `a connection comes back without a snapshot or a running statement`() throws {
        let pool = pool(capacity: 1)
        let reader = try pool.checkOut()
        let identity = ObjectIdentifier(reader)
        try reader.beginSnapshot()
        let statement = try reader.prepare("SELECT * FROM ZPERSON")
        #expect(try statement.step())
        pool.checkIn(reader)
        try pool.withReader { next in
            #expect(ObjectIdentifier(next) == identity)
            #expect(!next.holdsSnapshot && !next.isInTransaction)
        }
    }

    @Test func `a failed opening gives its place back`() throws {
        let missing = directory.url.appendingPathComponent("missing.sqlite")
        let pool = ReaderPool(storeURL: missing, capacity: 1, timeout: .milliseconds(30)) {
            try SQLiteConnection(fileURL: missing, options: SQLiteOptions(access: .readOnly))
        }
        for _ in 0..<2 { #expect(error { _ = try pool.checkOut() }?.code == .fileNotFound) }
        #expect(pool.count == 0)
    }

    @Test func `a connection that was closed gives its place to another`() throws {
        let pool = pool(capacity: 1)
        let reader = try pool.checkOut()
        try reader.close()
        pool.checkIn(reader)
        #expect(pool.count == 0)
        #expect(try pool.withReader { try $0.countPeople() } == 10)
    }

    @Test func `a lease ends once, by call or with its last reference`() throws {
        let pool = pool(capacity: 1)
        let lease = try pool.lease()
        try lease.connection.beginSnapshot()
        lease.end()
        lease.end()
        do {
            let other = try pool.lease()
            #expect(!other.connection.holdsSnapshot)
        }
        #expect(try pool.withReader { try $0.countPeople() } == 10)
        #expect(pool.count == 1)
    }

    @Test func `after closing nothing is lent and nothing stays open`() throws {
        let pool = pool(capacity: 2)
        let lent = try pool.checkOut()
        try pool.withReader { _ in }
        pool.close()
        #expect(pool.count == 1)
        pool.checkIn(lent)
        #expect(pool.count == 0)
        #expect(error { _ = try pool.checkOut() }?.code == .operationFailed)
    }

    @Test func `closing wakes who waits`() async throws {
        let pool = pool(capacity: 1, timeout: .seconds(60))
        let lent = try pool.checkOut()
        let waiting = Thread.running { error(pool) }
        waiting.waitUntilStarted()
        pool.close()
        // Whether it asked before or after the closing, the answer is the same.
        #expect(waiting.result() == .operationFailed)
        pool.checkIn(lent)
    }

    private func error(_ pool: ReaderPool) -> StoreError.Code? { error { _ = try pool.checkOut() }?.code }

    @Test func `thirty-two threads share three connections and each sees the rows`() throws {
        let pool = pool(capacity: 3, timeout: .seconds(60))
        let threads = (0..<32).map { _ in
            Thread.running {
                (0..<25).allSatisfy { _ in (try? pool.withReader { try $0.countPeople() }) == 10 }
            }
        }
        #expect(threads.allSatisfy { $0.result() })
        #expect(pool.count <= 3)
    }
}

/// A thread that computes one value.
final class Computation<Value: Sendable>: Sendable {
    private let value = Locked<Value?>(nil)
    private let started = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () -> Value) {
        Thread.detachNewThread { [self] in
            started.signal()
            let result = body()
            value.withLock { $0 = result }
            ended.signal()
        }
    }

    func waitUntilStarted() { started.wait() }

    func result() -> Value {
        ended.wait()
        guard let result = value.withLock({ $0 }) else { preconditionFailure("read once, after the end") }
        return result
    }
}

extension Thread {
    static func running<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Computation<Value> {
        Computation(body)
    }
}
