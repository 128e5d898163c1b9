import DataMonkCore

/// **Value.** The columns of an old row that contain the key of the object at the other end of a link.
struct KeySource {
    /// The column with the key.
    let column: String
    /// The column with the number of that object's entity; `nil` if it is not stored.
    let entityColumn: String?
    /// The entity of the object, or a superentity of it.
    let target: Entity

    /// Returns the key, or NULL if its object no longer exists.
    func key(in schemas: MigrationSchemas) -> ColumnSource {
        let (all, kept) = schemas.objects(of: target)
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
        let (all, kept) = schemas.objects(of: target)
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
        guard let past = relationship.inverse.flatMap({ self.past(of: $0) }) else { return nil }
        return keySource(towards: past, table)
    }

    /// Returns the columns in which old rows have the key of the object whose relationship contains them.
    func keySource(towards past: Entity.Relationship, _ table: TableSchema) -> KeySource? {
        switch oldStorage(of: past) {
        case .toMany(let storage) where storage.tableName == table.name:
            return KeySource(
                column: storage.column.name, entityColumn: storage.entityColumn?.name, target: past.entity)
        case .toOne:
            guard let back = past.storedInverse, !back.isToMany else { return nil }
            return KeySource(oldStorage(of: back), of: back)
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
