package import DataMonkCore

/// **Value.** Some objects of an entity with all their values.
package struct RowPage: Sendable {
    /// **Value.** A property, shown in one cell of each row.
    package struct Column: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            case attribute(AttributeType)
            case toOne(destination: String)
            case toMany(destination: String)
        }

        package var name: String
        package var kind: Kind
    }

    /// **Value.** An object's identity in its store.
    package struct Reference: Sendable, Hashable {
        package var entityName: String
        package var primaryKey: Int64
    }

    /// **Value.** The contents of a row in a column.
    package enum Cell: Sendable, Hashable {
        case value(ManagedValue)
        case object(Reference?)
        case objects([Reference])
        /// The reason why the value cannot be read: it is damaged, or its file is missing.
        case unreadable(String)
    }

    package struct Row: Sendable, Hashable {
        package var reference: Reference
        /// The cells, one for each column.
        package var cells: [Cell]
    }

    package var entityName: String
    /// A Boolean value indicating whether rows may be of a sub-entity.
    package var hasSubentities: Bool
    package var columns: [Column]
    package var rows: [Row]
    /// The number of objects before the first row.
    package var offset: Int
    /// The total number of objects.
    package var total: Int

    /// Reads a page, in the order of the primary keys.
    ///
    /// - Complexity: One SELECT for the keys, one for each thousand objects, and one for each to-many of each object.
    init(of entityName: String, in context: ManagedObjectContext, limit: Int, offset: Int) throws {
        let entity = try context.entity(named: entityName)
        let ids = try context.objectIDs(FetchRequest(entityName: entityName))
            .sorted { $0.key.primaryKey < $1.key.primaryKey }
        let part = ids.dropFirst(offset).prefix(limit == 0 ? .max : limit)
        let properties = entity.properties.filter { !$0.isTransient }
        self.entityName = entityName
        hasSubentities = !entity.subentities.isEmpty
        self.offset = offset
        total = ids.count
        columns = properties.map(Column.init)
        rows = try context.objects(with: Array(part)).map { object in
            Row(reference: Reference(object.anyObjectID), cells: properties.map { Cell(readingFrom: $0, of: object) })
        }
    }
}

extension RowPage.Reference {
    init(_ id: AnyObjectID) { self.init(entityName: id.entityName, primaryKey: id.key.primaryKey) }
}

extension RowPage.Column {
    init(_ property: Entity.Property) {
        name = property.name
        switch property {
        case .attribute(let attribute): kind = .attribute(attribute.type)
        case .relationship(let relationship) where relationship.isToMany:
            kind = .toMany(destination: relationship.destination.name)
        case .relationship(let relationship): kind = .toOne(destination: relationship.destination.name)
        }
    }
}

extension RowPage.Cell {
    /// Reads a value. A value that cannot be read does not hide the others.
    init(readingFrom property: Entity.Property, of object: ManagedObject) {
        do {
            try self.init(property, of: object)
        } catch {
            self = .unreadable(StoreInspection.message(of: error))
        }
    }

    private init(_ property: Entity.Property, of object: ManagedObject) throws {
        guard let relationship = property.relationship else {
            self = .value(try object.value(forKey: property.name))
            return
        }
        if relationship.isToMany {
            let references = try object.objects(forKey: property.name).map { RowPage.Reference($0.anyObjectID) }
            self = .objects(
                relationship.isOrdered ? references : references.sorted { $0.primaryKey < $1.primaryKey })
        } else if case .object(let id) = try object.value(forKey: property.name) {
            self = .object(RowPage.Reference(id))
        } else {
            self = .object(nil)
        }
    }
}
