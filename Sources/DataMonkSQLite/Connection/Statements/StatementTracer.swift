import CSQLite

/// **Confined.** Reports each statement that begins to run to a ``StatementTrace``.
final class StatementTracer {
    private let trace: StatementTrace
    private let label: String

    init(trace: StatementTrace, label: String) {
        self.trace = trace
        self.label = label
    }

    /// Installs the tracer, which must outlive `database`.
    func install(on database: OpaquePointer) {
        sqlite3_trace_v2(
            database, UInt32(SQLITE_TRACE_STMT),
            { _, tracer, statement, text in
                guard let tracer, let statement, let text else { return 0 }
                Unmanaged<StatementTracer>.fromOpaque(tracer).takeUnretainedValue()
                    .report(OpaquePointer(statement), text: text.assumingMemoryBound(to: CChar.self))
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Reports a statement. `text` is its SQL, or a comment line for each statement of a trigger.
    private func report(_ statement: OpaquePointer, text: UnsafePointer<CChar>) {
        var sql = String(cString: text)
        if case .shown = trace.values, !sql.hasPrefix("--"), let expanded = sqlite3_expanded_sql(statement) {
            sql = String(cString: expanded)
            sqlite3_free(expanded)
        }
        trace.report(StatementTrace.Event(connection: label, sql: sql))
    }
}
