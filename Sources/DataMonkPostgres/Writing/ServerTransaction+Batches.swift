#if Postgres
    import DataMonkCore

    // Batch requests, which become ordinary change sets of the objects found.

    extension ServerTransaction {
        func keys(_ fetch: ResolvedFetch) throws -> [ObjectKey] {
            // Others may change rows that were found until these are locked, so they are found again under the locks.
            let found = Set(try reader.keys(fetch, damaged: .thrown))
            if found.isEmpty { return [] }
            try lockRows(of: ChangeSet(deleting: Array(found)))
            return try reader.keys(fetch, damaged: .thrown).filter(found.contains)
        }

        func destinationKeys(of relationship: Entity.Relationship, from keys: [ObjectKey]) throws -> [ObjectKey] {
            let found = RowCollector()
            if relationship.isToMany {
                try reader.destinations(of: relationship, from: keys, into: found)
                return found.rows.map(\.key)
            }
            try reader.load(keys, into: found, damaged: .thrown)
            return found.rows.compactMap {
                ObjectKey(slot: RowFormat.word(in: $0.row.pointer, at: relationship.slot))
            }
        }

        func links(of relationship: Entity.Relationship, from owners: [ObjectKey]) throws -> [StoredLink] {
            guard let statement = try ServerWriting(store).links(of: relationship, from: owners.map(\.primaryKey))
            else { return [] }
            let keys = Dictionary(owners.map { ($0.primaryKey, $0) }, uniquingKeysWith: { first, _ in first })
            let result = try run([statement])[0]
            var links: [StoredLink] = []
            for row in 0..<result.rowCount {
                guard let owner = keys[try result.required(row: row, column: 0)],
                    let entity = store.entityIndices[try result.required(row: row, column: 2)]
                else { continue }
                let id: Int64 = try result.required(row: row, column: 1)
                links.append(
                    StoredLink(
                        owner: owner, destination: ObjectKey(store: store.index, entity: entity, primaryKey: id)))
            }
            return links
        }

        func update(
            _ update: ResolvedBatchUpdate, check: (ManagedValue, Entity.Attribute) throws -> Void
        ) throws -> [BatchChanges.Written] {
            let slots = SlotSet(update.assignments.map(\.property.slot))
            var changes = ChangeSet()
            var arena = RowArena()
            // As for a deletion, but others may still add references.
            let keys = try reader.keys(update.fetch, damaged: .thrown)
            try lockRows(of: keys)
            let locked = Set(keys)
            for object in try reader.objects(update.fetch) where locked.contains(object.objectKey) {
                let layout = store.directory.layout(of: object.objectKey)
                let draft = DraftRow(copying: object.row.pointer, of: layout, base: object.row)
                for assignment in update.assignments {
                    guard let expression = assignment.expression, let attribute = assignment.property.attribute else {
                        layout.copy(assignment.property.slot, from: update.constants.pointer, to: draft)
                        continue
                    }
                    let value = try expression.value(for: attribute, of: object) ?? .null
                    try object.graph.requireReadable()
                    try check(value, attribute)
                    var editor = RowEditor(draft)
                    attribute.write(value, to: &editor)
                }
                try draft.requireAllValues(of: layout.entity)
                changes.updated.append(change(of: object.objectKey, object.row, draft, slots, in: &arena))
            }
            return try write(updates: changes, of: update.fetch.entity)
        }

        func clear(_ relationship: Entity.Relationship, of keys: [ObjectKey]) throws -> [BatchChanges.Written] {
            try lockRows(of: keys)
            let found = RowCollector()
            try reader.load(keys, into: found, damaged: .thrown)
            var changes = ChangeSet()
            var arena = RowArena()
            for (key, row) in found.rows {
                let draft = DraftRow(copying: row.pointer, of: store.directory.layout(of: key), base: row)
                RowEditor(draft).setNull(relationship.slot)
                changes.updated.append(change(of: key, row, draft, SlotSet([relationship.slot]), in: &arena))
            }
            return try write(updates: changes, of: relationship.entity)
        }

        func delete(_ keys: [ObjectKey]) throws {
            let recording = try history?.statements(for: keys.map { HistoryEntry(.delete, of: $0) }) ?? []
            try run(recording.map(\.statement) + ServerWriting(store).deletions(of: keys))
            writtenRowCount += keys.count
            locked.noteDeleted(keys)
        }

        private func change(
            of key: ObjectKey, _ base: Row, _ draft: DraftRow, _ slots: SlotSet, in arena: inout RowArena
        ) -> ChangeSet.ObjectChange {
            let version = RowFormat.version(after: base.version)
            let row = store.directory.layout(of: key).seal(draft, version: version, in: &arena)
            return ChangeSet.ObjectChange(key: key, row: row, base: base, changed: slots)
        }

        private func write(updates changes: ChangeSet, of entity: Entity) throws -> [BatchChanges.Written] {
            let conflicts = try write(changes)
            if let duplicate = conflicts.first?.duplicate {
                throw SaveError.duplicate(duplicate.constraint, of: entity)
            }
            // The rows were locked before they were read.
            if !conflicts.isEmpty { throw StoreError.changedDuringBatch(entity) }
            return changes.updated.map { BatchChanges.Written(key: $0.key, version: $0.row.version) }
        }
    }
#endif
