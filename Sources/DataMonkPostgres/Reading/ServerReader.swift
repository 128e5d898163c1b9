#if Postgres
    import DataMonkCore

    /// **Confined.** A snapshot on the server: a transaction that reads, and sees what was committed when it was opened.
    ///
    /// Opening, and each call, is one round trip; a condition that is evaluated in memory takes one more for each step of its
    /// paths.
    ///
    /// A snapshot is lost with its connection, with a deadline that passes, and with a statement that fails: it is a
    /// transaction. The server also ends one that rests for too long. It is given back at once; each further call throws, as
    /// after `end()`.
    final class ServerReader: StoreReader {
        private var lease: ServerLease
        let store: ServerStore
        /// The standby that the snapshot is on; `nil` for the primary.
        private var replica: ServerReplica?
        /// The state of the log in the snapshot.
        let head: ServerLog.Head
        /// A Boolean value indicating whether the reader ends the transaction, which then is its snapshot.
        private let ownsTransaction: Bool
        private var isLost = false
        private var hasAnswered = false
        var deadline: ContinuousClock.Instant?
        /// The end of the last statement.
        private var lastUse = ContinuousClock.now

        /// Opens a snapshot.
        ///
        /// Throws a ``PostgresFailure``, and a `ServerLog.OtherLog` if another connection has to be tried.
        ///
        /// - Parameter replica: The standby that the connection leads to; `nil` for the primary.
        init(
            snapshotOn lease: ServerLease, of store: ServerStore, replica: ServerReplica? = nil,
            until deadline: ContinuousClock.Instant
        ) throws {
            self.lease = lease
            self.store = store
            self.replica = replica
            ownsTransaction = true
            self.deadline = deadline
            head = try store.log.beginSnapshot(on: lease.connection, of: store.schema.namespace, until: deadline)
            if replica == nil {
                try head.requireLog(on: lease, of: store, until: deadline)
            } else {
                try head.requireReplica(on: lease, of: store, until: deadline)
            }
        }

        /// Reads what a transaction sees, which has the lease. It asks nothing about the log, and ends the transaction itself.
        init(_ lease: ServerLease, in store: ServerStore) {
            self.lease = lease
            self.store = store
            ownsTransaction = false
            head = ServerLog.Head()
        }

        var canBeLost: Bool { true }
        var isReplaceable: Bool { replica != nil && !hasAnswered }
        var isStanding: Bool { !isLost && lastUse.duration(to: .now) < store.settings.snapshotIdleTimeout * 0.8 }

        var isLast: Bool { lease.isLast }

        func end() {
            // A caller may still have the reader when another one has replaced it.
            isLost = true
            lease.end()
        }

        // MARK: Other processes

        func tellForeignCommits() throws -> ForeignCommitStatus { store.tell(head) }

        func lastPrimaryKey(of entity: Entity) throws -> Int64 { store.log.lastPrimaryKey(of: entity, in: head) }

        func primaryKeyLimit(of entity: Entity) throws -> Int64 {
            guard let place = store.schema.place(of: entity.root) else { return 0 }
            let sequence = store.schema.namespace.qualified(place.table.sequenceName)
            // Each value stands for a block of keys.
            let sql = "SELECT last_value + CASE WHEN is_called THEN $1 ELSE 0 END - 1 FROM \(sequence)"
            return try run(PostgresStatement(sql, values: ServerTable.keyBlockSize)).required(row: 0, column: 0)
        }

        // MARK: Fetches

        func fetch(_ fetch: ResolvedFetch, into sink: some RowSink) throws {
            guard let query = store.query(fetch) else { return }
            if !fetch.loadsValues {
                for key in try keys(fetch) { sink.takeFault(key) }
            } else if query.isWhole {
                try load(run(query.rowStatement(), of: fetch), query.plan, into: sink, damaged: .reported)
            } else {
                for object in try page(query) where sink.wants(object.objectKey) {
                    sink.take(object.objectKey, row: object.row)
                }
            }
        }

        func keys(_ fetch: ResolvedFetch) throws -> [ObjectKey] { try keys(fetch, damaged: .reported) }

        func keys(_ fetch: ResolvedFetch, damaged handling: DamagedRows.Handling) throws -> [ObjectKey] {
            guard let query = store.query(fetch) else { return [] }
            guard query.isWhole else { return try page(query).map(\.objectKey) }
            let result = try run(query.keyStatement(), of: fetch)
            let loader = ServerRowLoader(plan: query.plan, storeIndex: store.index)
            var damaged = DamagedRows(handling)
            var keys: [ObjectKey] = []
            for row in 0..<result.rowCount {
                do {
                    keys.append(try loader.key(of: result, row: row).key)
                } catch {
                    try damaged.add(store.damagedRow(error, in: result, row: row, plan: query.plan))
                }
            }
            damaged.report(to: store.directory)
            return keys
        }

        func count(_ fetch: ResolvedFetch) throws -> Int {
            guard let query = store.query(fetch) else { return 0 }
            guard query.rest == nil else { return fetch.pageCount(of: try matches(query).count) }
            let result = try run(query.countStatement(), of: fetch)
            return fetch.pageCount(of: Int(try result.required(Int64.self, row: 0, column: 0)))
        }

        func values(_ fetch: ResolvedFetch) throws -> ValueRows {
            let graph = ServerGraph(self, of: fetch)
            let candidates =
                try store.query(fetch).map { query in
                    try self.candidates(query.unpagedRowStatement(), of: query, in: graph)
                } ?? []
            let rows = try RowComposer(fetch) { [store] in AnyObjectID(key: $0, directory: store.directory) }
                .rows(of: candidates)
            try graph.requireReadable()
            return ValueRows(rows, of: fetch)
        }

        /// Returns the objects of a fetch. Throws if a row cannot be read.
        func objects(_ fetch: ResolvedFetch) throws -> [ServerObject] {
            try store.query(fetch).map { try page($0, damaged: .thrown) } ?? []
        }

        /// Returns the objects of the page, of a fetch that the server does not answer as a whole.
        private func page(
            _ query: ServerQuery, damaged: DamagedRows.Handling = .reported
        ) throws -> [ServerObject] {
            let matches = try matches(query, damaged: damaged)
            if query.isWhole { return matches }
            let sorted = query.fetch.sorted(matches)
            try matches.first?.graph.requireReadable()
            return query.fetch.page(sorted)
        }

        /// Returns the objects that satisfy the condition, in the order of their ids.
        private func matches(
            _ query: ServerQuery, damaged: DamagedRows.Handling = .reported
        ) throws -> [ServerObject] {
            let graph = ServerGraph(self, of: query.fetch)
            let candidates = try candidates(query.rowStatement(), of: query, in: graph, damaged: damaged)
            guard let rest = query.rest else { return candidates }
            var matches: [ServerObject] = []
            for (number, candidate) in candidates.enumerated() {
                if number & 255 == 255 { try query.fetch.requireTime() }
                if try rest.isTrue(of: candidate) { matches.append(candidate) }
                try graph.requireReadable()
            }
            return matches
        }

        /// Returns the objects that satisfy what the server says of the condition.
        private func candidates(
            _ statement: PostgresStatement, of query: ServerQuery, in graph: ServerGraph,
            damaged: DamagedRows.Handling = .reported
        ) throws -> [ServerObject] {
            let found = RowCollector()
            try load(run(statement, of: query.fetch), query.plan, into: found, damaged: damaged)
            return graph.objects(found.rows)
        }

        // MARK: Single objects

        func row(of key: ObjectKey, in arena: inout RowArena) throws -> Row? {
            let found = RowCollector()
            swap(&found.arena, &arena)
            defer { swap(&found.arena, &arena) }
            try load([key], into: found, damaged: .thrown)
            return found.rows.first?.row
        }

        func rows(of keys: [ObjectKey], into sink: some RowSink) throws {
            try load(keys, into: sink, damaged: .passedOver)
        }

        /// Reads the rows of some objects, within the time of a fetch that needs them.
        func load(
            _ keys: [ObjectKey], into sink: some RowSink, damaged: DamagedRows.Handling, of fetch: ResolvedFetch? = nil
        ) throws {
            let entities = store.directory.model.entities
            // One statement for each table, whatever sub-entities the rows are of.
            for (root, keys) in Dictionary(grouping: keys, by: { entities[$0.entityIndex].root.index }) {
                guard let reading = store.reading(of: entities[root]) else { continue }
                let statement = try reading.rows(withIDs: keys.map(\.primaryKey))
                // An object with the same id and another entity is another object.
                let wanted = Set(keys)
                try load(run(statement, of: fetch), reading.plan, into: sink, damaged: damaged) { key in
                    wanted.contains(key)
                }
            }
        }

        func version(of key: ObjectKey) throws -> Int64? {
            let entity = store.directory.model.entities[key.entityIndex]
            guard let place = store.schema.place(of: entity), let reading = store.reading(of: entity.root) else {
                return nil
            }
            // The caller of the snapshot may not know of it yet: its generation is found by versions.
            let hadAnswered = hasAnswered
            defer { hasAnswered = hadAnswered }
            let result = try run(reading.version(ofID: key.primaryKey, entityNumber: place.number))
            return result.rowCount == 0 ? nil : try result.required(row: 0, column: 0)
        }

        // MARK: Relationships

        func destinations(of relationship: Entity.Relationship, from key: ObjectKey, into sink: some RowSink) throws {
            guard let reading = store.destinationReading(of: relationship) else { return }
            try load(
                run(reading.statement(ownerIDs: [key.primaryKey])), reading.plan, into: sink, damaged: .thrown)
        }

        func destinations(
            of relationship: Entity.Relationship, from keys: [ObjectKey], into sink: some RowSink
        ) throws {
            try destinations(of: relationship, from: keys, into: sink, fetch: nil)
        }

        /// Reads the rows of a to-many's destinations, within the time of a fetch that needs them.
        func destinations(
            of relationship: Entity.Relationship, from keys: [ObjectKey], into sink: some RowSink, fetch: ResolvedFetch?
        ) throws {
            let reading = keys.isEmpty ? nil : store.destinationReading(of: relationship)
            let result = try reading.map { try run($0.statement(ownerIDs: keys.map(\.primaryKey)), of: fetch) }
            // Owners of several entities are in another order than their ids.
            var ranges: [Int64: Range<Int>] = [:]
            for row in 0..<(result?.rowCount ?? 0) {
                guard let result, let reading else { break }
                let owner: Int64 = try result.required(row: row, column: reading.plan.columns.count)
                ranges[owner] = (ranges[owner]?.lowerBound ?? row)..<row + 1
            }
            for key in keys {
                if let result, let reading, let range = ranges[key.primaryKey] {
                    try load(result, reading.plan, rows: range, into: sink, damaged: .thrown)
                }
                if !sink.ownerDidEnd() { return }
            }
        }

        // MARK: Running

        /// Runs a statement, which ends at the deadline of its fetch, or else at the reader's.
        func run(_ statement: PostgresStatement, of fetch: ResolvedFetch? = nil) throws -> PostgresResult {
            try fetch?.requireTime()
            if isLost { throw StoreError.lostSnapshot }
            let start = ContinuousClock.now
            let usual = start + (ownsTransaction ? store.settings.readTimeout : store.settings.timeout)
            let end = min(fetch?.deadline ?? deadline ?? usual, start + store.settings.timeout)
            while true {
                // The primary has the rest: a standby may freeze.
                let turnEnd = replica == nil ? end : start + start.duration(to: end) / 2
                do {
                    defer { lastUse = .now }
                    let result = try lease.connection.run(statement, until: turnEnd)
                    hasAnswered = true
                    return result
                } catch {
                    if movesToPrimary(after: error, since: start, until: end) { continue }
                    giveBackIfLost()
                    try fetch?.requireTime()
                    throw StoreError(failedReading: error, in: store.schema.namespace)
                }
            }
        }

        /// Continues on the primary, in place of a standby that does not answer a statement, whatever the reason, unless the
        /// caller or a value is that. Returns `false` if somebody has committed since, so that the primary shows another state.
        private func movesToPrimary(
            after failure: PostgresFailure, since start: ContinuousClock.Instant, until end: ContinuousClock.Instant
        ) -> Bool {
            guard let replica, ![.interrupted, .invalidUse].contains(failure.kind), !failure.isDataException
            else { return false }
            // A statement may take long on any server. One that is frozen opens no snapshot either.
            if failure.isDeadlinePassed {
                replica.rest()
            } else {
                replica.noteFailure(failure, since: start, of: store)
            }
            // Reason for try?: the failure of the standby is thrown.
            guard let other = try? store.openPrimaryReader(until: end), other.head.isContinued,
                other.head.position == head.position
            else { return false }
            // The last connection is given back after each call, by those who know that they have it from the beginning.
            if other.isLast, !isLast { return false }
            lease.end()
            lease = other.lease
            self.replica = nil
            return true
        }

        /// Returns the connection after a statement that has ended the transaction, so that nobody waits for the reader's
        /// owner, and a statement that still runs is cancelled.
        private func giveBackIfLost() {
            let connection = lease.connection
            guard ownsTransaction, connection.isSpent || connection.isInFailedTransaction else { return }
            end()
        }

        /// Passes the rows of a result to a sink.
        private func load(
            _ result: PostgresResult, _ plan: ServerRowPlan, rows: Range<Int>? = nil, into sink: some RowSink,
            damaged: DamagedRows.Handling, where isWanted: (ObjectKey) -> Bool = { _ in true }
        ) throws {
            let loader = ServerRowLoader(plan: plan, storeIndex: store.index)
            var damaged = DamagedRows(damaged)
            for row in rows ?? 0..<result.rowCount {
                do {
                    try loader.load(result, row: row, into: sink, where: isWanted)
                } catch {
                    try damaged.add(store.damagedRow(error, in: result, row: row, plan: plan))
                }
            }
            damaged.report(to: store.directory)
        }
    }
#endif
