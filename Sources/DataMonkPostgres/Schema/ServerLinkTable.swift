#if Postgres
    import DataMonkCore

    /// **Value.** The table of a many-to-many relationship.
    struct ServerLinkTable: Sendable {
        let name: String
        /// The relationship that the table is named after.
        let relationship: Entity.Relationship
        let primaryKeyName: String
        /// The primary keys of that relationship's owners.
        let owner: ServerColumn
        /// The primary keys of its elements.
        let element: ServerColumn
        /// The owner's position among the elements of the inverse, if that is ordered.
        let ownerOrder: ServerColumn?
        /// The element's position, if the relationship is ordered.
        let elementOrder: ServerColumn?

        /// All columns, in the order of creation.
        var columns: [ServerColumn] { [owner, element] + [ownerOrder, elementOrder].compactMap(\.self) }

        /// The statement that creates the table.
        func createStatement(in namespace: ServerNamespace) -> String {
            var definitions = [owner, element].map { $0.definition + " NOT NULL" }
            definitions += [ownerOrder, elementOrder].compactMap { $0?.definition }
            definitions.append(
                """
                CONSTRAINT \(ServerName.quoted(primaryKeyName)) \
                PRIMARY KEY (\(owner.identifier), \(element.identifier))
                """)
            return "CREATE TABLE \(namespace.qualified(name)) (\(definitions.joined(separator: ", ")))"
        }
    }
#endif
