import DataMonkCore

/// **Value.** The columns of an old row that contain the key of the object at the other end of a link.
struct KeySource {
    /// The column with the key.
    let column: String
    /// The column with the number of that object's entity; `nil` if it is not stored.
    let entityColumn: String?
    /// The entity of the object, or a superentity of it.
    let target: Entity
    /// The entities, among those of the target, that the object may be of; `nil` for all.
    var owners: [Entity]?

    /// Returns the entities of the target, and those whose objects are kept and may be at the other end.
    private func objects(_ schemas: MigrationSchemas) -> (all: [Entity], kept: [Entity]) {
        let (all, kept) = schemas.objects(of: target)
        return (all, owners ?? kept)
    }

    /// Returns the key, or NULL if its object no longer exists, or has no such relationship any more.
    func key(in schemas: MigrationSchemas) -> ColumnSource {
        let (all, kept) = objects(schemas)
        if kept.isEmpty { return .null }
        if kept.count == all.count { return .column(column) }
        let name = SQLIdentifier.quotedIfNeeded(column)
        let condition: String
        if let entityColumn {
            let numbers = kept.map { String(schemas.oldNumber($0)) }.joined(separator: ", ")
            condition = "\(SQLIdentifier.quotedIfNeeded(entityColumn)) IN (\(numbers))"
        } else {
            condition = schemas.condition(column: name, holdsKeyOf: kept)
        }
        return .computed(SQLText(compiled: "CASE WHEN \(condition) THEN \(name) END"))
    }

    /// Returns the new number of the object's entity.
    func entityNumber(in schemas: MigrationSchemas) -> ColumnSource {
        let (all, kept) = objects(schemas)
        let numbers = kept.compactMap { entity in
            schemas.destination(of: entity).map { (old: schemas.oldNumber(entity), new: $0.number) }
        }
        if let entityColumn {
            let isSame = kept.count == all.count && numbers.allSatisfy { $0.old == $0.new }
            return isSame ? .column(entityColumn) : .renumbered(entityColumn, by: numbers)
        }
        let name = SQLIdentifier.quotedIfNeeded(column)
        if all.count == 1, let only = numbers.first {
            return .computed(SQLText(compiled: "CASE WHEN \(name) IS NOT NULL THEN \(only.new) END"))
        }
        guard let table = schemas.old.schema(of: target)?.table else { return .null }
        let number = ColumnSource.renumbered("Z_ENT", by: numbers).text.text
        return .computed(
            SQLText(
                // Two steps, so that no column of the other table can be mistaken for the one with the key.
                compiled: """
                    (SELECT number FROM (SELECT Z_PK AS key, \(number) AS number \
                    FROM \(schemas.identifier(ofOldTable: table.name))) WHERE key = \(name))
                    """))
    }
}

extension MigrationSchemas {
    /// Returns the columns in which an entity's rows had the key of a to-one relationship.
    ///
    /// - Parameter table: The old table of the rows.
    func keySource(of relationship: Entity.Relationship, in entity: Entity, _ table: TableSchema) -> KeySource? {
        if let past = mapping.source(of: relationship, in: entity) {
            return source(of: entity).flatMap { KeySource($0.storage[past.slot], of: past) }
        }
        // Links from several old relationships are narrowed.
        let pasts = relationship.inverse.map { LinkRows.pasts(of: $0, self) } ?? []
        return pasts.count == 1 ? keySource(towards: pasts[0], table) : nil
    }

    /// Returns the columns in which old rows have the key of the object whose relationship contains them.
    func keySource(towards links: LinkRows, _ table: TableSchema) -> KeySource? {
        let past = links.relationship
        switch oldStorage(of: past) {
        case .toMany(let storage) where storage.tableName == table.name:
            return KeySource(
                column: storage.column.name, entityColumn: storage.entityColumn?.name, target: past.entity,
                owners: links.owners)
        case .toOne:
            guard let back = past.storedInverse, !back.isToMany, old.schema(of: back.entity)?.table.name == table.name
            else { return nil }
            var source = KeySource(oldStorage(of: back), of: back)
            source?.owners = links.owners
            return source
        default:
            return nil
        }
    }
}

extension KeySource {
    fileprivate init?(_ storage: PropertyStorage, of relationship: Entity.Relationship) {
        guard case .toOne(let storage) = storage else { return nil }
        self.init(
            column: storage.column.name, entityColumn: storage.entityColumn?.name, target: relationship.destination)
    }
}
