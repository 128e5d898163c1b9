#if Postgres
    import DataMonkCore

    // Rows that a unique index refuses. None of it runs as long as no index refuses one.

    extension ServerTransaction {
        /// Runs the statements of a change set. If a unique index refuses one, finds the objects that have the values.
        ///
        /// - Parameter recording: Those of the statements that record the history.
        func runOrFindDuplicates(
            _ statements: [PostgresStatement], of changes: ChangeSet, recording: [PostgresStatement]
        ) throws -> [StoredVersion] {
            let savepoint = PostgresStatement("SAVEPOINT datamonk_write")
            let release = PostgresStatement("RELEASE SAVEPOINT datamonk_write")
            do {
                _ = try runUntranslated([savepoint] + statements + [release])
                return []
            } catch  where error.constraintViolation == .unique {
                try run([PostgresStatement("ROLLBACK TO SAVEPOINT datamonk_write"), release])
                return try writeInParts(changes, recording: recording)
            } catch {
                throw StoreError(failedWriting: error, in: store.schema.namespace)
            }
        }

        /// Writes the changes again. Values may move along a chain of objects, or in a circle, so those of updated objects are
        /// emptied first. What is refused then is halved, until each refused row is known.
        ///
        /// - Returns: The objects whose values belong to others.
        private func writeInParts(_ changes: ChangeSet, recording: [PostgresStatement]) throws -> [StoredVersion] {
            let writing = ServerWriting(store)
            try run(recording + writing.deletions(of: changes.deleted.map(\.key)))
            try run(changes.updated.compactMap(writing.emptying))
            let rows = changes.updated + changes.inserted
            var refused = try refused(of: rows[...])
            // The holder of a value may give it away between a refusal and the search for it.
            for _ in 0..<3 where !refused.isEmpty {
                let found = try duplicates(of: refused, changed: Set(rows.map(\.key)))
                if !found.isEmpty { return found }
                refused = try self.refused(of: refused[...])
            }
            if let change = refused.first {
                throw StoreError.unknownServerConstraint(store.directory.layout(of: change.key).entity)
            }
            try run(changes.links.flatMap(writing.statements))
            return []
        }

        /// Writes rows, and returns those that an index refuses.
        private func refused(of changes: ArraySlice<ChangeSet.ObjectChange>) throws -> [ChangeSet.ObjectChange] {
            if changes.isEmpty { return [] }
            let writing = ServerWriting(store)
            let writes =
                try writing.updates(changes.filter { $0.base != nil })
                + writing.insertions(changes.filter { $0.base == nil })
            if try isAccepted(writes.map(\.statement)) { return [] }
            if changes.count == 1 { return Array(changes) }
            let middle = changes.startIndex + changes.count / 2
            return try refused(of: changes[..<middle]) + refused(of: changes[middle...])
        }

        private func isAccepted(_ statements: [PostgresStatement]) throws -> Bool {
            let savepoint = PostgresStatement("SAVEPOINT datamonk_row")
            let release = PostgresStatement("RELEASE SAVEPOINT datamonk_row")
            do {
                _ = try runUntranslated([savepoint] + statements + [release])
                return true
            } catch  where error.constraintViolation == .unique {
                try run([PostgresStatement("ROLLBACK TO SAVEPOINT datamonk_row"), release])
                return false
            } catch {
                throw StoreError(failedWriting: error, in: store.schema.namespace)
            }
        }

        /// Returns, for each refused change, the objects that have its unique values and still exist.
        ///
        /// - Parameter changed: The keys that the save itself writes.
        private func duplicates(
            of refused: [ChangeSet.ObjectChange], changed: Set<ObjectKey>
        ) throws -> [StoredVersion] {
            let writing = ServerWriting(store)
            var found: [StoredVersion] = []
            for change in refused {
                for constraint in store.directory.layout(of: change.key).uniqueness {
                    guard let statement = try writing.holder(of: constraint, change) else { continue }
                    let result = try run([statement])[0]
                    guard result.rowCount > 0,
                        let entity = store.entityIndices[try result.required(row: 0, column: 1)]
                    else { continue }
                    let holder = ObjectKey(
                        store: store.index, entity: entity, primaryKey: try result.required(row: 0, column: 0))
                    let row = changed.contains(holder) ? nil : try stored(holder).row
                    if row == nil, !changed.contains(holder) { continue }
                    found.append(
                        StoredVersion(
                            key: change.key, row: nil,
                            duplicate: .init(constraint: constraint.names, holder: holder, row: row)))
                }
            }
            return found
        }
    }

    extension ChangeSet {
        /// Returns whether a unique index may refuse a row.
        func hasUniqueValues(_ directory: ObjectDirectory) -> Bool {
            (updated + inserted).contains { change in
                directory.layout(of: change.key).uniqueness.contains { $0.concerns(change) }
            }
        }
    }
#endif
