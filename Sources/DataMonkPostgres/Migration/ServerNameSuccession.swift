#if Postgres
    import DataMonkCore
    import DataMonkSQL

    /// **Value.** The names of a new version's tables, columns and indexes: those of the old version's wherever their contents
    /// stay.
    struct ServerNameSuccession {
        typealias Subject = ServerNames.Subject
        typealias Kind = ServerNames.Subject.Kind

        private let succession: ServerSuccession
        private var entries: [ServerNames.Entry] = []
        private var claimed: Set<[String]> = []

        private init(_ succession: ServerSuccession) { self.succession = succession }

        /// Lays out the tables of a new version.
        static func schema(
            of model: ManagedObjectModel, members: [Entity], after succession: ServerSuccession
        ) -> ServerSchema {
            var names = Self(succession)
            names.addTables()
            names.addAttributes()
            for relationship in succession.pairs { names.addLinks(of: relationship) }
            func schema() -> ServerSchema {
                ServerSchema(
                    model: model, members: members, namespace: succession.old.namespace, numbers: succession.numbers,
                    names: names.names)
            }
            // Indexes by their definitions, which the layout gives.
            names.addIndexes(like: schema())
            return schema()
        }

        /// Names of what is dropped are not given away: both are there for a time. Indexes are dropped first.
        private var names: ServerNames {
            var names = ServerNames(entries)
            names.reserve(likeIn: succession.old.names)
            let indexes = Set(succession.old.indexes.map(\.name))
            for entry in succession.old.names.entries where !(entry.table.isEmpty && indexes.contains(entry.name)) {
                names.reserve(entry.name, in: entry.table)
            }
            return names
        }

        /// Gives the name that an old subject has to a new one. A name is given once.
        private mutating func give(_ kind: Kind, of old: (String, String), to new: (String, String)) {
            let subject = Subject(kind: kind, entity: old.0, property: old.1)
            guard var entry = succession.old.names.entry(of: subject),
                claimed.insert([entry.table, entry.name]).inserted
            else { return }
            entry.subject = Subject(kind: kind, entity: new.0, property: new.1)
            entries.append(entry)
        }

        private mutating func addTables() {
            for root in succession.numbering.entities where root.superentity == nil {
                guard let past = succession.sourceRoot(of: root) else { continue }
                for kind in [Kind.table, .sequence, .primaryKey] {
                    give(kind, of: (past.name, ""), to: (root.name, ""))
                }
            }
        }

        private mutating func addAttributes() {
            for attribute in succession.numbering.entities.flatMap(\.declaredAttributes) {
                guard let past = stayingAttribute(attribute) else { continue }
                guard attribute.type == .composite else {
                    give(.column, of: (past.entity.name, past.name), to: (attribute.entity.name, attribute.name))
                    continue
                }
                for element in attribute.elements {
                    guard let before = past.elements.first(where: { $0.name == element.name }) else { continue }
                    give(.column, of: (past.entity.name, before.keyPath), to: (attribute.entity.name, element.keyPath))
                }
            }
        }

        /// Returns the old attribute whose column becomes that of a new one: the only one that it comes from.
        private func stayingAttribute(_ attribute: Entity.Attribute) -> Entity.Attribute? {
            let pasts = attribute.entity.family.compactMap { entity -> Entity.Attribute? in
                guard let own = entity.attribute(named: attribute.name),
                    let past = succession.mapping.source(of: .attribute(own), in: entity)
                else { return nil }
                return succession.mapping.source(of: entity)?.firstDeclaration(of: past).attribute
            }
            guard let past = pasts.first, pasts.allSatisfy({ $0 === past }),
                past.entity.root === succession.sourceRoot(of: attribute.entity)
            else { return nil }
            return past
        }

        private mutating func addLinks(of relationship: Entity.Relationship) {
            guard let past = succession.stayingLinks(of: relationship) else { return }
            let isTable = relationship.isToMany && relationship.storedInverse != nil
            let kinds: [Kind] =
                isTable
                ? [.linkTable, .primaryKey, .ownerColumn, .elementColumn, .ownerOrderColumn, .orderColumn]
                : [.column, .entityColumn, .orderColumn]
            for kind in kinds {
                give(kind, of: (past.entity.name, past.name), to: (relationship.entity.name, relationship.name))
            }
            guard !isTable, let inverse = relationship.storedInverse, !inverse.isToMany, inverse !== relationship,
                let other = past.storedInverse
            else { return }
            for kind in kinds {
                give(kind, of: (other.entity.name, other.name), to: (inverse.entity.name, inverse.name))
            }
        }

        private mutating func addIndexes(like new: ServerSchema) {
            var old = succession.old.indexes
            for index in new.indexes {
                let subject = new.names.used.first { $0.table.isEmpty && $0.name == index.name }?.subject
                guard let subject, let place = old.firstIndex(where: { $0.isLike(index) }) else { continue }
                entries.append(ServerNames.Entry(subject: subject, table: "", name: old.remove(at: place).name))
            }
        }
    }

    extension ServerIndex {
        /// Returns `true` if the other index is the same but for its name.
        func isLike(_ other: ServerIndex) -> Bool {
            tableName == other.tableName && isUnique == other.isUnique && columns == other.columns
                && entityNumbers == other.entityNumbers
        }
    }
#endif
