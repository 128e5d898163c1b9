import DataMonkCore

/// **Shared.** Records the SQL that a stack's stores run, so that a test can check the statements and their number.
///
/// ```swift
/// let recorder = StatementRecorder()
/// let stack = try Stack(Person.self, trace: recorder.trace)
/// try stack.addDatabaseStore(fileURL: url)
///
/// let statements = try await recorder.recording {
///     try await Context(stack: stack).update { update in
///         try update.create(Person.self).name = "Monk"
///         try update.commit()
///     }
/// }
/// #expect(statements.count { $0.kind == .insert } == 1)
/// ```
/// A store in a file runs statements; a store in memory has none. One recorder may serve several stacks. The statements are
/// those of every thread: what other tests do with the same stack meanwhile is recorded as well.
public final class StatementRecorder: Sendable {
    /// **Value.** A statement that began to run.
    public struct Statement: Sendable, Hashable {
        /// The connection's label, such as "writer" or "reader".
        package let connection: String
        /// The text, with a question mark for each value.
        public let sql: String
    }

    /// **Value.** The statements, and the number of those before them that were forgotten.
    private struct Record {
        var forgotten = 0
        var statements: [Statement] = []

        var end: Int { forgotten + statements.count }

        /// Returns the statements from a place on that are not forgotten.
        func statements(from start: Int) -> ArraySlice<Statement> { statements.dropFirst(max(0, start - forgotten)) }
    }

    private let recorded = Locked(Record())

    /// Creates a recorder without statements.
    public init() {}

    /// The block that a stack is created with: `Stack(Person.self, trace: recorder.trace)`.
    public var trace: @Sendable (String) -> Void { { self.record($0, by: "store") } }

    /// Records a statement; called by a store's trace.
    package func record(_ sql: String, by connection: String) {
        recorded.withLock { $0.statements.append(Statement(connection: connection, sql: sql)) }
    }

    /// All statements since the recorder was created or last cleared, in the order in which they began.
    public var all: [Statement] { recorded.withLock(\.statements) }

    /// Forgets all statements. A block that is being recorded returns those that come afterwards.
    public func forget() { recorded.withLock { $0 = Record(forgotten: $0.end) } }

    /// Returns the statements that run during a block, in the order in which they began.
    ///
    /// Lists and observers read in turns after a commit: end the block with `waitUntilListsAreCurrent()` to include that.
    public func recording(_ body: () throws -> Void) rethrows -> [Statement] {
        let start = recorded.withLock(\.end)
        try body()
        return Array(recorded.withLock { $0.statements(from: start) })
    }

    /// Returns the statements that run during an asynchronous block, in the order in which they began.
    ///
    ///     let statements = try await recorder.recording { try await World.update { … } }
    public func recording(_ body: () async throws -> Void) async rethrows -> [Statement] {
        let start = recorded.withLock(\.end)
        try await body()
        return Array(recorded.withLock { $0.statements(from: start) })
    }

    /// Returns the statements that run during `body`, in order.
    ///
    /// - Parameter connection: The label of the connection; `nil` for all connections.
    package func statements(by connection: String? = nil, _ body: () throws -> Void) rethrows -> [String] {
        try recording(body).filter { connection == nil || $0.connection == connection }.map(\.sql)
    }

    /// Returns the SELECTs of rows that run during `body`, without those that open a snapshot or read metadata.
    package func queries(_ body: () throws -> Void) rethrows -> [String] {
        try statements(body).filter { $0.hasPrefix("SELECT") && !$0.contains("sqlite_") }
    }
}
