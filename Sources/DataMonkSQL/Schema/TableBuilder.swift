package import DataMonkCore

/// **Value.** Lays out the table of one root entity: its columns, their order and their names.
///
/// Columns are ranked by type. Within a rank they are in the order in which Core Data iterates over the entities: from the
/// root down, attributes by name, then to-ones by name. Names are assigned in the final order, so that of two columns with
/// the same name, the later one gets a number.
struct TableBuilder {
    /// The part of a property that a column contains.
    enum Part: Hashable {
        case value(Entity.Attribute)
        case element(Entity.Attribute, Int)
        case key(Entity.Relationship)
        case keyEntity(Entity.Relationship)
        case order(Entity.Relationship)
    }

    private struct Draft {
        let name: String
        let kind: ColumnSchema.Kind
        let rank: Int
        let part: Part
    }

    private static let integerRank = 0
    /// Order keys, and keys without an inverse, come after all other integers.
    private static let lastIntegerRank = 1

    private let numbering: EntityNumbering
    private var drafts: [Draft] = []
    private(set) var columns: [ColumnSchema] = [
        ColumnSchema(name: "Z_PK", kind: .primaryKey), ColumnSchema(name: "Z_ENT", kind: .entity),
        ColumnSchema(name: "Z_OPT", kind: .version),
    ]
    private(set) var columnsByPart: [Part: ColumnSchema] = [:]

    /// Lays out the table of an inheritance tree.
    ///
    /// - Parameters:
    ///   - family: The root entity and all of its sub-entities, in the order of their numbers.
    ///   - visitors: The to-many relationships without an inverse that store their keys in this table.
    init(family: [Entity], visitors: [Entity.Relationship], numbering: EntityNumbering) {
        self.numbering = numbering
        for entity in family {
            for attribute in entity.declaredAttributes { add(attribute) }
            for relationship in entity.declaredRelationships where relationship.isStoredAsKey(in: numbering) {
                addKey(of: relationship)
            }
        }
        for relationship in visitors { addForeignKey(of: relationship) }
        nameColumns()
    }

    private mutating func add(_ attribute: Entity.Attribute) {
        guard attribute.type == .composite else {
            add("Z\(SQLIdentifier.folded(attribute.name))", type: attribute.type, part: .value(attribute))
            return
        }
        for (position, element) in attribute.description.elements.enumerated() {
            add("Z\(SQLIdentifier.folded(element.name))", type: element.type, part: .element(attribute, position))
        }
    }

    private mutating func add(_ name: String, type: AttributeType, part: Part) {
        drafts.append(Draft(name: name, kind: .value(type), rank: type.columnRank, part: part))
    }

    private mutating func addKey(of relationship: Entity.Relationship) {
        let name = SQLIdentifier.folded(relationship.name)
        drafts.append(Draft(name: "Z\(name)", kind: .toOne, rank: Self.integerRank, part: .key(relationship)))
        let destinations = numbering.familyNumbers(of: relationship.destination)
        if destinations.count > 1 {
            drafts.append(
                Draft(
                    name: "Z\(destinations.lowerBound)_\(name)", kind: .toOneEntity, rank: Self.integerRank,
                    part: .keyEntity(relationship)))
        }
        guard let inverse = relationship.inverse, inverse.isToMany, inverse.isOrdered, !inverse.isTransient else {
            return
        }
        drafts.append(Draft(name: "Z_FOK_\(name)", kind: .order, rank: Self.lastIntegerRank, part: .order(inverse)))
    }

    private mutating func addForeignKey(of relationship: Entity.Relationship) {
        let name = "\(numbering.number(of: relationship.entity))\(SQLIdentifier.folded(relationship.name))"
        drafts.append(Draft(name: "Z\(name)", kind: .toOne, rank: Self.lastIntegerRank, part: .key(relationship)))
        guard relationship.isOrdered else { return }
        drafts.append(
            Draft(name: "Z_FOK_\(name)", kind: .order, rank: Self.lastIntegerRank, part: .order(relationship)))
    }

    private mutating func nameColumns() {
        var taken = Set<String>(minimumCapacity: columns.count + drafts.count)
        for column in columns { taken.insert(column.name) }
        columns.reserveCapacity(columns.count + drafts.count)
        columnsByPart.reserveCapacity(drafts.count)
        for place in drafts.indices.sorted(by: { (drafts[$0].rank, $0) < (drafts[$1].rank, $1) }) {
            let draft = drafts[place]
            let column = ColumnSchema(name: Self.numbered(draft.name, taken: &taken), kind: draft.kind)
            columns.append(column)
            columnsByPart[draft.part] = column
        }
    }

    /// Returns the name, or the first of `NAME1`, `NAME2`, … that is not taken.
    static func numbered(_ name: String, taken: inout Set<String>) -> String {
        var result = name
        var number = 0
        while !taken.insert(result).inserted {
            number += 1
            result = "\(name)\(number)"
        }
        return result
    }
}

extension Entity {
    /// The stored attributes that the entity adds to its table, by name. An attribute that is declared again uses the column
    /// of its first declaration.
    package var declaredAttributes: [Attribute] { declaredAttributes { _ in true } }

    /// Returns those of the declared attributes that meet a condition, by name.
    package func declaredAttributes(where isIncluded: (Attribute) -> Bool) -> [Attribute] {
        attributes.filter {
            isIncluded($0) && $0.entity === self && !$0.isTransient && isFirstDeclaration($0.name)
        }.sorted { String.precedesInBytes($0.name, $1.name) }
    }

    /// The stored relationships that the entity adds, by name.
    package var declaredRelationships: [Relationship] {
        relationships.filter { $0.entity === self && !$0.isTransient && isFirstDeclaration($0.name) }
            .sorted { String.precedesInBytes($0.name, $1.name) }
    }

    private func isFirstDeclaration(_ name: String) -> Bool { superentity?.propertiesByName[name] == nil }
}

extension Entity.Relationship {
    /// The inverse, if it is stored.
    package var storedInverse: Entity.Relationship? {
        inverse.flatMap { $0.isTransient ? nil : $0 }
    }

    /// Returns `true` if the relationship is a column of its entity's table.
    func isStoredAsKey(in numbering: EntityNumbering) -> Bool {
        !isToMany && !isTransient && numbering.contains(destination)
    }

    /// Returns `true` if the relationship is a column of the destination's table that belongs to no inverse.
    func isStoredWithoutInverse(in numbering: EntityNumbering) -> Bool {
        isToMany && !isTransient && storedInverse == nil && numbering.contains(destination)
    }
}
