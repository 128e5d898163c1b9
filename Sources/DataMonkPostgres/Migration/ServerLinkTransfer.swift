#if Postgres
    import DataMonkCore
    import DataMonkSQL

    /// **Value.** Links that are written anew, because the new version keeps them in another place, or has room for fewer.
    ///
    /// ```
    /// CREATE TABLE _links_1 AS …     the links to keep, before any table is changed: owner, element, and their positions
    /// …                              the new columns or table are created
    /// UPDATE … FROM _links_1         or INSERT
    /// DROP TABLE _links_1
    /// ```
    /// Of several links with room for one, the first in the old order is kept, or the one with the lowest id if there was no
    /// order. The others are counted as discarded.
    struct ServerLinkTransfer {
        private let relationship: Entity.Relationship
        private let sources: [ServerLinkSource]
        private let queries: [String]
        private let table: String

        /// Returns `nil` if the store has no such links.
        init?(of relationship: Entity.Relationship, number: Int, in succession: ServerSuccession) {
            sources = succession.linkSources(of: relationship)
            queries = sources.compactMap(\.query)
            if queries.isEmpty { return nil }
            self.relationship = relationship
            table = succession.old.namespace.qualified("_links_\(number)")
        }

        private var inverse: Entity.Relationship? { relationship.storedInverse }

        private var hasOneOwner: Bool { inverse.map { !$0.isToMany } ?? relationship.isToMany }

        /// A query for all links, each once.
        private var links: String {
            """
            SELECT owner, element, min(rank) AS rank, min(inverse_rank) AS inverse_rank \
            FROM (\(queries.joined(separator: " UNION ALL "))) parts GROUP BY owner, element
            """
        }

        /// A query for the links to keep: `owner_place` is the position of the element among those of the owner.
        private var kept: String {
            var conditions = ["true"]
            if !relationship.isToMany { conditions.append("owner_place = 1") }
            if hasOneOwner { conditions.append("element_place = 1") }
            return """
                SELECT owner, element, owner_place, element_place FROM (SELECT owner, element, \
                row_number() OVER (PARTITION BY owner ORDER BY rank NULLS FIRST, element) AS owner_place, \
                row_number() OVER (PARTITION BY element ORDER BY inverse_rank NULLS FIRST, owner) AS element_place \
                FROM (\(links)) links) placed WHERE \(conditions.joined(separator: " AND "))
                """
        }

        /// The links that are not kept.
        var discard: MigrationScript.Discard {
            let past = sources[0].relationship
            return MigrationScript.Discard(
                subject: .surplusLinks,
                sql: "SELECT (SELECT count(*) FROM (\(links)) a) - (SELECT count(*) FROM (\(kept)) b)",
                entityName: past.entity.name, propertyName: past.name,
                inverse: past.storedInverse.map { ($0.entity.name, $0.name) })
        }

        // MARK: Statements

        var collecting: String { "CREATE TABLE \(table) AS \(kept)" }

        /// Returns the statements that write the links into the new places, and the roots of the tables that they write to.
        func distributing(to new: ServerSchema) -> (statements: [String], roots: [Entity]) {
            var statements: [String] = []
            var roots: [Entity] = []
            let sides = [(relationship, "owner", "element"), inverse.map { ($0, "element", "owner") }].compactMap(
                \.self)
            for (side, own, other) in sides where side !== relationship || own == "owner" {
                guard let place = new.place(of: side.entity) else { continue }
                switch place.storage[side.slot] {
                case .toOne(let key, let entity):
                    let order = side.storedInverse.flatMap { Self.order(of: $0, in: new) }
                    let target = Target(
                        table: place.table.name, key: key, entity: entity, order: order, destination: side.destination)
                    statements.append(update(target, of: own, to: other, in: new))
                    roots.append(side.entity.root)
                case .toMany(let toMany) where !toMany.isStoredByInverse:
                    let target = Target(
                        table: toMany.tableName, key: toMany.owner, entity: nil, order: toMany.order,
                        destination: side.entity)
                    statements.append(update(target, of: other, to: own, in: new))
                    roots.append(side.destination.root)
                default: break
                }
            }
            statements += insertions(into: new)
            return (statements + ["DROP TABLE \(table)"], roots)
        }

        private static func order(of toMany: Entity.Relationship, in new: ServerSchema) -> ServerColumn? {
            guard case .toMany(let storage)? = new.place(of: toMany.entity)?.storage[toMany.slot] else { return nil }
            return storage.order
        }

        /// **Value.** The columns that keys are written to.
        private struct Target {
            let table: String
            let key: ServerColumn
            let entity: ServerColumn?
            let order: ServerColumn?
            /// The entity of the objects whose keys they are.
            let destination: Entity
        }

        /// - Parameters:
        ///   - own: The column of the collected links with the id of the row.
        ///   - other: That with the key to write.
        private func update(_ target: Target, of own: String, to other: String, in new: ServerSchema) -> String {
            var values = ["\(target.key.identifier) = k.\(other)"]
            if let entity = target.entity, let objects = new.place(of: target.destination)?.table.name {
                values.append(
                    """
                    \(entity.identifier) = (SELECT d."_entity" FROM \(new.namespace.qualified(objects)) d \
                    WHERE d."_id" = k.\(other))
                    """)
            }
            // The row's position among those with the same key.
            if let order = target.order {
                values.append("\(order.identifier) = \(Self.position("k.\(other)_place"))")
            }
            return """
                UPDATE \(new.namespace.qualified(target.table)) t SET \(values.joined(separator: ", ")) FROM \(table) k \
                WHERE k.\(own) = t."_id"
                """
        }

        private func insertions(into new: ServerSchema) -> [String] {
            guard let target = new.linkTables.first(where: { $0.relationship === relationship }) else { return [] }
            let name = new.namespace.qualified(target.name)
            func insertion(owner: String, element: String) -> String {
                var columns = [target.owner.identifier, target.element.identifier]
                var values = [owner, element]
                if let order = target.elementOrder {
                    columns.append(order.identifier)
                    values.append(Self.position("\(owner)_place"))
                }
                if let order = target.ownerOrder {
                    columns.append(order.identifier)
                    values.append(Self.position("\(element)_place"))
                }
                return """
                    INSERT INTO \(name) (\(columns.joined(separator: ", "))) SELECT \(values.joined(separator: ", ")) \
                    FROM \(table) ON CONFLICT DO NOTHING
                    """
            }
            let isSymmetric = inverse === relationship
            return [insertion(owner: "owner", element: "element")]
                + (isSymmetric ? [insertion(owner: "element", element: "owner")] : [])
        }

        /// Returns the value of a position's column.
        static func position(_ place: String) -> String {
            let start = LinkWriting.firstOrderKey - LinkWriting.orderKeyStep
            return "\(start) + \(LinkWriting.orderKeyStep) * \(place)"
        }
    }
#endif
