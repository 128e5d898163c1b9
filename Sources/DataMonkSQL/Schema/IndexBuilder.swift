import DataMonkCore
import Foundation

/// **Value.** Builds the list of an entity table's indexes. Their names may not be unique yet: see `SchemaNames`.
struct IndexBuilder {
    let tableName: String
    let columns: TableBuilder
    private(set) var indexes: [IndexSchema] = []
    private var added: Set<IndexSchema> = []

    /// Builds the indexes of a table.
    ///
    /// - Parameters:
    ///   - family: The root entity and all of its sub-entities, in the order of their numbers.
    ///   - joinTables: The tables whose indexes are created together with this table's.
    init(tableName: String, columns: TableBuilder, family: [Entity], joinTables: [JoinTableSchema]) {
        self.tableName = tableName
        self.columns = columns
        for column in columns.columns where column.kind == .toOne {
            add("\(tableName)_\(column.name)_INDEX", over: [column.identifier])
        }
        if family.count > 1 { add("\(tableName)_Z_ENT_INDEX", over: ["Z_ENT"]) }
        indexes += joinTables.map(\.index)
        for entity in family { addFetchIndexes(of: entity) }
        for entity in family { addUniqueIndexes(of: entity) }
    }

    /// Adds an index for each attribute marked as indexed, then the named ones.
    ///
    /// An index over exactly one to-one is not created, because the key's own index serves it. Neither is one for the mark
    /// that SwiftData sets on an attribute with unique values: the constraint's index serves it.
    private mutating func addFetchIndexes(of entity: Entity) {
        for attribute in entity.declaredAttributes(where: { $0.description.isIndexed })
        where !entity.description.uniquenessConstraints.contains([attribute.name]) {
            addFetchIndex(attribute.name, over: [FetchIndexElementDescription(.property(attribute.name))], of: entity)
        }
        for index in entity.description.indexes {
            let only = index.elements.count == 1 ? index.elements[0].propertyName : nil
            if let only, entity.relationship(named: only) != nil { continue }
            addFetchIndex(index.name, over: index.elements, where: index.partialIndexPredicateFormat, of: entity)
        }
    }

    /// Adds a named index. R-trees, and indexes over anything but properties, are left out: they only affect speed, no known
    /// store shows their form, and a function of ours in an index would prevent Core Data from writing.
    private mutating func addFetchIndex(
        _ name: String, over elements: [FetchIndexElementDescription], where format: String? = nil, of entity: Entity
    ) {
        var keys: [String] = []
        for element in elements {
            guard element.collationType == .binary, let property = element.name,
                let column = column(ofProperty: property, of: entity)
            else { return }
            keys.append("\(column.identifier) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")")
        }
        let builder = self
        let condition = format.flatMap { format in
            SchemaCondition(entity: entity) { builder.column(ofProperty: $0, of: entity)?.identifier }.sql(format)
        }
        add("Z_\(entity.name)_\(name)", over: keys, condition: condition)
    }

    private mutating func addUniqueIndexes(of entity: Entity) {
        for constraint in entity.description.uniquenessConstraints {
            let keys = constraint.compactMap { column(ofProperty: $0, of: entity) }
            guard keys.count == constraint.count else { continue }
            add(
                "Z_\(entity.name)_UNIQUE_\(constraint.joined(separator: "_"))",
                over: keys.map { "\($0.identifier) COLLATE BINARY ASC" },
                constraint: IndexSchema.Constraint(entityName: entity.name, properties: constraint))
        }
    }

    private func column(ofProperty name: String, of entity: Entity) -> ColumnSchema? {
        switch entity.propertiesByName[name].map({ entity.firstDeclaration(of: $0) }) {
        case .attribute(let attribute): columns.columnsByPart[.value(attribute)]
        case .relationship(let relationship) where !relationship.isToMany:
            columns.columnsByPart[.key(relationship)]
        case .relationship, nil: nil
        }
    }

    private mutating func add(
        _ name: String, over keys: [String], constraint: IndexSchema.Constraint? = nil, condition: String? = nil
    ) {
        let index = IndexSchema(
            name: name, tableName: tableName, constraint: constraint, columns: keys, condition: condition)
        // An attribute may be marked as indexed, and have an index of its name besides.
        if added.insert(index).inserted { indexes.append(index) }
    }
}

extension FetchIndexElementDescription {
    /// The property that the element sorts by. An expression may consist of just a property's name.
    fileprivate var name: String? {
        switch subject {
        case .property(let name): name
        case .expression(let text): text.trimmingCharacters(in: .whitespaces)
        }
    }
}
