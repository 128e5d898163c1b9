#if Postgres
    import DataMonkCore

    /// **Shared.** A host that may be a standby. It answers a read if it has all commits that this process knows: its snapshot
    /// has the row of the log that the process has read last, and its last acknowledged commit.
    ///
    /// ```
    /// in use    all reads     late: rests for a moment; failed: rests
    /// resting   none          after a pause, one read tries: in use, or rests for twice as long
    /// ```
    final class ServerReplica: Sendable {
        private struct State {
            /// The time until which it is not asked; `nil` while it answers.
            var restEnd: ContinuousClock.Instant?
            var pauses = ServerWatch.Pauses(from: 0.01)
            /// The last time at which it was found not to be a standby that answers.
            var lastFailure: ContinuousClock.Instant?
            /// The last time at which it was found not to answer.
            var lastSilence: ContinuousClock.Instant?
        }

        let host: ServerHost
        private let pool: ServerPool
        /// The time for which others do not ask while one read tries.
        private let timeout: Duration
        private let state = Locked(State())

        /// - Parameter url: The URL of standbys.
        init(_ host: ServerHost, of url: ServerURL, settings: ServerStoreSettings) {
            var url = url
            url.hosts = [host]
            self.host = host
            pool = ServerPool(ServerAddress(url), capacity: settings.readerCount, timeout: settings.timeout)
            timeout = settings.replicaTimeout
        }

        /// Opens a snapshot. Returns `nil` if the standby does not answer in time, or does not have all commits.
        func openReader(of store: ServerStore, until end: ContinuousClock.Instant) -> ServerReader? {
            let start = ContinuousClock.now
            // Another connection may be free.
            guard !pool.isExhausted, mayAsk(at: start) else { return nil }
            do {
                let reader = try open(store, until: end)
                state.withLock { ($0.restEnd, $0.pauses) = (nil, State().pauses) }
                return reader
            } catch {
                noteFailure(error, since: start, of: store)
                return nil
            }
        }

        private func open(_ store: ServerStore, until end: ContinuousClock.Instant) throws -> ServerReader {
            while true {
                // Before a statement is sent, after which the connection would be spent.
                guard ContinuousClock.now < end else { throw PostgresFailure.deadlinePassed }
                let lease = try pool.lease(until: end)
                do {
                    return try ServerReader(snapshotOn: lease, of: store, replica: self, until: end)
                } catch let failure as PostgresFailure where failure.isOfOldConnection && lease.wasIdle {
                    // Another one may have been opened since.
                    lease.connection.close()
                    lease.end()
                } catch {
                    // The others may lead to the same server, which may never answer any more.
                    if (error as? PostgresFailure)?.isDeadlinePassed == true, lease.wasIdle { pool.dropIdle() }
                    // Its store may not have been found to be this one, which only new connections are asked for.
                    if !(error is ServerLog.OtherLog) { lease.connection.close() }
                    throw error
                }
            }
        }

        /// Returns whether the standby may be asked. After a rest, one read asks, and the others do not wait for what it finds.
        private func mayAsk(at now: ContinuousClock.Instant) -> Bool {
            state.withLock { state in
                guard let end = state.restEnd else { return true }
                if end > now { return false }
                state.restEnd = now + timeout
                return true
            }
        }

        /// Lets the standby rest for a moment, though it has not failed.
        func rest() { state.withLock { $0.restEnd = .now + .milliseconds(20) } }

        /// Notes that a read has failed which had asked the standby at a certain time. Failures of reads that go on at once are
        /// one, and the first of several is reported, and another one after five minutes without.
        func noteFailure(_ error: any Error, since start: ContinuousClock.Instant, of store: ServerStore) {
            if Self.isOfRead(error) { return rest() }
            let isPrimary = (error as? PostgresFailure)?.isOtherThanStandby == true
            let isNews = state.withLock { state in
                let now = ContinuousClock.now
                if let last = state.lastFailure, start < last { return false }
                state.lastFailure = now
                state.restEnd = now + state.pauses.next()
                if isPrimary { return false }
                defer { state.lastSilence = now }
                return state.lastSilence.map { $0 + .seconds(300) < now } ?? true
            }
            if isNews { store.directory.report(StoreError.failedReplica(error, on: host, in: store.schema.namespace)) }
        }

        /// Returns whether the standby answers, although it could not answer a read.
        private static func isOfRead(_ error: any Error) -> Bool {
            switch error {
            // Commits take no longer to it, as a rule.
            case is ServerLog.OtherLog: true
            case let failure as PostgresFailure:
                // One that lacks the tables has not heard of them yet. The others are conflicts with its recovery, and the
                // end of a snapshot that has rested for too long.
                failure.isUnknownName || failure.isSerializationFailure || failure.isDeadlock || failure.isIdleTimeout
            // The primary tells, or has a connection.
            case let error as StoreError: error.code != .fileMoved
            default: false
            }
        }

        func close() { pool.close() }
    }
#endif
