#if Postgres
    extension ServerURL {
        /// Returns libpq's parameters for one attempt to connect.
        func connectionParameters(host: ServerHost, address: String?) -> [(name: String, value: String)] {
            var all = Self.defaults.merging(parameters) { _, given in given }
            all["host"] = host.name
            all["hostaddr"] = address
            all["port"] = host.port.map { "\($0)" }
            all["dbname"] = database
            all["user"] = user
            all["password"] = password?.text
            all["client_encoding"] = "UTF8"
            return all.map { (name: $0.key, value: $0.value) }
        }

        private static let defaults = [
            "fallback_application_name": "DataMonk",
            // libpq would ask for Kerberos credentials first, which no deadline limits.
            "gssencmode": "disable",
            // A machine that vanished is noticed after 25 seconds, not after hours. For connections that wait for
            // notifications, and for requests to cancel.
            "keepalives_idle": "10", "keepalives_interval": "5", "keepalives_count": "3", "tcp_user_timeout": "25000",
        ]
    }
#endif
