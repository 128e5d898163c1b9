import DataMonkCore

/// **Shared.** Records the statements that a store runs, so that a test can check them and their number.
///
///     let recorder = StatementRecorder()
///     let statements = try recorder.statements { try context.save() }
///     #expect(statements == ["BEGIN IMMEDIATE", "INSERT INTO …", "COMMIT"])
/// The test decides which statements count; see ``statements(by:_:)``.
package final class StatementRecorder: Sendable {
    /// **Value.** A statement that began to run.
    package struct Statement: Sendable, Hashable {
        /// The connection's label, such as "writer" or "reader".
        package let connection: String
        package let sql: String
    }

    private let recorded = Locked<[Statement]>([])

    package init() {}

    /// Records a statement; called by a store's trace.
    package func record(_ sql: String, by connection: String) {
        recorded.withLock { $0.append(Statement(connection: connection, sql: sql)) }
    }

    /// All statements since the recorder was created or last cleared.
    package var all: [Statement] { recorded.withLock { $0 } }

    package func forget() { recorded.withLock { $0 = [] } }

    /// Returns the statements that run during `body`, in order.
    ///
    /// - Parameter connection: The label of the connection; `nil` for all connections.
    package func statements(by connection: String? = nil, _ body: () throws -> Void) rethrows -> [String] {
        let before = recorded.withLock { $0.count }
        try body()
        return recorded.withLock {
            $0[before...].filter { connection == nil || $0.connection == connection }.map(\.sql)
        }
    }

    /// Returns the SELECTs of rows that run during `body`, without those that open a snapshot or read metadata.
    package func queries(_ body: () throws -> Void) rethrows -> [String] {
        try statements(body).filter { $0.hasPrefix("SELECT") && !$0.contains("sqlite_") }
    }
}
