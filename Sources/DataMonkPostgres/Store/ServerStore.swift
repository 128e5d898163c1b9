#if Postgres
    import DataMonkCore
    import DataMonkSQL
    import Foundation

    /// **Shared.** A store on a server: its tables, its connections, and the place of this process in its log.
    final class ServerStore: PersistentStore {
        let identifier: UUID
        let configuration: String?
        let directory: ObjectDirectory
        /// The index of the store among the coordinator's stores.
        let index: Int
        let schema: ServerSchema
        let settings: ServerStoreSettings
        let log: ServerLog
        let keys = ServerKeys()
        /// The address of the primary.
        let primary: ServerAddress
        /// The indexes of entities in the model, by their numbers.
        let entityIndices: [Int32: Int]
        let pool: ServerPool
        /// The standbys that are read from; `nil` unless the URL prefers them.
        private let replicas: ServerReplicas?
        /// The only connection that writes.
        let writer: ServerPool
        /// The columns of the rows of each entity and its sub-entities, by its index.
        private let rowPlans: [Int: ServerRowPlan]
        /// The readings by the index of the root entity.
        private let readings: [Int: ServerReading]
        private let destinationReadings: [Entity.Relationship: ServerDestinationReading]
        private let hasReportedLostHistory = Locked(false)

        /// Opens a store, which is created if it does not exist.
        ///
        /// Throws a `StoreError` if the database cannot have it, or has another one, and a ``PostgresFailure`` if the server
        /// cannot be reached.
        init(
            _ url: ServerURL, namespace: ServerNamespace, directory: ObjectDirectory, index: Int,
            configuration: String? = nil, settings: ServerStoreSettings = ServerStoreSettings()
        ) throws {
            let deadline = ContinuousClock.now + settings.timeout
            replicas = ServerReplicas(url, settings: settings)
            var primaryURL = url
            primaryURL.parameters["target_session_attrs"] = "primary"
            primary = ServerAddress(primaryURL)
            pool = ServerPool(primary, capacity: settings.readerCount, timeout: settings.timeout)
            writer = ServerPool(primary, capacity: 1, timeout: settings.timeout)
            let lease = try pool.lease(until: deadline)
            defer { lease.end() }
            let opening = ServerStoreOpening(
                connection: lease.connection, model: directory.model, configuration: configuration,
                namespace: namespace, deadline: deadline, report: { directory.report($0) })
            let opened = try opening.open()
            if settings.tracksHistory { try opening.addHistory() }
            identifier = opened.identifier
            schema = opened.schema
            let checksum = StoreMetadata.checksum(ofMembers: opened.schema.members, of: directory.model)
            log = ServerLog(
                of: opened.identifier, startingAt: opened.lastPosition,
                version: ServerLog.Version(number: opened.version, checksum: checksum),
                snapshotIdleTimeout: settings.snapshotIdleTimeout)
            self.configuration = configuration
            self.directory = directory
            self.index = index
            self.settings = settings
            entityIndices = Dictionary(
                uniqueKeysWithValues: opened.schema.model.entities.compactMap { entity in
                    opened.schema.place(of: entity).map { ($0.number, entity.index) }
                })
            (rowPlans, readings, destinationReadings) = Self.statements(of: opened.schema)
        }

        private static func statements(
            of schema: ServerSchema
        ) -> ([Int: ServerRowPlan], [Int: ServerReading], [Entity.Relationship: ServerDestinationReading]) {
            var plans: [Int: ServerRowPlan] = [:]
            var readings: [Int: ServerReading] = [:]
            var destinationReadings: [Entity.Relationship: ServerDestinationReading] = [:]
            for place in schema.model.entities.compactMap(schema.place) {
                let plan = ServerRowPlan(place.entity, in: schema)
                plans[place.entity.index] = plan
                if place.entity.superentity == nil {
                    readings[place.entity.index] = ServerReading(place, plan, in: schema)
                }
            }
            for relationship in schema.model.entities.flatMap(\.relationships) where relationship.isToMany {
                guard let plan = plans[relationship.destination.index] else { continue }
                destinationReadings[relationship] = ServerDestinationReading(relationship, plan, in: schema)
            }
            return (plans, readings, destinationReadings)
        }

        /// `nil`: the URL of a server is no file's, and may contain a password.
        var url: URL? { nil }

        // MARK: Reading

        func openReader(until deadline: () -> ContinuousClock.Instant?) throws -> any StoreReader {
            try openPrimaryReader(until: readingEnd(deadline()))
        }

        func openReplicaReader(until deadline: () -> ContinuousClock.Instant?) throws -> any StoreReader {
            let end = readingEnd(deadline())
            // The main actor does not wait for a standby in vain.
            guard !MainQueue.isCurrent, let replicas else { return try openPrimaryReader(until: end) }
            if replicas.takesLook() {
                do {
                    return try openPrimaryReader(until: replicas.turnEnd(until: end))
                } catch let error as StoreError where error.underlyingError is PostgresFailure || error.code == .timeout
                {
                    // Without the primary, the standbys go on answering. It was not asked if all connections were in use.
                    if error.underlyingError is PostgresFailure { replicas.noteFailedLook(error, of: self) }
                }
            }
            return try replicas.openReader(of: self, until: end) ?? openPrimaryReader(until: end)
        }

        /// Returns the time by which a snapshot is to be open.
        private func readingEnd(_ deadline: ContinuousClock.Instant?) -> ContinuousClock.Instant {
            let now = ContinuousClock.now
            // A second at least, which a server that answers does not need. What is read after the deadline would get
            // substitutes otherwise.
            let end = max(deadline ?? now + settings.readTimeout, now + .seconds(1))
            return min(end, now + settings.timeout)
        }

        /// Opens a snapshot on the primary.
        func openPrimaryReader(until deadline: ContinuousClock.Instant) throws -> ServerReader {
            do {
                return try lend(from: pool, until: deadline) {
                    try ServerReader(snapshotOn: $0, of: self, until: deadline)
                }
            } catch let failure as PostgresFailure {
                throw StoreError(failedReading: failure, in: schema.namespace)
            }
        }

        func beginTransaction() throws -> any StoreTransaction { try beginTransaction(for: nil, lockingUntil: nil) }

        func beginTransaction(
            for changes: ChangeSet?, lockingUntil deadline: ContinuousClock.Instant?
        ) throws -> any StoreTransaction {
            do {
                return try lend(from: writer, until: .now + settings.timeout) {
                    try ServerTransaction($0, store: self, for: changes, lockingUntil: deadline)
                }
            } catch let failure as PostgresFailure {
                throw StoreError(failedWriting: failure, in: schema.namespace)
            }
        }

        /// A margin of as much as a minute is for a machine that is busy.
        var landingTime: Duration {
            MainQueue.isCurrent ? settings.readTimeout : settings.timeout + settings.lookUpTimeout + .seconds(60)
        }

        var contentionTime: Duration? { settings.contentionTime }

        /// Lends a connection to a new owner. One that was idle may have been lost long ago, or lead to a server that another
        /// one has replaced, or that has forgotten its statements: then another one is tried.
        private func lend<Owner>(
            from pool: ServerPool, until deadline: ContinuousClock.Instant, to makeOwner: (ServerLease) throws -> Owner
        ) throws -> Owner {
            while true {
                // Before a statement is sent, after which the connection would be spent.
                guard ContinuousClock.now < deadline else { throw PostgresFailure.deadlinePassed }
                let lease = try pool.lease(until: deadline)
                do {
                    return try makeOwner(lease)
                } catch let failure as PostgresFailure where failure.isOfOldConnection && lease.wasIdle {
                    lease.connection.close()
                    lease.end()
                } catch let failure as PostgresFailure where failure.isDeadlinePassed && lease.wasIdle {
                    // The others may lead to the same server, which may never answer any more.
                    pool.dropIdle()
                    throw failure
                } catch is ServerLog.OtherLog {
                    lease.connection.close()
                    lease.end()
                    // Only behind a pooler can a new connection to the primary lead to a standby.
                    if !lease.wasIdle { throw StoreError.lateStandby }
                }
            }
        }

        /// Notifies the observer of the foreign commits in a snapshot.
        func tell(_ head: ServerLog.Head, isCommitting: Bool = false) -> ForeignCommitStatus {
            // The sequences may have lost what was taken from them. Before others can know that.
            if !head.isContinued { keys.dropAll() }
            let (status, loss) = log.tell(head, isCommitting: isCommitting)
            if !head.isStandby { replicas?.noteLook() }
            report(loss)
            return status
        }

        /// Notes that the observer was told of the foreign commits up to one of this process.
        func noteTold(_ head: ServerLog.Head) { report(log.noteTold(head)) }

        private func report(_ loss: ServerLog.Loss?) {
            if let loss { directory.report(StoreError.lostCommits(loss, in: schema.namespace)) }
        }

        /// Reports, once, that the history this process has asked for is not kept any more.
        func reportLostHistory() {
            if !settings.tracksHistory { return }
            let isReported = hasReportedLostHistory.withLock { isReported in
                defer { isReported = true }
                return isReported
            }
            if !isReported { directory.report(StoreError.lostHistory(in: schema.namespace)) }
        }

        /// Throws a `StoreError` if the tables are those of another store than the one that was opened: the numbers of its
        /// entities, and the ids of its objects, are other ones.
        func requireIdentity(on connection: PostgresConnection, until deadline: ContinuousClock.Instant) throws {
            let statement = PostgresStatement("SELECT identifier FROM \(schema.namespace.qualified("_store"))")
            let found = try connection.run(statement, until: deadline).column(of: UUID.self)
            if found != [identifier] { throw StoreError.replacedStore(in: schema.namespace) }
        }

        /// Reports a commit that is on the primary's disk, but perhaps not on that of its standby.
        func reportUnconfirmedReplication(of answer: PipelineAnswer) {
            if answer.isReplicationUnconfirmed { directory.report(StoreError.unconfirmedReplication) }
        }

        func observeForeignCommits(_ observer: @escaping ForeignCommitObserver) { log.observe(observer) }

        func watchForeignCommits(_ block: @escaping @Sendable () -> Void) -> (any AnyObject & Sendable)? {
            var interrupt: PostgresInterrupt?
            do { interrupt = settings.listens ? try PostgresInterrupt() : nil } catch {
                // No descriptors may be left. Looks now and then take none of their own.
                directory.report(StoreError.failedListening(error, in: schema.namespace))
            }
            let (log, directory, namespace) = (log, directory, schema.namespace)
            let listener = interrupt.map {
                (
                    ServerWatch.Listener(
                        address: primary, channel: log.channel, process: log.process, timeout: settings.timeout,
                        lastNumber: ServerLog.Position.lastStatement(in: namespace),
                        knownNumber: { log.position.number },
                        report: { directory.report(StoreError.failedListening($0, in: namespace)) }),
                    interrupt: $0
                )
            }
            return ServerWatch(interval: settings.pollInterval, listener: listener, look: block)
        }

        func lookForForeignCommits() throws -> ForeignCommitStatus {
            let reader = try openReader()
            defer { reader.end() }
            return try reader.tellForeignCommits()
        }

        func metadata() throws -> [String: ManagedValue] {
            let reader = try openReader()
            defer { reader.end() }
            guard let reader = reader as? ServerReader else { return [:] }
            let result = try reader.run(
                PostgresStatement("SELECT metadata FROM \(schema.namespace.qualified("_store"))"))
            let metadata = try StoreMetadata(propertyList: result.required(Data.self, row: 0, column: 0))
            return metadata.managedValues.merging(["NSStoreUUID": .string(identifier.uuidString)]) { _, own in own }
        }

        func close() throws {
            writer.close()
            pool.close()
            replicas?.close()
        }

        // MARK: Statements

        /// Returns a fetch as a query; `nil` if the store does not have the entity.
        func query(_ fetch: ResolvedFetch) -> ServerQuery? {
            guard let place = schema.place(of: fetch.entity), let plan = rowPlans[fetch.entity.index] else {
                return nil
            }
            return ServerQuery(fetch, place: place, plan: plan, store: self)
        }

        /// Returns the columns of an entity's rows; `nil` if the store does not have the entity.
        func rowPlan(of entity: Entity) -> ServerRowPlan? { rowPlans[entity.index] }

        /// Returns the statements for the rows of a root entity's table; `nil` if the store does not have the entity.
        func reading(of root: Entity) -> ServerReading? { readings[root.index] }

        /// Returns the statement for a to-many's destinations; `nil` if it is not stored.
        func destinationReading(of relationship: Entity.Relationship) -> ServerDestinationReading? {
            destinationReadings[relationship]
        }

        /// Returns the error for a row that cannot be read, with the entity and the URI of its object.
        func damagedRow(
            _ cause: any Error, in result: PostgresResult, row: Int, plan: ServerRowPlan
        ) -> StoreError {
            var error = cause as? StoreError ?? StoreError(.corrupt, "A row cannot be read. \(cause)")
            // Reason for try?: the row is damaged, and this part of it may be the reason.
            let number = try? result.value(Int32.self, row: row, column: 1)
            let id = try? result.value(Int64.self, row: row, column: 0)
            guard let number, let fields = plan.entities[number] else { return error }
            error.entityName = fields.place.entity.name
            guard let id else { return error }
            error.objectURI = "x-coredata://\(identifier.uuidString)/\(fields.place.entity.name)/p\(id)"
            return error
        }
    }
#endif
