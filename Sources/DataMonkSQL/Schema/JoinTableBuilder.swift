import DataMonkCore

/// **Value.** Lays out the tables of many-to-many relationships.
struct JoinTableBuilder {
    private let numbering: EntityNumbering
    /// The columns of join tables as found in a file, by table.
    private let known: [String: [String]]
    /// The column with a relationship's owners, by relationship.
    private var ownerColumns: [Entity.Relationship: String] = [:]
    private var walks: [Entity: [String]] = [:]

    init(numbering: EntityNumbering, known: [String: [String]]) {
        self.numbering = numbering
        self.known = known
        for entity in numbering.entities {
            let candidates = entity.declaredRelationships.filter { isManyToMany($0) }
            guard !candidates.isEmpty else { continue }
            walks[entity] = Self.walk(entity)
            nameOwnerColumns(of: candidates, on: entity)
        }
    }

    /// Returns the tables named after an entity's relationships, ordered by name.
    func tables(of entity: Entity) -> [JoinTableSchema] {
        entity.declaredRelationships.filter { isManyToMany($0) && namesTable($0) }.map(table)
    }

    private func isManyToMany(_ relationship: Entity.Relationship) -> Bool {
        relationship.isToMany && relationship.storedInverse?.isToMany == true
            && numbering.contains(relationship.destination)
    }

    /// Returns `true` if the relationship gives the table its name. The entity with the lower number does; within one
    /// entity, the relationship that the iteration meets first.
    private func namesTable(_ relationship: Entity.Relationship) -> Bool {
        guard let inverse = relationship.inverse, inverse !== relationship else { return true }
        if inverse.entity === relationship.entity {
            let walk = walks[relationship.entity] ?? []
            return walk.first { $0 == relationship.name || $0 == inverse.name } == relationship.name
        }
        return numbering.number(of: relationship.entity) < numbering.number(of: inverse.entity)
    }

    private func table(_ relationship: Entity.Relationship) -> JoinTableSchema {
        let number = numbering.number(of: relationship.entity)
        let source = ownerColumns[relationship] ?? ""
        let isReflexive = relationship.inverse === relationship
        let destination = isReflexive ? "REFLEXIVE" : relationship.inverse.flatMap { ownerColumns[$0] } ?? ""
        let table = JoinTableSchema(
            name: "Z_\(number)\(SQLIdentifier.folded(relationship.name))", relationship: relationship,
            sourceColumn: source, destinationColumn: destination,
            sourceOrderColumn: !isReflexive && relationship.inverse?.isOrdered == true ? Self.orderColumn(source) : nil,
            destinationOrderColumn: relationship.isOrdered ? Self.orderColumn(destination) : nil)
        return known[table.name].map(table.fitting) ?? table
    }

    /// Returns `Z_FOK_1FAVORITES` for `Z_1FAVORITES`, `FOK_REFLEXIVE` for `REFLEXIVE`.
    private static func orderColumn(_ column: String) -> String {
        column.hasPrefix("Z_") ? "Z_FOK_\(column.dropFirst(2))" : "FOK_\(column)"
    }

    private mutating func nameOwnerColumns(of relationships: [Entity.Relationship], on entity: Entity) {
        var taken: Set<String> = []
        let walk = walks[entity] ?? []
        let places = Dictionary(uniqueKeysWithValues: walk.enumerated().map { ($0.element, $0.offset) })
        for relationship in relationships.sorted(by: { places[$0.name] ?? 0 < places[$1.name] ?? 0 }) {
            guard let inverse = relationship.inverse else { continue }
            let name = "Z_\(numbering.number(of: entity))\(SQLIdentifier.folded(inverse.name))"
            ownerColumns[relationship] = TableBuilder.numbered(name, taken: &taken)
        }
    }

    /// Returns all stored properties in the order in which Core Data inserts them into its hash table: attributes, to-ones,
    /// to-manys, each by name.
    private static func walk(_ entity: Entity) -> [String] {
        let attributes = entity.attributes.filter { !$0.isTransient }.map(\.name)
        let toOnes = entity.relationships.filter { !$0.isToMany }.map(\.name)
        let toManys = entity.relationships.filter(\.isToMany).map(\.name)
        return HashTableOrder.walk([attributes, toOnes, toManys].flatMap { $0.sorted(by: String.precedesInBytes) })
    }
}
