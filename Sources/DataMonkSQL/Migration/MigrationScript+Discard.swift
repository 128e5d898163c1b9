package import DataMonkCore

extension MigrationScript {
    /// **Value.** A query that counts stored data for which the new version has no place.
    package struct Discard: Sendable {
        /// **Value.** The kind of data that is counted.
        package enum Subject: Sendable, Hashable {
            /// The objects of an entity that was removed or became abstract.
            case objects(isAbstractNow: Bool)
            /// Rows in the table of an entity that are of no entity.
            case damagedObjects
            /// The values of an attribute.
            case values
            /// The links of a relationship.
            case links
            /// The links in excess of what a relationship now has room for.
            case surplusLinks
            /// The order of a relationship's links, counted in objects that have several of them.
            case order
        }

        package var subject: Subject
        /// The query, which returns one number.
        package var sql: String
        /// The values of its parameters.
        package var bindings: [SQLBinding] = []
        /// The old name of the entity.
        package var entityName: String
        /// The old name of the property; `nil` for objects.
        package var propertyName: String?
        /// The old names of the relationship's other side.
        package var inverse: (entityName: String, propertyName: String)?
        /// The names by which the data may be discarded, where they are not the old ones: those of the version that the store
        /// was written with, if stages came before.
        package var storedNames: [StoredName] = []
        /// A Boolean value indicating whether a mapping says which links are kept, and so that the others may go.
        package var isChosen = false

        /// Creates the description of data that is counted, by a query.
        package init(
            subject: Subject, sql: String, bindings: [SQLBinding] = [], entityName: String, propertyName: String? = nil,
            inverse: (entityName: String, propertyName: String)? = nil, isChosen: Bool = false
        ) {
            self.subject = subject
            self.sql = sql
            self.bindings = bindings
            self.entityName = entityName
            self.propertyName = propertyName
            self.inverse = inverse
            self.isChosen = isChosen
        }

        /// Returns the problem of discarding this much data or, for an order, the report of its loss.
        package func problem(_ count: Int) -> MigrationError.Problem {
            MigrationError.Problem(
                kind: kind, entityName: names[0].entityName, propertyName: names[0].propertyName, count: count,
                message: subject == .order ? lostOrder(count) : obstacle(count))
        }

        /// Returns the report of having discarded this much data.
        package func loss(_ count: Int) -> MigrationError.Problem {
            var problem = problem(count)
            if subject != .order {
                problem.message = "\(reason), and \(lost(count)) went. Pass discarding: [\(option)] to accept this."
            }
            return problem
        }

        private func obstacle(_ count: Int) -> String {
            "\(reason), so \(lost(count)) would be lost. \(remedy), or pass discarding: [\(option)]."
        }

        private func lostOrder(_ count: Int) -> String {
            let objects = count == 1 ? "1 object" : "\(count) objects"
            return
                """
                It is no longer ordered, so the order in \(objects) will be lost. Pass discarding: [\(option)] to \
                accept this.
                """
        }

        private var kind: MigrationError.Problem.Kind {
            switch subject {
            case .objects: .discardedObjects
            case .damagedObjects: .damagedObjects
            case .values: .discardedValues
            case .links, .surplusLinks: .discardedLinks
            case .order: .discardedOrder
            }
        }

        private var reason: String {
            switch subject {
            case .objects(isAbstractNow: true): "It is abstract now"
            case .damagedObjects: "Its table contains rows that belong to no entity of the previous version"
            case .surplusLinks: "It can hold fewer objects than are linked"
            default: "It is no longer stored"
            }
        }

        private func lost(_ count: Int) -> String {
            let noun =
                switch subject {
                case .objects: "object"
                case .damagedObjects: "row"
                case .values: "value"
                case .links, .surplusLinks: "link"
                case .order: "order"
                }
            return count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
        }

        private var remedy: String {
            switch subject {
            case .objects(isAbstractNow: true): return "Use the previous version to delete its objects"
            case .damagedObjects: return "Use sqlite3 to give these rows the number of an entity (Z_ENT)"
            case .surplusLinks:
                return "Say which links to keep, by .chosen of PropertyMapping, or choose them in the previous version"
            default: break
            }
            return "If it was renamed, give its new name the renaming identifier \(propertyName ?? entityName)"
        }

        /// The names by which the data may be discarded; at least one, and all of them are needed.
        private var names: [StoredName] {
            storedNames.isEmpty ? [StoredName(entityName: entityName, propertyName: propertyName)] : storedNames
        }

        private var option: String {
            names.map { name in
                name.propertyName.map { ".property(\"\(name.entityName)\", \"\($0)\")" }
                    ?? ".entity(\"\(name.entityName)\")"
            }.joined(separator: ", ")
        }
    }
}
