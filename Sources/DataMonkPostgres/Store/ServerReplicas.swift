#if Postgres
    import DataMonkCore

    /// **Shared.** The standbys among a URL's hosts. One of them answers a read if it has all commits that this process knows:
    /// its snapshot has the row of the log that the process has read last, and its last acknowledged commit.
    ///
    /// ```
    /// in use    all reads     late: rests for a moment; failed: rests
    /// resting   none          after a pause, one read tries: in use, or rests for twice as long
    /// ```
    /// Whoever finds no standby in use reads from the primary.
    final class ServerReplicas: Sendable {
        private struct State {
            /// The time until which no standby is asked; `nil` while they answer.
            var restEnd: ContinuousClock.Instant?
            var pauses = ServerWatch.Pauses(from: 0.01)
            var hasReported = false
        }

        private let pool: ServerPool
        private let timeout: Duration
        private let state = Locked(State())

        /// Returns `nil` if a URL does not prefer standbys, or demand them.
        init?(_ url: ServerURL, settings: ServerStoreSettings) {
            let preference = url.parameters["target_session_attrs"]
            guard let preference, ["prefer-standby", "standby", "read-only"].contains(preference) else { return nil }
            var url = url
            url.parameters["target_session_attrs"] = "standby"
            // So that not all processes read from the first one.
            url.hosts.shuffle()
            pool = ServerPool(ServerAddress(url), capacity: settings.readerCount, timeout: settings.timeout)
            timeout = settings.replicaTimeout
        }

        /// Opens a snapshot on a standby. Returns `nil` if none answers in a part of the time, or has all commits: the primary
        /// has the rest.
        func openReader(of store: ServerStore, until deadline: ContinuousClock.Instant) -> ServerReader? {
            let now = ContinuousClock.now
            // A connection of the primary may be free.
            guard !pool.isExhausted, mayAsk(at: now) else { return nil }
            let end = now + min(now.duration(to: deadline) / 4, timeout)
            do {
                let reader = try open(store, until: end)
                reader.deadline = deadline
                state.withLock { $0 = State() }
                return reader
            } catch {
                noteFailure(error, of: store)
                return nil
            }
        }

        private func open(_ store: ServerStore, until end: ContinuousClock.Instant) throws -> ServerReader {
            while true {
                let lease = try pool.lease(until: end)
                do {
                    return try ServerReader(snapshotOn: lease, of: store, replicas: self, until: end)
                } catch let failure as PostgresFailure where failure.isConnectionLost && lease.wasIdle {
                    // Another one may have been opened since.
                    lease.end()
                } catch {
                    // Its store may not have been found to be this one, which only new connections are asked for.
                    if !(error is ServerLog.OtherLog) { lease.connection.close() }
                    throw error
                }
            }
        }

        /// Returns whether a standby may be asked. After a rest, one read asks, and the others wait for what it finds.
        private func mayAsk(at now: ContinuousClock.Instant) -> Bool {
            state.withLock { state in
                guard let end = state.restEnd else { return true }
                if end > now { return false }
                state.restEnd = now + timeout
                return true
            }
        }

        /// Notes that a standby has not answered, or has lost a snapshot. The first of several failures is reported; that it is
        /// late is none.
        func noteFailure(_ error: any Error, of store: ServerStore) {
            let isNews = state.withLock { state in
                // One that lacks the tables has not heard of them yet.
                if error is ServerLog.OtherLog || (error as? PostgresFailure)?.isUnknownName == true {
                    // It answers. Commits take no longer to it, as a rule.
                    state = State(restEnd: .now + .milliseconds(20))
                    return false
                }
                state.restEnd = .now + state.pauses.next()
                defer { state.hasReported = true }
                return !state.hasReported
            }
            if isNews { store.directory.report(StoreError.failedReplica(error, in: store.schema.namespace)) }
        }

        func close() { pool.close() }
    }
#endif
