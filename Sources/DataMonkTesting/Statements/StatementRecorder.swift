import DataMonkCore

/// **Shared.** Writes down the statements that a store runs, so that a test can say which and how many there are.
///
///     let recorder = StatementRecorder()
///     let statements = try recorder.statements { try context.save() }
///     #expect(statements == ["BEGIN IMMEDIATE", "INSERT INTO …", "COMMIT"])
///
/// Which statements count is up to the test: see ``statements(by:_:)``.
package final class StatementRecorder: Sendable {
    /// **Value.** A statement that began to run.
    package struct Statement: Sendable, Hashable {
        /// The connection's label, such as "writer" or "reader".
        package let connection: String
        package let sql: String
    }

    private let recorded = Locked<[Statement]>([])

    package init() {}

    /// Takes a statement down: what a store's trace calls.
    package func record(_ sql: String, by connection: String) {
        recorded.withLock { $0.append(Statement(connection: connection, sql: sql)) }
    }

    /// Everything since the recorder was made or last forgot.
    package var all: [Statement] { recorded.withLock { $0 } }

    package func forget() { recorded.withLock { $0 = [] } }

    /// The statements that run while `body` does, in order.
    ///
    /// - Parameter connection: whose; all of them if nil.
    package func statements(by connection: String? = nil, _ body: () throws -> Void) rethrows -> [String] {
        let before = recorded.withLock { $0.count }
        try body()
        return recorded.withLock {
            $0[before...].filter { connection == nil || $0.connection == connection }.map(\.sql)
        }
    }

    /// The SELECTs of rows that run while `body` does: not those that open a snapshot or ask for metadata.
    package func queries(_ body: () throws -> Void) rethrows -> [String] {
        try statements(body).filter { $0.hasPrefix("SELECT") && !$0.contains("sqlite_") }
    }
}
