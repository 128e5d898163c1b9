import DataMonkCore
import DataMonkSQL

/// Handles rows refused by a unique index. None of it runs, or compiles a statement, as long as no index refuses a row.
extension SQLiteTransaction {
    /// Runs a statement that writes a row. Returns `false` if a unique index refuses it.
    @inline(__always)
    func isAccepted(_ run: () throws -> Void) throws -> Bool {
        do {
            try run()
            return true
        } catch let failure as SQLiteFailure where failure.constraintViolation?.kind == .unique {
            // Only the statement is undone; the transaction stays open.
            return false
        }
    }

    /// Repeats updates refused by a unique index because another object had the values. That object may have lost them in
    /// this same save: values may move along a chain of objects, or in a circle. All of them are therefore set to NULL
    /// first.
    ///
    /// - Returns: The updates that are refused again.
    func rewrite(_ refused: [ChangeSet.ObjectChange]) throws -> [ChangeSet.ObjectChange] {
        for change in refused {
            let names = uniqueColumns(of: change).map { "\($0.names[0]) = NULL" }
            if names.isEmpty { continue }
            let table = try statements(of: change.key).writing.tableName
            try connection.run(
                "UPDATE \(table) SET \(names.joined(separator: ", ")) WHERE Z_PK = ?",
                [.integer(change.key.primaryKey)])
        }
        return try refused.filter { try update($0) == .refused }
    }

    private func uniqueColumns(of change: ChangeSet.ObjectChange) -> [RowWriting.Column] {
        let slots = store.directory.layout(of: change.key).uniqueness.flatMap(\.slots)
        return store.plans.update(ofEntityAt: change.key.entityIndex, change.changed)?.plan.written
            .filter { slots.contains($0.slot) } ?? []
    }

    // MARK: Conflicting objects

    /// Returns, for each refused change, the object that has its unique values.
    ///
    /// - Parameter changed: The keys that the save itself writes.
    func duplicates(of refused: [ChangeSet.ObjectChange], changed: Set<ObjectKey>) throws -> [StoredVersion] {
        var found: [StoredVersion] = []
        for change in refused {
            let constraints = store.directory.layout(of: change.key).uniqueness
            let before = found.count
            for constraint in constraints {
                guard let holder = try holder(of: constraint, change) else { continue }
                let row = changed.contains(holder) ? nil : try readStored(holder).row
                found.append(
                    StoredVersion(
                        key: change.key, row: nil,
                        duplicate: .init(constraint: constraint.names, holder: holder, row: row)))
            }
            // The index is unknown to the model.
            if found.count == before { throw StoreError.unknownConstraint(change, in: store) }
        }
        return found
    }

    /// Returns the other object that has the values of a change, or `nil` if there is none.
    private func holder(of constraint: UniquenessConstraint, _ change: ChangeSet.ObjectChange) throws -> ObjectKey? {
        let row = change.row.pointer
        if constraint.slots.contains(where: { RowFormat.isNull(in: row, at: $0) }) { return nil }
        // The column of data in a file of its own has the file's name, which no other row has.
        let external = store.plans.externalDataSlots[change.key.entityIndex]
        if constraint.slots.contains(where: { external.contains($0) && isExternal(row, at: $0) }) { return nil }
        let writing = try statements(of: change.key).writing
        let columns = constraint.slots.compactMap { slot in writing.columns.first { $0.slot == slot } }
        let sql = "SELECT Z_PK, Z_ENT FROM \(writing.tableName) WHERE \(Self.condition(columns)) AND Z_PK <> ?"
        let plan = WritePlan(columns)
        return try connection.withStatement(sql) { statement in
            try statement.bind(
                plan, of: row, from: 1, entityNumbers: store.plans.entityNumbers, externalData: externalData)
            statement.bind(change.key.primaryKey, at: 1 + plan.width)
            guard try statement.step(), let entity = store.plans.entityIndicesByNumber[Int(statement.int64(at: 1))]
            else { return nil }
            let primaryKey = statement.int64(at: 0)
            do {
                return ObjectKey(
                    store: change.key.storeIndex, entity: entity, primaryKey: try store.usable(primaryKey))
            } catch {
                throw store.damagedRow(error, of: store.directory.model.entities[entity], primaryKey: primaryKey)
            }
        }
    }

    private func isExternal(_ row: UnsafeRawPointer, at slot: Int) -> Bool {
        RowFormat.isReference(in: row, at: slot)
            || RowFormat.bytes(in: row, at: slot).count > ExternalDataFolder.largestInlineSize
    }

    private static func condition(_ columns: [RowWriting.Column]) -> String {
        columns.flatMap(\.names).map { "\($0) = ?" }.joined(separator: " AND ")
    }
}

extension StoreError {
    fileprivate static func unknownConstraint(_ change: ChangeSet.ObjectChange, in store: SQLiteStore) -> StoreError {
        let entity = store.directory.layout(of: change.key).entity
        return StoreError(
            .constraintViolation,
            """
            A unique index of the file rejected an object of \(entity.name), but the model has no such constraint. \
            Remove the index, or add the constraint to the model.
            """, entityName: entity.name, storeURL: store.fileURL)
    }
}
