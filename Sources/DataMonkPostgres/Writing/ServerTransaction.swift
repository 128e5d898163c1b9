#if Postgres
    import DataMonkCore
    import DataMonkSQL
    import Foundation

    /// **Confined.** A transaction that writes.
    ///
    /// ```
    /// begin      commits of unknown outcome settled, if there are any
    ///            the lock of the table _store, shared; foreign commits that the observer does not know
    ///            rows of the first changes locked, table by table, in the order of ids; versions
    /// write      1. rows locked that are not yet
    ///            2. changes of the history, deletions, updates, insertions, links, in parts that end with a Sync
    /// commit     references checked, the order lock, a row of the log, rows of the history, COMMIT; then a flush
    /// ```
    /// Each of the steps is a pipeline, of one round trip. Small writes travel with the commit, unless something is asked in
    /// between; so does the beginning, in a process that writes alone: see `AssumedBeginning`. In a group of saves, the rows of
    /// all are locked by the first, and rows that several saves write by the same text are written by one statement (`joined()`).
    /// Two transactions may still wait for each other, by rows that no lock statement names
    /// (positions in orders, members of to-manys without inverse, links of deleted objects, unique values), and by members of
    /// groups that lock another row later: then the server ends one of them, which is repeated.
    ///
    /// The order lock makes commits visible in the order of their numbers. It is held from the row of the log to COMMIT, which
    /// does not wait for the disk; the flush, which does, comes behind it. Only then is the commit acknowledged.
    final class ServerTransaction: StoreTransaction {
        private let lease: ServerLease
        let store: ServerStore
        /// The time until which it waits for locks of others; `nil` for as long as the store does.
        let lockDeadline: ContinuousClock.Instant?
        /// The time before its first statement was sent.
        private(set) var start = ContinuousClock.now
        /// The beginning that travels with the commit; `nil` if it was sent.
        private var assumed: AssumedBeginning?
        /// Indicates whether the server has something else than was assumed, so that the saves are repeated.
        private var isOutdated = false
        /// The time for which it has waited for locks of rows. The time of the locking itself, and of a round trip, does not
        /// count.
        var lockWait = Duration.zero
        /// The failure of the locks that travelled with the beginning, which is that of everything sent after them.
        var failedLock: PostgresFailure?
        private let openReader: ServerReader
        /// The statements that go with the next ones: the writes of saves in a group, ends and beginnings of savepoints.
        private var waiting: [ServerWrite] = []
        /// The open savepoint; `nil` if there is none.
        private var savepoint: Savepoint?
        /// The time for which the server waits for a next statement.
        private var idleTime = ServerTransaction.shortIdleTime
        /// The number of rows that were written or deleted.
        var writtenRowCount = 0
        private(set) var sawForeignChanges = false
        private(set) var isOutcomeUnknown = false
        /// The state of the log with the commit; `nil` without one.
        private var committedHead: ServerLog.Head?
        private(set) var isBehindOthers = false

        /// **Value.** A savepoint that is open.
        private enum Savepoint: Equatable {
            /// At a position among the statements that wait.
            case waiting(Int)
            case sent
        }

        var locked = LockedRows()
        /// `nil` if the store keeps none.
        var history: ServerHistory?

        /// Begins a transaction.
        ///
        /// Throws a ``PostgresFailure``, and a `ServerLog.OtherLog` if another connection has to be tried. If a commit of
        /// unknown outcome is found, or cannot be found out any more, throws a `StoreError`, once.
        ///
        /// - Parameters:
        ///   - changes: The changes that are written first, if they are known: their rows are locked in the same round trip.
        ///   - lockDeadline: The time until which it waits for locks of others; `nil` for as long as the store does.
        init(
            _ lease: ServerLease, store: ServerStore, for changes: ChangeSet?,
            lockingUntil lockDeadline: ContinuousClock.Instant?
        ) throws {
            self.lease = lease
            self.store = store
            self.lockDeadline = lockDeadline
            openReader = ServerReader(lease, in: store)
            // The last connection was lost, perhaps because the server crashed. Then it gives out again what it had not
            // written to its disk: the keys of transactions that were rolled back, or lost.
            if lease.isNew { store.keys.dropAll() }
            let deadline = ContinuousClock.now + store.settings.timeout
            let found = try store.log.settleUnknownAttempts(of: store, on: lease.connection, until: deadline)
            if found.isEmpty, !lease.isNew, let assumed = try assumedBeginning(for: changes) {
                self.assumed = assumed
                for (key, version) in assumed.versions {
                    locked.insert(key, version: version, excludesReferences: false)
                }
                history = assumed.keepsHistory ? ServerHistory(of: store) : nil
                return
            }
            let head = try begin(with: try firstLocks(for: changes), isCommitting: found.isEmpty, until: deadline)
            history = head.keepsHistory ? ServerHistory(of: store) : nil
            if history == nil { store.reportLostHistory() }
            store.log.noteKnown(Array(found.keys))
            // The caller may have looked before one of them landed, and be about to save the same again.
            if !found.isEmpty { throw StoreError.earlierCommit(isFound: !found.values.contains(.forgotten)) }
        }

        private func begin(
            with locks: RowLocks?, isCommitting: Bool, until deadline: ContinuousClock.Instant
        ) throws -> ServerLog.Head {
            while true {
                if let head = try beginOnce(with: locks, isCommitting: isCommitting, until: deadline) { return head }
                // The rows of the last commit are being published, which takes no longer than a few memory accesses.
                lease.connection.rollBack()
                guard ContinuousClock.now < deadline else { throw PostgresFailure.deadlinePassed }
            }
        }

        /// Begins it on the server. Returns `nil` if the observer cannot be told yet of what others have committed.
        private func beginOnce(
            with locks: RowLocks?, isCommitting: Bool, until deadline: ContinuousClock.Instant
        ) throws -> ServerLog.Head? {
            start = .now
            let (head, answer) = try store.log.beginTransaction(
                on: lease.connection, of: store.schema.namespace,
                lockTimeout: store.settings.lockTimeout(until: lockDeadline), locks: try locks.map(statements) ?? [],
                until: deadline)
            if locks != nil, !head.isContinued, !answer.isComplete {
                // The server is asked first for the identity of the store, and a failed transaction answers nothing.
                lease.connection.rollBack()
                return try beginOnce(with: nil, isCommitting: isCommitting, until: deadline)
            }
            try head.requireLog(on: lease, of: store, until: deadline)
            if !head.isContinued || head.foreignNumber != nil {
                sawForeignChanges = true
                guard case .told = store.tell(head, isCommitting: isCommitting) else { return nil }
            }
            store.log.noteFound(head)
            if let locks { try noteFirstLocks(locks, answer) }
            return head
        }

        /// Sends the beginning, if it waits for the commit: something is asked that is not assumed.
        private func sendBeginning() throws(PostgresFailure) {
            guard let assumed else { return }
            self.assumed = nil
            let (known, keys) = (locked, assumed.locks.keys)
            do {
                let locks = keys.isEmpty ? nil : try locks(of: keys) { _ in false }
                let head = try begin(with: locks, isCommitting: true, until: .now + store.settings.timeout)
                let isAsAssumed = failedLock != nil || locked.versions(of: keys) == assumed.versions
                isOutdated = !isAsAssumed || head.keepsHistory != assumed.keepsHistory
            } catch let failure as PostgresFailure where failure.isDeadlinePassed {
                isOutdated = true
                throw failure
            } catch {
                // Whatever the reason is: the saves are repeated, and meet it again.
                isOutdated = true
            }
            locked = known
            if isOutdated {
                store.log.noteOthers()
                throw .outdated
            }
        }

        /// Returns the statements of the beginning, if it travels with the commit.
        private func takeBeginning() throws -> [PostgresStatement] {
            guard let assumed else { return [] }
            self.assumed = nil
            start = .now
            return try statements(of: assumed)
        }

        /// Reads what the transaction sees.
        var reader: ServerReader {
            get throws {
                // A read that fails is undone with its savepoint.
                try sendWaiting()
                return openReader
            }
        }

        /// Others may commit at any time. Only what is locked stays as it is.
        var excludesOthers: Bool { false }

        var isStanding: Bool {
            let connection = lease.connection
            if assumed != nil { return !connection.isSpent }
            return !isOutdated && !connection.isSpent && connection.isInTransaction && !connection.isInFailedTransaction
        }

        // MARK: Savepoints

        func beginSavepoint() {
            locked.beginSavepoint()
            history?.beginSavepoint()
            savepoint = .waiting(waiting.count)
            waiting.append(ServerWrite(PostgresStatement(Self.begin)))
        }

        func releaseSavepoint() {
            if case .waiting(let savepoint) = savepoint {
                // Nobody returns to it any more. If its statements fail, the group does, and each save is written alone.
                waiting.remove(at: savepoint)
                waiting = waiting.joined()
            } else {
                waiting.append(ServerWrite(PostgresStatement(Self.release)))
            }
            savepoint = nil
        }

        func rollBackToSavepoint() throws {
            locked.rollBackToSavepoint()
            history?.rollBackToSavepoint()
            if case .waiting(let savepoint) = savepoint {
                waiting.removeSubrange(savepoint...)
            } else {
                // The server returns to the settings that it had there.
                idleTime = Self.shortIdleTime
                try run(["ROLLBACK TO \(Self.begin)", Self.release])
            }
            savepoint = nil
        }

        private static var begin: String { "SAVEPOINT datamonk_member" }
        private static var release: String { "RELEASE SAVEPOINT datamonk_member" }

        /// Lets the statements of a save wait for the next ones, or for the commit, if they are small: the rows are locked, so
        /// that nothing is expected of their answers. In a group, only if nothing of the save was sent: it may be undone.
        private func runOrDelay(_ writes: [ServerWrite]) throws {
            if writes.isEmpty { return }
            let byteCount = (waiting + writes).reduce(0) { $0 + $1.statement.byteCount }
            guard savepoint != .sent, byteCount < Self.partByteCount else {
                try run(writes.map(\.statement))
                return
            }
            waiting += writes
        }

        func sendWrites() throws {
            if assumed != nil || waiting.contains(where: isNoSavepoint) {
                try sendWaiting()
            }
        }

        private func isNoSavepoint(_ write: ServerWrite) -> Bool {
            write.statement.sql != Self.begin && write.statement.sql != Self.release
        }

        /// Sends what waits.
        private func sendWaiting() throws {
            try run([PostgresStatement]())
        }

        // MARK: Ending

        func commit() throws {
            // Savepoints end with their transaction.
            let writes = waiting.filter(isNoSavepoint).map(\.statement)
            waiting = []
            let beginning = try takeBeginning()
            do {
                let lockTimeout = min(
                    store.settings.lockTimeout(until: lockDeadline), remainingLockingTime(ofRows: 0))
                committedHead = try store.log.commit(
                    on: lease.connection, of: store, beginning: beginning, writes: writes,
                    history: history?.transactionStatement, lockTimeout: lockTimeout,
                    until: ContinuousClock.now + store.settings.timeout
                        + ServerStoreSettings.workingTime(of: writtenRowCount))
                if let committedHead { store.log.noteFound(committedHead) }
                isBehindOthers = committedHead.map { !$0.isContinued || $0.foreignNumber != nil } ?? true
                // Before others can know of the commit: the sequences may have lost what was taken from them.
                if committedHead?.isContinued == false { store.keys.dropAll() }
            } catch let unknown as ServerLog.UnknownOutcome {
                isOutcomeUnknown = true
                throw StoreError.unansweredCommit(unknown, in: store.schema.namespace)
            } catch is ServerLog.FailedBeginning {
                store.log.noteOthers()
                throw StoreError(failedWriting: .outdated, in: store.schema.namespace)
            } catch let failure as PostgresFailure {
                // Others write, so the next save waits for its locks before it is announced.
                if failure.isContention || failure.isConnectionLost { store.log.noteOthers() }
                // A connection that was lost before a beginning is replaced without a word. A lock was waited for too shortly.
                let isOutdated = !beginning.isEmpty && (failure.isConnectionLost || failure.isLockTimeout)
                throw StoreError(failedWriting: isOutdated ? .outdated : failure, in: store.schema.namespace)
            }
        }

        func rollBack() {
            (waiting, savepoint, assumed) = ([], nil, nil)
            lease.connection.rollBack()
        }

        func end() {
            if let committedHead {
                store.noteTold(committedHead)
                if store.log.isTrimDue { trimLog() }
            }
            lease.end()
        }

        /// Deletes old rows of the log, unless somebody has the table locked. The commit stands in any case.
        private func trimLog() {
            do {
                let deletion = try store.log.trimStatement(
                    in: store.schema.namespace, olderThan: store.settings.logRetention)
                let (begin, end) = (["BEGIN", "SET LOCAL lock_timeout TO 100"], "COMMIT")
                _ = try runUntranslated(begin.map { PostgresStatement($0) } + [deletion, PostgresStatement(end)])
            } catch {
                store.directory.report(StoreError.failedTrim(error, in: store.schema.namespace))
            }
        }

        // MARK: Writing

        func setMetadata(_ metadata: [String: ManagedValue]) throws {
            let table = store.schema.namespace.qualified("_store")
            let result = try run([PostgresStatement("SELECT metadata FROM \(table) FOR UPDATE")])[0]
            var stored = try StoreMetadata(propertyList: result.required(Data.self, row: 0, column: 0))
            stored.replaceApplicationValues(metadata)
            try run([PostgresStatement("UPDATE \(table) SET metadata = $1", values: try stored.propertyList())])
        }

        func reservePrimaryKeys(_ count: Int, for entity: Entity) throws -> Int64 {
            guard let place = store.schema.place(of: entity.root) else { throw StoreError.entityNotOnServer(entity) }
            return try store.keys.reserve(count, of: entity.root) { blockCount in
                let sequence = store.schema.namespace.qualified(place.table.sequenceName)
                let statement = try PostgresStatement(
                    "SELECT nextval(CAST($1 AS regclass)) FROM generate_series(1, $2)", values: sequence,
                    Int64(blockCount))
                return try run([statement])[0].column(of: Int64.self)
            }
        }

        func stored(_ key: ObjectKey) throws -> StoredVersion {
            var arena = RowArena()
            return StoredVersion(key: key, row: try reader.row(of: key, in: &arena))
        }

        func stored(_ keys: [ObjectKey]) throws -> [StoredVersion] {
            let rows = try rows(of: keys)
            return keys.map { StoredVersion(key: $0, row: rows[$0]) }
        }

        private func rows(of keys: [ObjectKey]) throws -> [ObjectKey: Row] {
            let found = RowCollector()
            // In parts, so that many large rows are not one statement, which has one deadline.
            for start in stride(from: 0, to: keys.count, by: Self.rowsInStatement) {
                let part = keys[start..<min(start + Self.rowsInStatement, keys.count)]
                try reader.load(Array(part), into: found, damaged: .thrown)
            }
            return Dictionary(found.rows.map { ($0.key, $0.row) }, uniquingKeysWith: { first, _ in first })
        }

        private static var rowsInStatement: Int { 1_000 }

        var mayRepeatVersions: Bool { store.log.hasLostCommits }

        func write(_ changes: ChangeSet) throws -> [StoredVersion] {
            let count = changes.deleted.count + changes.updated.count + changes.inserted.count
            writtenRowCount += count
            try extendIdleTime(forRows: count)
            try lockRows(of: changes)
            let stale = staleKeys(of: changes)
            if !stale.isEmpty { return try stored(stale) }
            if mayRepeatVersions {
                let others = try withOtherValues(changes)
                if !others.isEmpty { return others }
            }
            let writing = ServerWriting(store)
            let recording = try history?.statements(for: changes.historyEntries) ?? []
            var writes = try recording + writing.deletions(of: changes.deleted.map(\.key)).map { ServerWrite($0) }
            writes += try writing.updates(changes.updated)
            writes += try writing.insertions(changes.inserted)
            writes += try changes.links.flatMap(writing.statements).map { ServerWrite($0) }
            if changes.hasUniqueValues(store.directory) {
                let duplicates = try runOrFindDuplicates(
                    writes.map(\.statement), of: changes, recording: recording.map(\.statement))
                if !duplicates.isEmpty { return duplicates }
            } else {
                try runOrDelay(writes)
            }
            locked.noteWritten(changes)
            return []
        }

        // MARK: Conflicts

        /// Returns the objects whose locked version is not the one that their change is based on.
        private func staleKeys(of changes: ChangeSet) -> [ObjectKey] {
            // An object that was never read is deleted whatever its version is.
            let deleted = changes.deleted.filter { $0.base != nil }.map { (key: $0.key, base: $0.base) }
            let updated = changes.updated.map { (key: $0.key, base: $0.base) }
            return (deleted + updated).filter { locked.version(of: $0.key) != $0.base?.version }.map(\.key)
        }

        /// Returns the stored rows that have the versions which changes are based on, but other values.
        private func withOtherValues(_ changes: ChangeSet) throws -> [StoredVersion] {
            let bases =
                changes.updated.compactMap { change in change.base.map { (change.key, $0) } }
                + changes.deleted.compactMap { deletion in deletion.base.map { (deletion.key, $0) } }
            let rows = try rows(of: bases.map(\.0))
            return bases.compactMap { key, base in
                let layout = store.directory.layout(of: key)
                guard let row = rows[key] else { return StoredVersion(key: key, row: nil) }
                let isEqual = layout.entity.properties.allSatisfy { property in
                    property.isTransient || layout.isEqual(property.slot, in: row.pointer, and: base.pointer)
                }
                return isEqual ? nil : StoredVersion(key: key, row: row)
            }
        }

        // MARK: Running

        /// Runs statements behind those that wait.
        @discardableResult
        func run(_ statements: [PostgresStatement]) throws -> [PostgresResult] {
            do throws(PostgresFailure) {
                return try runUntranslated(statements)
            } catch {
                throw StoreError(failedWriting: error, in: store.schema.namespace)
            }
        }

        func runUntranslated(_ statements: [PostgresStatement]) throws(PostgresFailure) -> [PostgresResult] {
            try sendBeginning()
            if let failedLock { throw failedLock }
            if statements.isEmpty, waiting.isEmpty { return [] }
            var pipeline = PostgresPipeline(waiting.map(\.statement))
            let timeout = Self.sendingTime(of: statements.map(\.byteCount).max() ?? 0)
            // Before the first large statement: while one arrives that begins a part, the server counts its transaction as idle.
            let isLarge = timeout > .seconds(1)
            if isLarge { pipeline.append(Self.idleTimeout(idleTime + timeout)) }
            // What has waited is part of the first one.
            var partByteCount = pipeline.byteCount
            for statement in statements {
                if partByteCount > 0, partByteCount + statement.byteCount > Self.partByteCount {
                    pipeline.synchronize()
                    partByteCount = 0
                }
                partByteCount += statement.byteCount
                pipeline.append(statement)
            }
            if isLarge { pipeline.append(Self.idleTimeout(idleTime)) }
            let end = ContinuousClock.now + store.settings.timeout + Self.sendingTime(of: pipeline.byteCount)
            let answer = lease.connection.run(pipeline, until: end)
            let first = waiting.count + (isLarge ? 1 : 0)
            let sent = answer.outcomes.prefix(waiting.count).prefix { $0.result != nil }.count
            waiting.removeFirst(sent)
            if case .waiting(let position) = savepoint {
                savepoint = position < sent ? .sent : .waiting(position - sent)
            }
            return Array(try answer.results()[first...].prefix(statements.count))
        }

        /// The bytes that a part of a pipeline has at most, unless it is one statement. A process that is stopped or cut off
        /// behind a part, or within a statement that is one, does not keep its locks.
        static let partByteCount = 65_536

        /// The time that bytes may take to the server, at a megabit a second.
        private static func sendingTime(of byteCount: Int) -> Duration { .microseconds(8 * byteCount) }

        /// The time for which the server waits for a next statement in most transactions; see `ServerLog.settings`.
        private static var shortIdleTime: Duration { .seconds(5) }

        /// Lets the server wait longer for the next statement, if many rows are read, changed or encoded before it.
        func extendIdleTime(forRows count: Int) throws {
            let time = Self.shortIdleTime + ServerStoreSettings.workingTime(of: count)
            if time < idleTime + .seconds(1) { return }
            try run([Self.idleTimeout(time)])
            idleTime = time
        }

        private static func idleTimeout(_ duration: Duration) -> String {
            "SET LOCAL idle_in_transaction_session_timeout TO \(Int(duration / .milliseconds(1)))"
        }

        private func run(_ sql: [String]) throws { try run(sql.map { PostgresStatement($0) }) }
    }
#endif
