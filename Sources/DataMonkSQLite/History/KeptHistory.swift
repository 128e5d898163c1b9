import DataMonkCore
import DataMonkSQL

/// **Value.** A writer's knowledge of the history that it keeps.
///
///     absent --commits of others--> unknown --look--> absent, kept, ignored
enum KeptHistory {
    /// The file has none.
    case absent
    /// The file had none, and others have committed since. They may have begun one.
    case unknown
    case kept(schema: HistorySchema, tables: HistoryTables)
    /// Nothing is recorded, whatever the file has: in a migration, which discards the history, and after an error was reported
    /// for a history that nobody asked for.
    case ignored

    mutating func noteForeignCommits() {
        if case .absent = self { self = .unknown }
    }
}

extension SQLiteStore {
    /// Returns the history to keep; `nil` for none. One that others have begun while the store was open is kept from now on:
    /// its readers would miss what is written here.
    ///
    /// Called at the beginning of a write transaction. Looks at the file only if others have committed.
    func history(keptBy writer: SQLiteWriter) throws -> (schema: HistorySchema, tables: HistoryTables)? {
        switch writer.history {
        case .absent, .ignored: return nil
        case .kept(let schema, let tables): return (schema: schema, tables: tables)
        case .unknown: return try findHistory(for: writer)
        }
    }

    private func findHistory(
        for writer: SQLiteWriter
    ) throws -> (schema: HistorySchema, tables: HistoryTables)? {
        do {
            guard try HistoryTables(on: writer.connection, at: fileURL) != nil else {
                writer.history = .absent
                return nil
            }
            let schema = HistorySchema(plans.schema)
            if let tables = try HistoryTables.known(for: schema, on: writer.connection, at: fileURL) {
                writer.history = .kept(schema: schema, tables: tables)
                return (schema: schema, tables: tables)
            }
            // The next transaction looks again, because this one may be rolled back together with what it adds.
            let tables = try HistoryTables.ensure(for: schema, on: writer.connection, at: fileURL)
            return (schema: schema, tables: tables)
        } catch let error as StoreError where error.code == .corrupt {
            writer.history = .ignored
            directory.report(error)
            return nil
        }
    }
}
