package import DataMonkCore

extension KeyPlan {
    /// The plan for rows of `entities`, which are of the family of `entity`'s root.
    init(_ entities: [Entity], of entity: Entity, schema: StoreSchema) {
        entityColumn = entity.root.subentities.isEmpty ? nil : 1
        self.entities = entities.map { (schema.entityNumber(of: $0), $0) }
    }

    /// `t0.Z_PK, t0.Z_ENT`
    func selectList(alias: String) -> String {
        entityColumn == nil ? "\(alias).Z_PK" : "\(alias).Z_PK, \(alias).Z_ENT"
    }
}

extension RowPlan {
    /// The plan for rows of `entities`, which are of the family of `entity`'s root.
    package init(_ entities: [Entity], of entity: Entity, schema: StoreSchema) {
        key = KeyPlan(entities, of: entity, schema: schema)
        versionColumn = key.entityColumn == nil ? 1 : 2
        var layout = Layout(next: versionColumn + 1)
        // First the fetched entity, so that its columns stand where they stand without sub-entities.
        layout.add(entity, schema)
        for other in entities { layout.add(other, schema) }
        self.entities = entities.map { entity in
            EntityPlan(entity: entity, columns: entity.properties.compactMap { layout.column($0) })
        }
        names = layout.names
    }

    /// `t0.Z_PK, t0.Z_OPT, t0.ZNAME, …`
    package func selectList(alias: String, schema: StoreSchema) -> String {
        var list = "\(key.selectList(alias: alias)), \(alias).Z_OPT"
        for name in names { list += ", \(alias).\(name)" }
        return list
    }
}

extension RowPlan {
    /// **Value.** Gives each property of a family its columns, once.
    private struct Layout {
        var next: Int
        var names: [String] = []
        private var placed: [Entity.Property: (position: Int, kind: RowColumn.Kind)] = [:]

        init(next: Int) { self.next = next }

        mutating func add(_ entity: Entity, _ schema: StoreSchema) {
            for property in entity.properties where placed[property] == nil {
                switch property {
                case .attribute(let attribute):
                    guard let column = schema.column(of: attribute) else { continue }
                    placed[property] = (next, RowColumn.Kind(attribute))
                    names.append(column)
                    next += 1
                case .relationship(let relationship):
                    guard !relationship.isToMany, let columns = schema.toOneColumns(of: relationship) else { continue }
                    let entityColumn = columns.entity == nil ? nil : next + 1
                    placed[property] = (next, .toOne(relationship.destination, entityColumn: entityColumn))
                    names.append(columns.key)
                    if let entity = columns.entity { names.append(entity) }
                    next += columns.entity == nil ? 1 : 2
                }
            }
        }

        func column(_ property: Entity.Property) -> RowColumn? {
            placed[property].map { RowColumn(slot: property.slot, position: $0.position, kind: $0.kind) }
        }
    }
}
