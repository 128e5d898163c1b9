#if Postgres
    import DataMonkCore
    import DataMonkSQL

    /// **Value.** The data that a migration would discard, as queries that count it before anything is changed.
    ///
    /// There are three kinds: objects of entities that were removed or became abstract; values of attributes without a
    /// successor, in objects that are kept, other than the default; links without a successor at either end, between objects
    /// that are kept.
    struct ServerMigrationDiscards {
        private(set) var discards: [ServerMigration.Discard] = []
        private let succession: ServerSuccession
        private var old: ServerSchema { succession.old }

        init(after succession: ServerSuccession, moving transfers: [ServerLinkTransfer]) throws {
            self.succession = succession
            addObjects()
            try addValues()
            addLinks()
            for transfer in transfers { add(transfer.discard) }
        }

        private mutating func add(_ discard: MigrationScript.Discard) {
            discards.append(
                ServerMigration.Discard(description: discard, statement: PostgresStatement(discard.sql)))
        }

        // MARK: Objects

        private mutating func addObjects() {
            for entity in old.numbering.entities where !entity.isAbstract && !succession.keepsObjects(of: entity) {
                guard let number = old.numbers[entity.name] else { continue }
                add(
                    MigrationScript.Discard(
                        subject: .objects(isAbstractNow: succession.mapping.destination(of: entity) != nil),
                        sql: "SELECT count(*) FROM \(succession.table(of: entity)) WHERE \"_entity\" = \(number)",
                        entityName: entity.name))
            }
        }

        // MARK: Values

        private mutating func addValues() throws {
            var seen: Set<[String]> = []
            for entity in old.numbering.entities where succession.keepsObjects(of: entity) {
                for attribute in entity.attributes {
                    let declared = entity.firstDeclaration(of: .attribute(attribute)).attribute ?? attribute
                    for (name, _, column) in lostColumns(of: attribute, in: entity)
                    where seen.insert([declared.entity.name, name]).inserted {
                        try addValues(of: declared, named: name, in: column)
                    }
                }
            }
        }

        /// Returns the columns of an attribute, or of elements of it, that have no successor in the entity.
        private func lostColumns(
            of attribute: Entity.Attribute, in entity: Entity
        ) -> [(name: String, description: AttributeDescription, column: ServerColumn)] {
            let successor = successor(of: attribute.slot, in: entity)?.attribute
            switch old.place(of: entity)?.storage[attribute.slot] {
            case .value(let column)? where successor == nil: return [(attribute.name, attribute.description, column)]
            case .composite(let columns)?:
                let staying = Set(successor?.elements.map(\.name) ?? [])
                return zip(attribute.elements, columns).filter { !staying.contains($0.0.name) }
                    .map { ("\(attribute.name).\($0.0.name)", $0.0.description, $0.1) }
            default: return []
            }
        }

        private mutating func addValues(
            of declared: Entity.Attribute, named name: String, in column: ServerColumn
        ) throws {
            // Sub-entities may declare defaults of their own.
            var losers: [ManagedValue: [Entity]] = [:]
            for entity in declared.entity.family where succession.keepsObjects(of: entity) {
                guard let own = entity.attribute(named: declared.name) else { continue }
                for lost in lostColumns(of: own, in: entity) where lost.column == column {
                    losers[lost.description.defaultValue, default: []].append(entity)
                }
            }
            var parameters = PostgresParameters()
            let conditions = try losers.enumerated().map { place, losers in
                let condition = "\"_entity\" IN (\(succession.list(losers.value))) AND \(column.identifier)"
                if losers.key.isNull { return "\(condition) IS NOT NULL" }
                try column.append(losers.key, to: &parameters)
                return "\(condition) <> ($\(parameters.count))[1]"
            }
            let table = succession.table(of: declared.entity)
            let sql = "SELECT count(*) FROM \(table) WHERE \(conditions.joined(separator: " OR "))"
            discards.append(
                ServerMigration.Discard(
                    description: MigrationScript.Discard(
                        subject: .values, sql: sql, entityName: declared.entity.name, propertyName: name),
                    statement: PostgresStatement(sql, parameters)))
        }

        /// Returns the property that a property of an old entity's objects becomes.
        private func successor(of slot: Int, in entity: Entity) -> Entity.Property? {
            guard let new = succession.mapping.destination(of: entity) else { return nil }
            return new.properties.first {
                !$0.isTransient && succession.mapping.source(of: $0, in: new)?.slot == slot
            }
        }

        // MARK: Links

        private mutating func addLinks() {
            var seen: Set<Entity.Relationship> = []
            for relationship in old.numbering.entities.flatMap(\.declaredRelationships)
            where seen.insert(relationship).inserted {
                let inverse = relationship.storedInverse
                if let inverse { seen.insert(inverse) }
                addOrder(of: relationship)
                if let inverse, inverse !== relationship { addOrder(of: inverse) }
                var source = ServerLinkSource(relationship, isReversed: false, in: succession)
                source.owners = losers(of: relationship)
                let elements = inverse.map(losers) ?? Set(succession.objects(of: relationship.destination).kept)
                guard !source.owners.isEmpty, !elements.isEmpty, let query = source.query(onlyTo: elements) else {
                    continue
                }
                add(
                    MigrationScript.Discard(
                        subject: .links, sql: "SELECT count(*) FROM (\(query)) links",
                        entityName: relationship.entity.name, propertyName: relationship.name,
                        inverse: inverse.map { ($0.entity.name, $0.name) }))
            }
        }

        /// Adds an order that is lost: that of links which stay, by either of their ends, and lead to a to-many that is
        /// unordered, or to none.
        private mutating func addOrder(of relationship: Entity.Relationship) {
            guard relationship.isOrdered, relationship.isToMany else { return }
            let elements = Set(succession.objects(of: relationship.destination).kept)
            let owners = succession.objects(of: relationship.entity).kept.filter { owner in
                let now = successor(of: relationship.slot, in: owner)?.relationship
                return now.map { $0.isToMany && !$0.isOrdered } ?? false
            }
            addOrder(of: relationship, from: Set(owners), to: elements)
            guard let inverse = relationship.storedInverse else { return }
            let unordered = elements.filter { element in
                guard let now = successor(of: inverse.slot, in: element)?.relationship else { return false }
                return now.storedInverse.map { $0.isToMany && !$0.isOrdered } ?? true
            }
            addOrder(of: relationship, from: losers(of: relationship), to: unordered)
        }

        private mutating func addOrder(
            of relationship: Entity.Relationship, from owners: Set<Entity>, to elements: Set<Entity>
        ) {
            var source = ServerLinkSource(relationship, isReversed: false, in: succession)
            source.owners = owners
            guard let query = source.query(onlyTo: elements) else { return }
            add(
                MigrationScript.Discard(
                    subject: .order,
                    sql: """
                        SELECT count(*) FROM (SELECT FROM (\(query)) links GROUP BY owner HAVING count(*) > 1) owners
                        """,
                    entityName: relationship.entity.name, propertyName: relationship.name))
        }

        /// Returns the old entities whose objects are kept without the relationship.
        private func losers(of relationship: Entity.Relationship) -> Set<Entity> {
            Set(
                succession.objects(of: relationship.entity).kept.filter {
                    successor(of: relationship.slot, in: $0)?.relationship == nil
                })
        }
    }
#endif
