#if Postgres
    import DataMonkCore

    /// **Shared.** The standbys among a URL's hosts. The first one that can answers a read; if there is none, the primary does.
    ///
    /// A standby may fall behind without a limit. So the primary is asked now and then for what this process is to know.
    final class ServerReplicas: Sendable {
        private let replicas: [ServerReplica]
        private let timeout: Duration
        private let lookInterval: Duration
        /// The last time at which the primary was asked.
        private let lastLook = Locked(ContinuousClock.now)

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
            lastLook.withLock { last in
                let now = ContinuousClock.now
                guard last + lookInterval < now else { return false }
                last = now
                return true
            }
        }

        /// Notes that the primary has told what it has.
        func noteLook() { lastLook.withLock { $0 = .now } }

        func close() {
            for replica in replicas { replica.close() }
        }
    }
#endif
