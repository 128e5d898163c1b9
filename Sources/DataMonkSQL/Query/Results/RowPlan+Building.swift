package import DataMonkCore

extension KeyPlan {
    /// Creates the plan for rows of `entities`, which belong to the inheritance tree of `entity`.
    init(_ entities: [Entity], of entity: Entity, schema: StoreSchema) {
        entityColumn = schema.schema(of: entity)?.sharesTable == true ? 1 : nil
        self.entities = entities.compactMap { entity in schema.schema(of: entity).map { ($0.number, entity) } }
    }

    /// Returns `t0.Z_PK, t0.Z_ENT`.
    func selectList(alias: String) -> String {
        entityColumn == nil ? "\(alias).Z_PK" : "\(alias).Z_PK, \(alias).Z_ENT"
    }
}

extension RowPlan {
    /// Creates the plan for rows of `entities`, which belong to the inheritance tree of `entity`.
    ///
    /// - Parameter slots: The properties in the rows, by their slots in `entity`; `nil` for all.
    package init(_ entities: [Entity], of entity: Entity, schema: StoreSchema, slots: SlotSet? = nil) {
        key = KeyPlan(entities, of: entity, schema: schema)
        versionColumn = key.entityColumn == nil ? 1 : 2
        var layout = Layout(next: versionColumn + 1)
        // The fetched entity first, so that its columns have the same positions as without sub-entities.
        layout.add(entity, in: schema, slots: slots)
        // An inherited property has the same slot in every sub-entity. The properties that sub-entities add are in none of
        // `slots`.
        for (_, other) in key.entities { layout.add(other, in: schema, slots: slots) }
        self.entities = key.entities.map { _, entity in
            EntityPlan(entity: entity, columns: entity.properties.compactMap { layout.column($0) })
        }
        names = layout.names
    }

    /// Returns `t0.Z_PK, t0.Z_OPT, t0.ZNAME, …`.
    func selectList(alias: String) -> String {
        names.reduce("\(key.selectList(alias: alias)), \(alias).Z_OPT") { "\($0), \(alias).\($1)" }
    }
}

extension RowPlan {
    /// **Value.** Assigns columns to each property of an inheritance tree, once.
    private struct Layout {
        var next: Int
        var names: [String] = []
        private var placed: [Entity.Property: StoredColumn] = [:]

        init(next: Int) { self.next = next }

        mutating func add(_ entity: Entity, in schema: StoreSchema, slots: SlotSet?) {
            guard let storage = schema.schema(of: entity)?.storage else { return }
            for property in entity.properties
            where placed[property] == nil && slots?.contains(property.slot) ?? true {
                let columns = storage[property.slot].columns
                placed[property] = StoredColumn(property: property, storage: storage[property.slot], position: next)
                names += columns.map(\.identifier)
                next += columns.count
            }
        }

        func column(_ property: Entity.Property) -> StoredColumn? { placed[property] }
    }
}
