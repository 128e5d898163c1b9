#if Postgres
    import DataMonkCore
    import DataMonkSQL

    /// **Value.** Lays out the tables of a model: columns and link tables first, because a property may be in any of them,
    /// then indexes and references.
    struct ServerLayout {
        /// **Value.** The part of a property that a column contains.
        enum Part: Hashable {
            case value(Entity.Attribute)
            case element(Entity.Attribute, Int)
            case key(Entity.Relationship)
            case keyEntity(Entity.Relationship)
            case order(Entity.Relationship)
        }

        /// The entities of the store, each root followed by its sub-entities.
        let numbering: EntityNumbering
        /// The numbers of entities, by name.
        let numbers: [String: Int32]
        var names: ServerNames

        private(set) var tables: [ServerTable] = []
        private(set) var linkTables: [ServerLinkTable] = []
        private(set) var indexes: [ServerIndex] = []
        private(set) var foreignKeys: [ServerForeignKey] = []
        private(set) var columnsByPart: [Part: ServerColumn] = [:]
        private var tableNames: [Entity: String] = [:]

        init(numbering: EntityNumbering, numbers: [String: Int32], names: ServerNames) {
            self.numbering = numbering
            self.numbers = numbers
            self.names = names
        }

        private var roots: [Entity] { numbering.entities.filter { $0.superentity == nil } }

        func family(of root: Entity) -> [Entity] { numbering.entities.filter { $0.root === root } }

        mutating func build() {
            for root in roots {
                let subject = ServerNames.Subject(kind: .table, entity: root.name)
                tableNames[root] = names.name(of: subject, like: ServerName.snakeCase(root.name))
            }
            for root in roots { addTable(of: root) }
            for entity in numbering.entities {
                for relationship in entity.declaredRelationships where namesLinkTable(relationship) {
                    addLinkTable(of: relationship)
                }
            }
            for table in tables {
                for entity in family(of: table.root) {
                    addFetchIndexes(of: entity)
                    addUniqueIndexes(of: entity)
                }
            }
        }

        /// The name of the table of an entity's objects.
        func tableName(of entity: Entity) -> String { tableNames[entity.root] ?? "" }

        // MARK: Tables of entities

        private mutating func addTable(of root: Entity) {
            let name = tableName(of: root)
            var columns = ServerColumn.own
            for entity in family(of: root) {
                for attribute in entity.declaredAttributes { columns += add(attribute, to: name) }
                for relationship in entity.declaredRelationships where isStoredAsKey(relationship) {
                    columns += addKey(of: relationship, to: name)
                }
            }
            for relationship in numbering.entities.flatMap(\.declaredRelationships)
            where relationship.destination.root === root && isStoredWithoutInverse(relationship) {
                columns += addKey(of: relationship, to: name)
            }
            tables.append(
                ServerTable(
                    name: name, root: root, columns: columns,
                    sequenceName: names.name(
                        of: ServerNames.Subject(kind: .sequence, entity: root.name), like: "\(name)_id"),
                    primaryKeyName: names.name(
                        of: ServerNames.Subject(kind: .primaryKey, entity: root.name), like: "\(name)_key")))
        }

        private mutating func add(_ attribute: Entity.Attribute, to table: String) -> [ServerColumn] {
            guard attribute.type == .composite else {
                return [
                    column(
                        .value(attribute), .value(attribute.type), attribute.entity, property: attribute.name, in: table
                    )
                ]
            }
            return attribute.elements.enumerated().map { position, element in
                column(
                    .element(attribute, position), .value(element.type), attribute.entity, property: element.keyPath,
                    in: table)
            }
        }

        private mutating func addKey(of relationship: Entity.Relationship, to table: String) -> [ServerColumn] {
            let (entity, property) = (relationship.entity, relationship.name)
            // Of a to-many without an inverse, the column is among the destination's, and is named after both.
            let prefix = relationship.isToMany ? entity.name + "_" : ""
            var columns = [column(.key(relationship), .key, entity, property: property, prefix: prefix, in: table)]
            if !relationship.isToMany, numbering.familyNumbers(of: relationship.destination).count > 1 {
                columns.append(column(.keyEntity(relationship), .keyEntity, entity, property: property, in: table))
            }
            let toMany = relationship.isToMany ? relationship : relationship.storedInverse
            var indexed = [columns[0]]
            if let toMany, toMany.isToMany, toMany.isOrdered {
                let order = column(.order(toMany), .order, entity, property: property, prefix: prefix, in: table)
                columns.append(order)
                indexed.append(order)
            }
            addIndex(
                ServerNames.Subject(kind: .keyIndex, entity: entity.name, property: property), of: table,
                like: "\(table)_\(columns[0].name)_index", over: indexed.map(\.identifier))
            if !relationship.isToMany, isChecked(relationship) {
                foreignKeys.append(
                    ServerForeignKey(
                        tableName: table, column: columns[0], destinationName: tableName(of: relationship.destination)))
            }
            return columns
        }

        /// Names a column, and notes it as the place of a part.
        private mutating func column(
            _ part: Part, _ kind: ServerColumn.Kind, _ entity: Entity, property: String, prefix: String = "",
            in table: String
        ) -> ServerColumn {
            let (subjectKind, suffix): (ServerNames.Subject.Kind, String) =
                switch kind {
                case .keyEntity: (.entityColumn, "_entity")
                case .order: (.orderColumn, "_order")
                default: (.column, "")
                }
            let subject = ServerNames.Subject(kind: subjectKind, entity: entity.name, property: property)
            let proposal = ServerName.snakeCase(prefix + property.replacing(".", with: "_")) + suffix
            let column = ServerColumn(name: names.name(of: subject, in: table, like: proposal), kind: kind)
            columnsByPart[part] = column
            return column
        }

        // MARK: Link tables

        /// A Boolean value indicating whether a link table is named after this side of the relationship: the first one in the
        /// order of entities, then of names.
        func namesLinkTable(_ relationship: Entity.Relationship) -> Bool {
            guard relationship.isToMany, let inverse = relationship.storedInverse, inverse.isToMany,
                numbering.contains(relationship.destination)
            else { return false }
            if inverse === relationship { return true }
            if inverse.entity === relationship.entity { return String.precedesInBytes(relationship.name, inverse.name) }
            return numbering.number(of: relationship.entity) < numbering.number(of: inverse.entity)
        }

        private mutating func addLinkTable(of relationship: Entity.Relationship) {
            let entity = relationship.entity
            func subject(_ kind: ServerNames.Subject.Kind, _ property: String? = nil) -> ServerNames.Subject {
                ServerNames.Subject(kind: kind, entity: entity.name, property: property ?? relationship.name)
            }
            let isWithinEntity = relationship.destination === entity
            let elementName = isWithinEntity ? relationship.name : relationship.destination.name
            let name = names.name(
                of: subject(.linkTable), like: ServerName.snakeCase("\(entity.name)_\(relationship.name)"))
            func column(_ kind: ServerNames.Subject.Kind, like proposal: String, _ columnKind: ServerColumn.Kind)
                -> ServerColumn
            {
                ServerColumn(name: names.name(of: subject(kind), in: name, like: proposal), kind: columnKind)
            }
            let owner = column(.ownerColumn, like: ServerName.snakeCase(entity.name) + "_id", .key)
            let element = column(.elementColumn, like: ServerName.snakeCase(elementName) + "_id", .key)
            let inverse = relationship.inverse ?? relationship
            let table = ServerLinkTable(
                name: name, relationship: relationship,
                primaryKeyName: names.name(of: subject(.primaryKey), like: "\(name)_key"), owner: owner,
                element: element,
                ownerOrder: inverse !== relationship && inverse.isOrdered
                    ? column(.ownerOrderColumn, like: "owner_order", .order) : nil,
                elementOrder: relationship.isOrdered ? column(.orderColumn, like: "element_order", .order) : nil)
            linkTables.append(table)
            addIndex(
                ServerNames.Subject(kind: .keyIndex, entity: entity.name, property: relationship.name), of: name,
                like: "\(name)_index", over: [element.identifier, owner.identifier])
            guard isChecked(relationship) else { return }
            foreignKeys += [(owner, entity), (element, relationship.destination)].map {
                ServerForeignKey(tableName: name, column: $0, destinationName: tableName(of: $1))
            }
        }

        // MARK: Relationships

        /// A Boolean value indicating whether the relationship is a column of its entity's table.
        func isStoredAsKey(_ relationship: Entity.Relationship) -> Bool {
            !relationship.isToMany && numbering.contains(relationship.destination)
        }

        /// A Boolean value indicating whether the relationship is a column of the destination's table that belongs to no
        /// inverse.
        private func isStoredWithoutInverse(_ relationship: Entity.Relationship) -> Bool {
            relationship.isToMany && relationship.storedInverse == nil && numbering.contains(relationship.destination)
        }

        /// A Boolean value indicating whether the server checks that the destination exists. Otherwise it may be deleted and
        /// still be referred to.
        func isChecked(_ relationship: Entity.Relationship) -> Bool {
            guard let inverse = relationship.storedInverse else { return false }
            return relationship.deleteRule != .noAction && inverse.deleteRule != .noAction
        }

        mutating func addIndex(
            _ subject: ServerNames.Subject, of table: String, like proposal: String, over columns: [String],
            entityNumbers: [Int32]? = nil
        ) {
            let name = names.name(of: subject, like: proposal)
            // Two entities may have the same combination of unique values.
            if indexes.contains(where: { $0.name == name }) { return }
            indexes.append(
                ServerIndex(
                    name: name, tableName: table, isUnique: subject.kind == .uniqueIndex, columns: columns,
                    entityNumbers: entityNumbers))
        }
    }
#endif
