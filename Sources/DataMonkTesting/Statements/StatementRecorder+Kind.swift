extension StatementRecorder {
    /// **Value.** The kind of a statement.
    public enum Kind: Sendable, Hashable {
        /// A `SELECT` of objects, values or links.
        case select
        /// An `INSERT` of an object or a link.
        case insert
        /// An `UPDATE` of an object.
        case update
        /// A `DELETE` of an object or a link.
        case delete
        /// The beginning or the end of a transaction, a savepoint, or work for the store itself: its next primary keys, its
        /// schema, its metadata and its settings.
        case other
    }
}

extension StatementRecorder.Statement {
    /// The kind of the statement, such as `.select` for the fetch of objects.
    ///
    /// Tables that the store keeps for itself do not count as objects: a statement over them is `.other`.
    public var kind: StatementRecorder.Kind {
        let names = sql.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        if names.contains(where: { $0.hasPrefix("sqlite_") || Self.ownTables.contains($0) }) { return .other }
        let verb = sql.prefix { $0.isLetter }.uppercased()
        return switch verb {
        case "SELECT", "WITH": .select
        case "INSERT": .insert
        case "UPDATE": .update
        case "DELETE": .delete
        default: .other
        }
    }

    /// The tables that Core Data's format has besides the objects' own.
    private static let ownTables: Set<Substring> = [
        "Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE", "ATRANSACTION", "ATRANSACTIONSTRING", "ACHANGE",
    ]
}
