import DataMonkSQLite
public import Foundation

extension Stack {
    /// Reads a store's file with SQL of your own, over one snapshot of it.
    ///
    /// ```swift
    /// let counts = try await stack.read { database in
    ///     try database.rows("SELECT ZNAME, ZAGE FROM ZPERSON WHERE ZAGE > ? ORDER BY ZAGE", 17, as: NameAndAge.self)
    /// }
    /// ```
    /// The body runs off the caller's thread, on one of the store's read connections, and sees everything that was committed
    /// before the call and nothing that is committed during it. Commits go on meanwhile. Unsaved changes are not in the
    /// file, so they are not seen.
    ///
    /// SQLite refuses each statement that would do more than read. The body cannot suspend; a connection is lent for as long
    /// as it runs. Return plain values or ids from it. <doc:SQLAndTextSearch> has more.
    ///
    /// - Parameters:
    ///   - url: The store; `nil` if the stack has only one in a file.
    ///   - deadline: The longest time from the call to its return, for a thread and for the statements. `nil` for no limit.
    ///   - body: Reads the database, which it must not keep.
    /// - Throws: The error of the body, ``SQLError`` of a statement in it among them; ``StoreError`` with the code
    ///   `fileNotFound` if the stack has no such store, `unsupportedRequest` if `url` is `nil` and there are several stores in
    ///   files or none, or if the file cannot be read; ``UpdateError`` if the deadline passes before the body begins;
    ///   ``/DataMonkCore/FetchError`` with the code `deadlinePassed` if it passes later; `CancellationError` if the task is
    ///   cancelled.
    public nonisolated(nonsending) func read<Result: Sendable>(
        storeAt url: URL? = nil, deadline: Duration? = nil, _ body: @Sendable (SQLDatabase) throws -> Result,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Result {
        let call = UpdateCall("read", file: fileID, line: line)
        let store = try databaseStore(at: url, for: "to read with SQL")
        return try await SQLReading().run(call, store, until: deadline.map { .now + $0 }, body: body)
    }
}

/// **Shared.** Runs one read with SQL on a thread of the worker pool.
private actor SQLReading {
    private let executor = PoolExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated(nonsending) func run<Result: Sendable>(
        _ call: UpdateCall, _ store: SQLiteStore, until deadline: ContinuousClock.Instant?,
        body: @Sendable (SQLDatabase) throws -> Result
    ) async throws -> Result {
        // The wait for a thread counts as well.
        let timer = deadline.map { executor.beginDeadline($0) }
        return try await runHere(call, store, until: deadline, timer: timer, body: body)
    }

    private func runHere<Result: Sendable>(
        _ call: UpdateCall, _ store: SQLiteStore, until deadline: ContinuousClock.Instant?, timer: DeadlineTimer?,
        body: @Sendable (SQLDatabase) throws -> Result
    ) throws -> Result {
        if let timer { executor.endDeadline(timer) }
        if let deadline, deadline <= .now { throw UpdateError.deadlinePassed(withoutThread: call) }
        try Task.checkCancellation()
        do {
            return try store.readSQL(until: deadline) { session in
                let database = SQLDatabase(session)
                defer { database.end() }
                return try body(database)
            }
        } catch let problem as SQLProblem {
            // The body's own are translated where they occur: the deadline has passed before it.
            throw try SQLError.error(for: problem, in: "")
        }
    }
}
