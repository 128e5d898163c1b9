#if Postgres
    import DataMonkCore
    import DataMonkSQL

    extension ServerLayout {
        /// Adds an index for each attribute that is marked as indexed, then the named ones.
        mutating func addFetchIndexes(of entity: Entity) {
            for attribute in entity.declaredAttributes
            where attribute.description.isIndexed
                && !entity.description.uniquenessConstraints.contains([attribute.name])
            {
                addFetchIndex(
                    attribute.name, over: [FetchIndexElementDescription(.property(attribute.name))], of: entity)
            }
            for index in entity.description.indexes where index.partialIndexPredicateFormat == nil {
                addFetchIndex(index.name, over: index.elements, of: entity)
            }
        }

        /// Adds a named index. Those over anything but columns are left out, and so are partial ones: they only affect speed.
        private mutating func addFetchIndex(
            _ name: String, over elements: [FetchIndexElementDescription], of entity: Entity
        ) {
            var columns: [String] = []
            for element in elements {
                guard element.collationType == .binary, let property = element.propertyName,
                    let column = column(ofProperty: property, of: entity)
                else { return }
                columns.append(column.identifier + (element.isAscending ? "" : " DESC"))
            }
            if columns.isEmpty { return }
            let table = tableName(of: entity)
            addIndex(
                ServerNames.Subject(kind: .fetchIndex, entity: entity.name, property: name), of: table,
                like: "\(table)_\(ServerName.snakeCase(name))_index", over: columns)
        }

        /// Adds an index for each combination of unique values. They are unique among the objects of the entity that all of
        /// the properties belong to, which may be above the one that says so.
        mutating func addUniqueIndexes(of entity: Entity) {
            for constraint in entity.description.uniquenessConstraints {
                let properties = constraint.compactMap { entity.propertiesByName[$0].map(entity.firstDeclaration) }
                let columns = constraint.compactMap { column(ofProperty: $0, of: entity) }
                guard columns.count == constraint.count else { continue }
                let owners = properties.map { $0.attribute?.entity ?? $0.relationship?.entity ?? entity }
                let owner = owners.max { $0.ancestors.count < $1.ancestors.count } ?? entity
                let subject = ServerNames.Subject(
                    kind: .uniqueIndex, entity: owner.name, property: constraint.joined(separator: ","))
                let table = tableName(of: entity)
                addIndex(
                    subject, of: table, like: "\(table)_\(columns.map(\.name).joined(separator: "_"))_unique",
                    over: columns.map(\.identifier), entityNumbers: owner.superentity == nil ? nil : numbers(of: owner))
            }
        }

        /// Returns the numbers of an entity and its sub-entities.
        func numbers(of entity: Entity) -> [Int32] { entity.family.compactMap { numbers[$0.name] }.sorted() }

        private func column(ofProperty name: String, of entity: Entity) -> ServerColumn? {
            switch entity.propertiesByName[name].map({ entity.firstDeclaration(of: $0) }) {
            // Large values do not fit into an index.
            case .attribute(let attribute) where attribute.description.allowsExternalBinaryDataStorage: nil
            case .attribute(let attribute): columnsByPart[.value(attribute)]
            case .relationship(let relationship) where !relationship.isToMany: columnsByPart[.key(relationship)]
            case .relationship, nil: nil
            }
        }
    }
#endif
