#if Postgres
    import DataMonkCore
    import DataMonkSQL

    /// **Value.** A relationship that must have a destination in each object of an entity, and may lack one after a migration.
    struct ServerMigrationRequirement {
        let entityName: String
        let propertyName: String
        /// Selects the number of objects that lack one, in the new tables.
        let missing: PostgresStatement
        /// The same in the old tables, if the old version required one as well. Those are no fault of the migration.
        let former: PostgresStatement?

        /// Returns the requirements of a new version. Relationships that were required, and whose links stay, are left out.
        static func all(of new: ServerSchema, after succession: ServerSuccession) -> [Self] {
            new.numbering.entities.flatMap { entity -> [Self] in
                guard !entity.isAbstract, let source = succession.source(of: entity) else { return [] }
                return entity.relationships.compactMap { relationship in
                    guard relationship.needsDestination, let missing = missing(relationship, of: entity, in: new) else {
                        return nil
                    }
                    let past = succession.mapping.source(of: relationship, in: entity)
                    var former: PostgresStatement?
                    if let past, past.needsDestination {
                        let declared = entity.firstDeclaration(of: .relationship(relationship)).relationship
                        let isMoved = declared.map { succession.isMoved($0) } ?? true
                        if !isMoved, succession.objects(of: past.destination).gone.isEmpty { return nil }
                        former = Self.missing(past, of: source, in: succession.old)
                    }
                    return Self(
                        entityName: entity.name, propertyName: relationship.name, missing: missing, former: former)
                }
            }
        }

        /// Returns the statement that counts the objects of an entity that have no destination.
        private static func missing(
            _ relationship: Entity.Relationship, of entity: Entity, in schema: ServerSchema
        ) -> PostgresStatement? {
            guard let place = schema.place(of: entity) else { return nil }
            let condition: String
            switch place.storage[relationship.slot] {
            case .toOne(let key, _): condition = "o.\(key.identifier) IS NULL"
            case .toMany(let toMany):
                let table = schema.namespace.qualified(toMany.tableName)
                condition = "NOT EXISTS (SELECT FROM \(table) d WHERE d.\(toMany.owner.identifier) = o.\"_id\")"
            case .links(let links):
                let table = schema.namespace.qualified(links.tableName)
                condition = "NOT EXISTS (SELECT FROM \(table) d WHERE d.\(links.owner.identifier) = o.\"_id\")"
            case .none, .value, .composite: return nil
            }
            return PostgresStatement(
                """
                SELECT count(*) FROM \(schema.namespace.qualified(place.table.name)) o \
                WHERE o."_entity" = \(place.number) AND \(condition)
                """)
        }

        /// Returns the problem of objects without a destination.
        func problem(_ count: Int) -> MigrationError.Problem {
            let objects = count == 1 ? "1 stored object" : "\(count) stored objects"
            let message =
                former == nil
                ? """
                It is required, but would be empty in \(objects). Make it optional, fill it in, and make it required in a \
                later version.
                """
                : """
                It is required, but \(objects) would lose the last destination. Give each another one, or delete it, in the \
                previous version; or make it optional.
                """
            return MigrationError.Problem(
                kind: former == nil ? .missingLinks : .lostLinks, entityName: entityName, propertyName: propertyName,
                count: count, message: message)
        }
    }

    extension ServerSuccession {
        /// Returns `true` if links of a new relationship are written anew.
        fileprivate func isMoved(_ relationship: Entity.Relationship) -> Bool {
            let side = pairs.first { $0 === relationship || $0.storedInverse === relationship }
            return side.map { stayingLinks(of: $0) == nil } ?? true
        }
    }

    extension Entity.Relationship {
        /// A Boolean value indicating whether every object must have a destination. A required to-many without a minimum count may
        /// be empty, as in Core Data.
        fileprivate var needsDestination: Bool { !isOptional && !isTransient && (!isToMany || minCount > 0) }
    }
#endif
