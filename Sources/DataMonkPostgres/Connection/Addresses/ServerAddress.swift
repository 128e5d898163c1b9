#if Postgres
    import DataMonkCore

    /// **Shared.** A URL whose hosts are tried from the one on that the last connection leads to: another one may not answer,
    /// and would take a part of the time that each connection has to be opened.
    final class ServerAddress: Sendable {
        private let url: ServerURL
        private let lastHost = Locked<ServerHost?>(nil)

        init(_ url: ServerURL) { self.url = url }

        /// Opens a connection.
        func connect(
            until deadline: ContinuousClock.Instant, interrupt: PostgresInterrupt? = nil
        ) throws(PostgresFailure) -> PostgresConnection {
            var url = url
            if let last = lastHost.withLock(\.self) { url.hosts = [last] + url.hosts.filter { $0 != last } }
            let connection = try PostgresConnection(url, until: deadline, interrupt: interrupt)
            let host = connection.host
            lastHost.withLock { $0 = host }
            return connection
        }
    }
#endif
