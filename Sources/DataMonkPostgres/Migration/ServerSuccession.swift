#if Postgres
    import DataMonkCore
    import DataMonkSQL

    /// **Value.** The successors of an old version's entities and links in a new version, on a server.
    ///
    /// Tables and columns stay wherever they can, under their names: a property with another name is another entry in
    /// `_names`, and nothing else. Entities keep their numbers, so no row is written for them.
    struct ServerSuccession {
        /// The tables of the store.
        let old: ServerSchema
        let mapping: InferredMapping
        /// The entities that the store will have.
        let numbering: EntityNumbering
        /// The old roots by the new ones whose tables theirs become.
        private let sourceRoots: [Entity: Entity]

        /// Throws a `MigrationError` for trees of entities that one table would have to be divided for.
        init(from old: ServerSchema, to numbering: EntityNumbering, mapping: InferredMapping) throws(MigrationError) {
            self.old = old
            self.mapping = mapping
            self.numbering = numbering
            var sourceRoots: [Entity: Entity] = [:]
            var problems: [MigrationError.Problem] = []
            for root in old.numbering.entities where root.superentity == nil {
                let roots = Set(root.family.compactMap { mapping.destination(of: $0)?.root })
                if roots.count > 1 { problems.append(Self.dividedHierarchy(root, roots)) }
                if let first = roots.first { sourceRoots[first] = root }
            }
            if !problems.isEmpty { throw MigrationError(.notInferable, problems: problems) }
            self.sourceRoots = sourceRoots
        }

        private static func dividedHierarchy(_ root: Entity, _ roots: Set<Entity>) -> MigrationError.Problem {
            let names = roots.map(\.name).sorted(by: String.precedesInBytes).joined(separator: ", ")
            return MigrationError.Problem(
                kind: .dividedHierarchy, entityName: root.name,
                message: """
                    Its objects would have to move to several tables of the server (\(names)). Keep the entities in one \
                    hierarchy, or copy their objects into new entities in the application.
                    """)
        }

        // MARK: Entities

        /// Returns the old root whose table becomes that of a new entity.
        func sourceRoot(of entity: Entity) -> Entity? { sourceRoots[entity.root] }

        /// Returns the old entity of the objects that are a new entity's own, or `nil` if it has none.
        func source(of entity: Entity) -> Entity? {
            mapping.source(of: entity).flatMap { keepsObjects(of: $0) ? $0 : nil }
        }

        /// Returns `true` if the store may have objects of an old entity itself, and they are kept.
        func keepsObjects(of entity: Entity) -> Bool {
            !entity.isAbstract && old.place(of: entity) != nil
                && mapping.destination(of: entity).map { !$0.isAbstract } ?? false
        }

        /// Returns the old entities, an entity and its sub-entities, whose objects are kept, and those whose are not.
        func objects(of entity: Entity) -> (kept: [Entity], gone: [Entity]) {
            let all = entity.family.filter { !$0.isAbstract && old.place(of: $0) != nil }
            return (all.filter(keepsObjects), all.filter { !keepsObjects(of: $0) })
        }

        /// Returns the numbers of old entities for `IN`.
        func list(_ entities: [Entity]) -> String {
            entities.compactMap { old.numbers[$0.name] }.sorted().map { "\($0)" }.joined(separator: ", ")
        }

        /// Returns the old table of an old entity.
        func table(of entity: Entity) -> String {
            old.namespace.qualified(old.place(of: entity)?.table.name ?? "")
        }

        /// The numbers of the new version's entities by name. That of an entity which is gone has a name that no entity has, so
        /// that it is never used again.
        var numbers: [String: Int32] {
            var numbers: [String: Int32] = [:]
            var rest = old.numbers
            for entity in numbering.entities {
                guard let source = mapping.source(of: entity), let number = rest.removeValue(forKey: source.name) else {
                    continue
                }
                numbers[entity.name] = number
            }
            for number in rest.values { numbers["-\(number)"] = number }
            return numbers
        }

        // MARK: Links

        /// The new relationships, one of each pair: the side that a column is for, and of many-to-manys the one that names the
        /// table.
        var pairs: [Entity.Relationship] {
            let layout = ServerLayout(numbering: numbering, numbers: [:], names: ServerNames())
            return numbering.entities.flatMap(\.declaredRelationships).filter { relationship in
                guard numbering.contains(relationship.destination) else { return false }
                guard let inverse = relationship.storedInverse, inverse !== relationship else { return true }
                switch (relationship.isToMany, inverse.isToMany) {
                case (true, true): return layout.namesLinkTable(relationship)
                case (true, false): return false
                case (false, true): return true
                case (false, false):
                    let (place, other) = (
                        numbering.number(of: relationship.entity), numbering.number(of: inverse.entity)
                    )
                    return place == other
                        ? String.precedesInBytes(relationship.name, inverse.name) : place < other
                }
            }
        }

        /// Returns the old relationships whose links a new one takes over, seen from its owners: found by either side.
        func linkSources(of relationship: Entity.Relationship) -> [ServerLinkSource] {
            var sources: [ServerLinkSource] = []
            func source(_ past: Entity.Relationship, isReversed: Bool) -> Int {
                let known = sources.firstIndex { $0.relationship === past && $0.isReversed == isReversed }
                if known == nil { sources.append(ServerLinkSource(past, isReversed: isReversed, in: self)) }
                return known ?? sources.count - 1
            }
            for entity in relationship.entity.family {
                guard let own = mapping.source(of: entity),
                    let past = mapping.declaredSource(of: relationship, in: entity)
                else { continue }
                sources[source(past, isReversed: false)].owners.insert(own)
            }
            guard let inverse = relationship.storedInverse, inverse !== relationship else { return sources }
            for entity in inverse.entity.family {
                guard let own = mapping.source(of: entity), let past = mapping.declaredSource(of: inverse, in: entity)
                else { continue }
                let place = past.storedInverse.map { source($0, isReversed: false) } ?? source(past, isReversed: true)
                sources[place].elements.insert(own)
            }
            return sources
        }

        /// Returns the old relationship whose columns or table become those of a new one, with all links, or `nil` if the links
        /// have to be written anew.
        func stayingLinks(of relationship: Entity.Relationship) -> Entity.Relationship? {
            let sources = linkSources(of: relationship)
            guard sources.count == 1, let source = sources.first, !source.isReversed, source.isWhole else { return nil }
            let (past, inverse) = (source.relationship, relationship.storedInverse)
            let isNarrowed = mapping.narrowedRelationships.contains { $0 === relationship || $0 === inverse }
            guard !isNarrowed, past.isToMany == relationship.isToMany,
                sourceRoot(of: relationship.entity) === past.entity.root,
                sourceRoot(of: relationship.destination) === past.destination.root
            else { return nil }
            let pastInverse = past.storedInverse
            guard relationship.isToMany else {
                return inverse?.isToMany == false && pastInverse?.isToMany != false ? nil : past
            }
            if inverse == nil || pastInverse == nil { return inverse == nil && pastInverse == nil ? past : nil }
            let isNamed = old.linkTables.contains { $0.relationship === past }
            return isNamed && (inverse === relationship) == (pastInverse === past) ? past : nil
        }
    }
#endif
