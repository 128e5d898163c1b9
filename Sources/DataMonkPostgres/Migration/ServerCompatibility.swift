#if Postgres
    import DataMonkCore
    import DataMonkSQL
    import Foundation

    /// **Value.** The question whether processes of an old version may go on with a store of a new one.
    ///
    /// They may if all that they know is as before, and if nothing that they write is wrong in the new version: what is new are
    /// entities with a root of their own, and properties that may be empty, or that a new column has a default for. Not a new
    /// sub-entity: its objects are in a table that they read.
    struct ServerCompatibility {
        let isAdditive: Bool

        init(from old: ServerSchema, to new: ServerSchema, mapping: InferredMapping) {
            isAdditive =
                Self.keepsEntities(from: old, mapping)
                && new.numbering.entities.allSatisfy { Self.isAddition($0, mapping) }
                && Self.keepsTables(from: old, to: new)
        }

        private static func keepsEntities(from old: ServerSchema, _ mapping: InferredMapping) -> Bool {
            old.numbering.entities.allSatisfy { entity in
                guard let now = mapping.destination(of: entity), now.name == entity.name,
                    now.superentity?.name == entity.superentity?.name, now.isAbstract == entity.isAbstract,
                    // By it, the author says that the objects are others.
                    now.description.versionHashModifier == entity.description.versionHashModifier
                else { return false }
                return entity.properties.allSatisfy { property in
                    guard !property.isTransient else { return true }
                    guard let successor = now.propertiesByName[property.name],
                        mapping.source(of: successor, in: now) == property
                    else { return false }
                    return VersionHashes.hash(of: successor) == VersionHashes.hash(of: property)
                }
            }
        }

        /// Returns whether an entity and its new properties are additions, if it and they are new at all.
        private static func isAddition(_ entity: Entity, _ mapping: InferredMapping) -> Bool {
            guard mapping.source(of: entity) != nil else {
                return entity.root.family.allSatisfy { mapping.source(of: $0) == nil }
            }
            return entity.properties.allSatisfy { property in
                if property.isTransient || mapping.source(of: property, in: entity) != nil { return true }
                switch property {
                case .attribute(let attribute):
                    // A column has one default, for all entities of its table.
                    let declared = entity.firstDeclaration(of: property).attribute ?? attribute
                    let parts = parts(of: attribute)
                    return parts.allSatisfy { $0.isOptional || !$0.defaultValue.isNull }
                        && parts.map(\.defaultValue) == Self.parts(of: declared).map(\.defaultValue)
                case .relationship(let relationship):
                    // Processes that do not know of it delete an object without its rule.
                    return mayBeEmpty(relationship) && relationship.storedInverse.map(mayBeEmpty) ?? true
                        && [.nullify, .noAction].contains(relationship.deleteRule)
                }
            }
        }

        private static func parts(of attribute: Entity.Attribute) -> [Entity.Attribute] {
            attribute.type == .composite ? attribute.elements : [attribute]
        }

        private static func mayBeEmpty(_ relationship: Entity.Relationship) -> Bool {
            relationship.isOptional || relationship.isToMany && relationship.minCount == 0
        }

        /// Returns whether the old version finds its tables and columns as they were, and whether the server checks the same in
        /// them.
        private static func keepsTables(from old: ServerSchema, to new: ServerSchema) -> Bool {
            // By property, since that is how a process that starts finds them. It needs no index by its name.
            let names = old.names.used.filter { ![.keyIndex, .fetchIndex, .uniqueIndex].contains($0.subject.kind) }
            guard Set(names).isSubset(of: new.names.used) else { return false }
            let columns = Set(old.columns.map { [$0.table, $0.column.name] })
            let references = { (schema: ServerSchema) in
                Set(schema.foreignKeys.filter { columns.contains([$0.tableName, $0.column.name]) })
            }
            let indexes = { (schema: ServerSchema) in
                schema.indexes.filter { index in index.isUnique && old.tables.contains { $0.name == index.tableName } }
            }
            let (before, after) = (indexes(old), indexes(new))
            // It limits the length of values, of which the old version does not know.
            let longColumns = old.columns.filter(\.column.isOfAnyLength)
            let isLimited = new.indexes.contains { index in
                !old.indexes.contains { $0.isLike(index) }
                    && longColumns.contains { $0.table == index.tableName && index.contains($0.column.name) }
            }
            return !isLimited && references(old) == references(new) && before.count == after.count
                && after.allSatisfy { index in before.contains { $0.isLike(index) } }
        }
    }
#endif
