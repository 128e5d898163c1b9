#if Postgres
    import DataMonkCore

    /// **Value.** The columns of statements that read or write whole rows of an entity and its sub-entities.
    ///
    /// ```
    /// column   0     1         2          3 …
    ///          _id   _entity   _version   the entity's own and inherited properties in slot order, then those that its
    ///                                     sub-entities add
    /// ```
    /// To-manys and transient properties have none.
    struct ServerRowPlan: Sendable {
        /// **Value.** The columns of a property in a row.
        struct Field: Sendable {
            enum Kind: Sendable {
                case value(Entity.Attribute)
                /// The elements, one column each.
                case composite(Entity.Attribute)
                /// The primary key of the destination, and its entity's number in the next column if that may be of several.
                case toOne(Entity, hasEntity: Bool)
            }

            let kind: Kind
            let slot: Int
            /// The position of the first column in a row.
            let position: Int
            let columns: [ServerColumn]
        }

        /// **Value.** The fields of one entity's rows.
        struct EntityFields: Sendable {
            let place: ServerEntity
            let layout: EntityLayout
            let fields: [Field]
        }

        /// All columns of a row.
        let columns: [ServerColumn]
        /// The fields by the number of the entity.
        let entities: [Int32: EntityFields]
        /// For each index over values of any length, the positions of these.
        let indexedPositions: [[Int]]
        /// The entities of the store by their numbers: those of all destinations.
        let entitiesByNumber: [Int32: Entity]

        /// Creates the plan for an entity and its sub-entities, without the abstract ones.
        init(_ entity: Entity, in schema: ServerSchema) {
            var columns = ServerColumn.own
            var positions: [String: Int] = [:]
            var entities: [Int32: EntityFields] = [:]
            for member in entity.family {
                guard let place = schema.place(of: member) else { continue }
                var fields: [Field] = []
                for property in member.properties {
                    guard let (kind, own) = Self.kind(of: property, place.storage[property.slot]), let first = own.first
                    else { continue }
                    // An inherited property has the same columns in every sub-entity.
                    if positions[first.name] == nil {
                        positions[first.name] = columns.count
                        columns += own
                    }
                    fields.append(
                        Field(
                            kind: kind, slot: property.slot, position: positions[first.name] ?? 0, columns: own))
                }
                guard !member.isAbstract else { continue }
                entities[place.number] = EntityFields(place: place, layout: EntityLayout(member), fields: fields)
            }
            self.columns = columns
            self.entities = entities
            let table = schema.place(of: entity)?.table.name
            indexedPositions = schema.indexes.filter { $0.tableName == table }.compactMap { index in
                let positions = columns.indices.filter { position in
                    let column = columns[position]
                    return column.isOfAnyLength && index.contains(column.name)
                }
                return positions.isEmpty ? nil : positions
            }
            entitiesByNumber = Dictionary(
                uniqueKeysWithValues: schema.model.entities.compactMap { entity in
                    schema.place(of: entity).map { ($0.number, entity) }
                })
        }

        private static func kind(
            of property: Entity.Property, _ storage: ServerStorage
        ) -> (Field.Kind, [ServerColumn])? {
            switch (property, storage) {
            case (.attribute(let attribute), .value(let column)): (.value(attribute), [column])
            case (.attribute(let attribute), .composite(let columns)): (.composite(attribute), columns)
            case (.relationship(let relationship), .toOne(let key, let entity)):
                (
                    .toOne(relationship.destination, hasEntity: entity != nil),
                    [key] + [entity].compactMap(\.self)
                )
            default: nil
            }
        }

        /// Returns `t0."_id", t0."_entity", t0."name"`.
        func selectList(alias: String) -> String {
            columns.map { "\(alias).\($0.identifier)" }.joined(separator: ", ")
        }
    }
#endif
