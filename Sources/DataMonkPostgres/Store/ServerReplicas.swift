#if Postgres
    import DataMonkCore

    /// **Shared.** The standbys among a URL's hosts. The first one that can answers a read; if there is none, the primary does.
    ///
    /// A standby may fall behind without a limit. So the primary is asked now and then for what this process is to know.
    final class ServerReplicas: Sendable {
        private struct Looks {
            /// The last time at which the primary was asked, or has told what it has.
            var last = ContinuousClock.now
            /// The last time at which a failure was reported; `nil` if the primary has answered since.
            var lastReport: ContinuousClock.Instant?
        }

        private let replicas: [ServerReplica]
        private let timeout: Duration
        private let lookInterval: Duration
        private let looks = Locked(Looks())

        /// Returns `nil` if a URL does not prefer standbys, or demand them.
        init?(_ url: ServerURL, settings: ServerStoreSettings) {
            let preference = url.parameters["target_session_attrs"]
            guard let preference, ["prefer-standby", "standby", "read-only"].contains(preference) else { return nil }
            var url = url
            url.parameters["target_session_attrs"] = "standby"
            // So that not all processes read from the first one.
            replicas = url.hosts.shuffled().map { [url] in ServerReplica($0, of: url, settings: settings) }
            timeout = settings.replicaTimeout
            lookInterval = settings.pollInterval
        }

        /// Returns the time until which another server has to answer a read, before the next one is asked.
        func turnEnd(until deadline: ContinuousClock.Instant) -> ContinuousClock.Instant {
            let now = ContinuousClock.now
            return now + min(now.duration(to: deadline) / 4, timeout)
        }

        /// Opens a snapshot on a standby. Returns `nil` if none answers in a part of the time, or has all commits: the primary
        /// has the rest.
        func openReader(of store: ServerStore, until deadline: ContinuousClock.Instant) -> ServerReader? {
            let end = turnEnd(until: deadline)
            for (index, replica) in replicas.enumerated() {
                let now = ContinuousClock.now
                let share = now.duration(to: end) / (replicas.count - index)
                guard let reader = replica.openReader(of: store, until: now + share) else { continue }
                reader.deadline = deadline
                return reader
            }
            return nil
        }

        // MARK: Looks at the primary

        /// Returns whether a read has to ask the primary first. One does; others do not wait for it.
        func takesLook() -> Bool {
            looks.withLock { looks in
                let now = ContinuousClock.now
                guard looks.last + lookInterval < now else { return false }
                looks.last = now
                return true
            }
        }

        /// Notes that the primary has told what it has.
        func noteLook() { looks.withLock { $0 = Looks() } }

        /// Notes that the primary has not answered. The first failure since it last did is reported, and another one after each
        /// five minutes.
        func noteFailedLook(_ error: StoreError, of store: ServerStore) {
            let isNews = looks.withLock { looks in
                let now = ContinuousClock.now
                if let last = looks.lastReport, now < last + .seconds(300) { return false }
                looks.lastReport = now
                return true
            }
            if isNews { store.directory.report(StoreError.failedLook(error, in: store.schema.namespace)) }
        }

        func close() {
            for replica in replicas { replica.close() }
        }
    }
#endif
