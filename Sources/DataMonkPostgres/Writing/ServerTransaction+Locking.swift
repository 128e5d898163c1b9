#if Postgres
    import DataMonkCore
    import DataMonkSQL
    import Foundation

    extension ServerTransaction {
        /// **Value.** The statements that lock rows, each table's by one, in the order of tables and ids.
        struct RowLocks {
            let keys: [ObjectKey]
            /// Returns whether those who refer to rows of a tree wait, too, by the index of its root.
            let excludesReferences: (Int) -> Bool
            let statements: [PostgresStatement]

            var byteCount: Int { statements.reduce(0) { $0 + $1.byteCount } }
        }

        @discardableResult
        func lockRows(of changes: ChangeSet) throws -> [ObjectKey: Int64] {
            // Unless all of them are locked, perhaps by an earlier member of the group.
            if !locked.contain(changes) { try lock(try locks(for: changes)) }
            return locked.versions(of: changes.deleted.map(\.key) + changes.updated.map(\.key))
        }

        /// Locks the rows of some objects, which are going to be updated.
        func lockRows(of keys: [ObjectKey]) throws { try lock(try locks(of: keys) { _ in false }) }

        /// Returns the keys that have a row, which nobody deletes before the transaction ends.
        func present(_ keys: [ObjectKey]) throws -> [ObjectKey] {
            let results = try runLocking(try lockStatements(keys) { _ in "KEY SHARE" }, ofRows: keys.count)
            let versions = try versions(in: results)
            return keys.filter { versions[$0] != nil }
        }

        /// Returns the locks of the rows of updated and deleted objects. Those of a deleted one are locked against references,
        /// too: rows and links that refer to it wait.
        func locks(for changes: ChangeSet) throws -> RowLocks {
            let deleted = ids(of: changes.deleted.map(\.key))
            return try locks(of: changes.deleted.map(\.key) + changes.updated.map(\.key)) { deleted[$0] != nil }
        }

        func locks(
            of keys: [ObjectKey], excludesReferences: @escaping (Int) -> Bool
        ) throws -> RowLocks {
            let statements = try lockStatements(keys) {
                excludesReferences($0.root.index) ? "UPDATE" : "NO KEY UPDATE"
            }
            return RowLocks(keys: keys, excludesReferences: excludesReferences, statements: statements)
        }

        private func lockStatements(
            _ keys: [ObjectKey], _ strength: (ServerTable) -> String
        ) throws -> [PostgresStatement] {
            if keys.isEmpty { return [] }
            let allIDs = ids(of: keys)
            return try store.schema.tables.compactMap { table in
                guard let ids = allIDs[table.root.index] else { return nil }
                return try ServerWriting(store).locks(of: ids, in: table, strength(table))
            }
        }

        /// Returns the locks of rows to be updated that fail unless the rows have certain versions.
        func checkedLocks(of versions: [ObjectKey: Int64]) throws -> RowLocks {
            let all = Dictionary(grouping: versions) { store.directory.model.entities[$0.key.entityIndex].root.index }
            let statements = try store.schema.tables.compactMap { table -> PostgresStatement? in
                guard let rows = all[table.root.index] else { return nil }
                return try ServerWriting(store).checkedLocks(
                    of: Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.value) }), in: table)
            }
            return RowLocks(keys: Array(versions.keys), excludesReferences: { _ in false }, statements: statements)
        }

        private func lock(_ locks: RowLocks) throws {
            try extendIdleTime(forRows: locks.keys.count)
            note(try versions(in: try runLocking(locks.statements, ofRows: locks.keys.count)), of: locks)
        }

        private func note(_ versions: [ObjectKey: Int64], of locks: RowLocks) {
            for key in locks.keys {
                let root = store.directory.model.entities[key.entityIndex].root.index
                locked.insert(
                    key, version: versions[key], excludesReferences: locks.excludesReferences(root))
            }
        }

        private func versions(in results: [PostgresResult]) throws -> [ObjectKey: Int64] {
            var versions: [ObjectKey: Int64] = [:]
            for result in results {
                for row in 0..<result.rowCount {
                    guard let key = try key(in: result, row: row) else { continue }
                    versions[key] = try result.required(row: row, column: 2)
                }
            }
            return versions
        }

        /// Returns the key in the first two columns of a row; `nil` if the model does not have the entity.
        private func key(in result: PostgresResult, row: Int) throws -> ObjectKey? {
            guard let entity = store.entityIndices[try result.required(row: row, column: 1)] else { return nil }
            return ObjectKey(
                store: store.index, entity: entity, primaryKey: try result.required(row: row, column: 0))
        }

        /// Returns the ids of keys by the index of the root entity.
        private func ids(of keys: [ObjectKey]) -> [Int: [Int64]] {
            Dictionary(grouping: keys) { store.directory.model.entities[$0.entityIndex].root.index }
                .mapValues { $0.map(\.primaryKey).sorted() }
        }

        // MARK: Locks of the beginning

        /// Returns the locks that travel with the beginning of the transaction: those of changes that are known, unless they are
        /// more than a part of a pipeline has.
        func firstLocks(for changes: ChangeSet?) throws -> RowLocks? {
            guard let changes, !(changes.updated.isEmpty && changes.deleted.isEmpty) else { return nil }
            let locks = try locks(for: changes)
            return locks.byteCount < Self.partByteCount ? locks : nil
        }

        /// The statements of the first locks, with the limit of their time.
        func statements(of locks: RowLocks) throws -> [PostgresStatement] {
            try waitsOnce(forRows: locks.keys.count)
                ? locks.statements
                : limited(locks.statements, to: remainingLockingTime(ofRows: locks.keys.count))
        }

        /// Notes what became of the first locks. A failure is that of the next call, as if it had sent them: the transaction has
        /// begun, and what others have locked is no failure of the store.
        func noteFirstLocks(_ locks: RowLocks, _ answer: PipelineAnswer) throws {
            let count = locks.keys.count
            let waitsOnce = waitsOnce(forRows: count)
            defer { noteLockWait(since: start, ofRows: count) }
            let results: [PostgresResult]
            do throws(PostgresFailure) {
                results = try answer.results()
            } catch {
                store.log.noteOthers()
                failedLock = waitsOnce ? error : missedLock(error, since: start)
                return
            }
            note(try versions(in: waitsOnce ? results : withoutLimits(results)), of: locks)
        }

        // MARK: Limits

        /// Runs statements that lock rows. The server limits the wait for each row and, since there may be one for each of many,
        /// the time that all such statements of the transaction take together. It is the server that gives up, because it knows
        /// that it waits: silence is no lock.
        private func runLocking(_ statements: [PostgresStatement], ofRows count: Int) throws -> [PostgresResult] {
            if statements.isEmpty { return [] }
            // The time of writes is no wait for locks.
            try sendWrites()
            let now = ContinuousClock.now
            defer { noteLockWait(since: now, ofRows: count) }
            if waitsOnce(forRows: count) { return try run(statements) }
            let time = start.duration(to: now) + remainingLockingTime(ofRows: count)
            let limited = try limited(statements, to: time)
            do throws(PostgresFailure) {
                return withoutLimits(try runUntranslated(limited))
            } catch {
                throw StoreError(failedWriting: missedLock(error, since: now), in: store.schema.namespace)
            }
        }

        /// Returns whether the limit for a row is that for all.
        func waitsOnce(forRows count: Int) -> Bool { count < 2 && lockWait == .zero }

        private func noteLockWait(since start: ContinuousClock.Instant, ofRows count: Int) {
            let work = Self.moment + ServerStoreSettings.lockingTime(of: count)
            lockWait += max(.zero, start.duration(to: .now) - work)
        }

        private func missedLock(_ failure: PostgresFailure, since start: ContinuousClock.Instant) -> PostgresFailure {
            // Somebody else may have cancelled it before. Clocks differ a little.
            failure.isCancelled && start.duration(to: .now) > Self.moment * 0.9 ? .missedLocks : failure
        }

        /// Returns the time that is left for statements that lock some rows; a moment at least, after which they fail only if
        /// somebody has one of them.
        func remainingLockingTime(ofRows count: Int) -> Duration {
            max(Self.moment, store.settings.lockingTime(of: count, until: lockDeadline) - lockWait)
        }

        /// The time in which a transaction of another process may end.
        static var moment: Duration { .milliseconds(100) }

        /// Returns the statements with a limit before each, and the end of the limits: a moment at least, or until the
        /// transaction has had a certain time. The server computes it, since it alone knows how long the statements before it
        /// have waited.
        func limited(_ statements: [PostgresStatement], to time: Duration) throws -> [PostgresStatement] {
            let limit = try PostgresStatement(
                """
                SELECT set_config('statement_timeout', CAST(CAST(greatest($1, $2 - 1000 * extract(epoch FROM \
                clock_timestamp() - transaction_timestamp())) AS bigint) AS text), true)
                """, values: Int64(Self.moment / .milliseconds(1)), Int64(time / .milliseconds(1))
            ).prepared()
            return statements.flatMap { [limit, $0] } + [PostgresStatement("SET LOCAL statement_timeout TO DEFAULT")]
        }

        private func withoutLimits(_ results: [PostgresResult]) -> [PostgresResult] {
            stride(from: 1, to: results.count, by: 2).map { results[$0] }
        }
    }
#endif
