#if Postgres
    import DataMonkCore

    /// **Shared.** A URL whose hosts are tried from the one on that the last connection leads to: another one may not answer,
    /// and would take a part of the time that each connection has to be opened. If no host can be used, the URL's order counts
    /// again.
    final class ServerAddress: Sendable {
        private let url: ServerURL
        private let lastHost = Locked<ServerHost?>(nil)

        init(_ url: ServerURL) { self.url = url }

        /// Opens a connection.
        func connect(
            until deadline: ContinuousClock.Instant, interrupt: PostgresInterrupt? = nil
        ) throws(PostgresFailure) -> PostgresConnection {
            var url = url
            let last = lastHost.withLock(\.self)
            if let last { url.hosts = [last] + url.hosts.filter { $0 != last } }
            do throws(PostgresFailure) {
                let connection = try PostgresConnection(url, until: deadline, interrupt: interrupt)
                let host = connection.host
                lastHost.withLock { $0 = host }
                return connection
            } catch {
                // Another caller may have found a better one meanwhile.
                if error.kind != .interrupted { lastHost.withLock { if $0 == last { $0 = nil } } }
                throw error
            }
        }
    }
#endif
