#if Postgres
    /// **Value.** A parameter that a URL may set, from PostgreSQL's manual.
    enum ServerParameter {
        /// The parameters that are passed to libpq as they are. A libpq that is too old for one refuses it by its name.
        private static let passed: Set<String> = [
            "application_name", "channel_binding", "fallback_application_name", "gssdelegation", "gssencmode", "gsslib",
            "keepalives", "keepalives_count", "keepalives_idle", "keepalives_interval", "krbsrvname",
            "load_balance_hosts",
            "max_protocol_version", "min_protocol_version", "options", "passfile", "require_auth", "requirepeer",
            "ssl_max_protocol_version", "ssl_min_protocol_version", "sslcert", "sslcertmode", "sslcompression",
            "sslcrl",
            "sslcrldir", "sslkey", "sslmode", "sslnegotiation", "sslpassword", "sslrootcert", "sslsni",
            "target_session_attrs", "tcp_user_timeout",
        ]

        /// Parameters of PostgreSQL's that contradict what a store does itself: its text is UTF-8, its connections run
        /// statements, deadlines limit the time, and the addresses of hosts are looked up before libpq is asked.
        private static let refused: Set<String> = [
            "client_encoding", "connect_timeout", "hostaddr", "replication", "service", "servicefile",
        ]

        private static let values: [String: Set<String>] = [
            "sslmode": ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"],
            // Hosts are tried one by one, so a host cannot be taken only if all others are unsuitable. The store asks standbys
            // first by itself.
            "target_session_attrs": ["any", "read-write", "read-only", "primary", "standby", "prefer-standby"],
            "load_balance_hosts": ["disable"],
            // libpq would ask for Kerberos credentials, which no deadline limits.
            "gssencmode": ["disable"],
        ]

        /// Throws unless a store supports the parameter and, as far as it is known here, its value.
        static func check(_ name: String, value: String, number: Int) throws(ServerURLError) {
            if refused.contains(name) { throw .unsupportedParameter(name) }
            guard passed.contains(name) else { throw .unknownParameter(number: number) }
            if let values = values[name], !values.contains(value) { throw .invalidValue(parameter: name) }
        }
    }
#endif
