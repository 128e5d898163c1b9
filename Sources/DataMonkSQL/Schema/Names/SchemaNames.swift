import DataMonkCore

/// **Value.** The names of a file's tables and indexes. SQLite keeps both in one namespace, and ignores the case of ASCII
/// letters there.
///
/// Core Data's rules may give the same name twice. An index then gets a number, like a column; a table does not, so the
/// model is refused.
///
///     Z_Person_UNIQUE_a_b     the constraint a_b
///     Z_Person_UNIQUE_a_b1    the constraint a, b
struct SchemaNames {
    /// The owners of the tables' names, as error messages call them.
    private var owners: [[UInt8]: String] = [:]
    private var taken: Set<[UInt8]>
    private var problems: [ModelError.Problem] = []

    /// The error that prevents creating the tables.
    var error: ModelError? { problems.isEmpty ? nil : ModelError(problems: problems) }

    /// Creates the names of the tables that every store has.
    init() {
        taken = Set(StoreSchema.housekeepingTables.map(Self.folded))
    }

    /// Adds the table of a root entity.
    mutating func addTable(of root: Entity) {
        add(
            TableSchema.name(of: root), owner: "the table of the entity \(root.name)", entityName: root.name,
            propertyName: nil)
    }

    /// Adds the table of a many-to-many relationship.
    mutating func add(_ table: JoinTableSchema) {
        let (entity, name) = (table.relationship.entity.name, table.relationship.name)
        add(table.name, owner: "the table of \(entity).\(name)", entityName: entity, propertyName: name)
    }

    private mutating func add(_ name: String, owner: String, entityName: String, propertyName: String?) {
        let key = Self.folded(name)
        guard !taken.insert(key).inserted else {
            owners[key] = owner
            return
        }
        let other = owners[key] ?? "a table of every store"
        problems.append(
            ModelError.Problem(
                kind: .duplicateName, entityName: entityName, propertyName: propertyName,
                message: """
                    In a file, \(owner) would be named \(name), and so is \(other). Rename the \
                    \(propertyName == nil ? "entity" : "relationship").
                    """))
    }

    /// Returns the indexes of each table with unique names. Of several indexes with one name the first keeps it, so that those
    /// of existing files stay the same; the others get the first number that is free.
    mutating func numbered(_ indexes: [[IndexSchema]]) -> [[IndexSchema]] {
        var indexes = indexes
        var clashes: [(table: Int, index: Int)] = []
        for (table, list) in indexes.enumerated() {
            for (position, index) in list.enumerated() where !taken.insert(Self.folded(index.name)).inserted {
                clashes.append((table, position))
            }
        }
        for (table, position) in clashes {
            let name = indexes[table][position].name
            var number = 1
            while !taken.insert(Self.folded("\(name)\(number)")).inserted { number += 1 }
            indexes[table][position].name = "\(name)\(number)"
        }
        return indexes
    }

    /// Returns a name's bytes with lower-case ASCII letters. SQLite compares bytes, where Swift finds texts equal that differ
    /// in their bytes.
    private static func folded(_ name: String) -> [UInt8] {
        name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}
