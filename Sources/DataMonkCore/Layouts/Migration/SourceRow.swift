/// **Value.** The values of one object before a migration, as closures of a mapping get them.
///
/// See ``PropertyMapping/computed(_:from:_:)``.
public struct SourceRow: Sendable {
    /// The name of the entity before the migration.
    public let entityName: String
    /// The object's key, unique within its inheritance tree. It is the same after the migration.
    public let primaryKey: Int64

    private let values: [String: ManagedValue]

    package init(entityName: String, primaryKey: Int64, values: [String: ManagedValue]) {
        self.entityName = entityName
        self.primaryKey = primaryKey
        self.values = values
    }

    /// Returns the stored value of an attribute.
    ///
    /// - Parameter name: One of the names that the mapping reads (`from:`).
    /// - Throws: ``MigrationError`` with the code `invalidMapping` for another name.
    public func value(forKey name: String) throws -> ManagedValue {
        if let value = values[name] { return value }
        let known = values.keys.sorted().joined(separator: ", ")
        throw MigrationError(
            .invalidMapping,
            """
            A mapping reads "\(name)" of \(entityName), which it does not list (\(known.isEmpty ? "nothing" : known)). \
            Add the name to its parameter from.
            """)
    }
}
