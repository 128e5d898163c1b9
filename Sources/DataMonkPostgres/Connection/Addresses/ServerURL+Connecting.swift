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
            // Last, so that nothing replaces it: libpq would ask for Kerberos credentials first, which no deadline limits.
            all["gssencmode"] = "disable"
            return all.map { (name: $0.key, value: $0.value) }
        }

        /// The environment's variables by which libpq chooses a server, a database or a user, or encrypts, with the
        /// parameters that take precedence. Credentials are not among them.
        private static let decisiveVariables = [
            "PGDATABASE": "dbname", "PGHOST": "host", "PGHOSTADDR": "hostaddr", "PGOPTIONS": "options",
            "PGPORT": "port",
            "PGREQUIRESSL": "sslmode", "PGSERVICE": "service", "PGSSLMODE": "sslmode",
            "PGTARGETSESSIONATTRS": "target_session_attrs", "PGUSER": "user",
        ]

        /// Throws if a variable of the environment would decide on the connection in place of the URL. libpq reads them
        /// where a parameter is not given, and some parameters cannot be given without a value.
        static func checkEnvironment(
            _ environment: [String: String], with parameters: [(name: String, value: String)]
        ) throws(PostgresFailure) {
            // libpq takes an empty value for none.
            let given = Set(parameters.filter { !$0.value.isEmpty }.map(\.name))
            let found = decisiveVariables.filter { variable, parameter in
                !given.contains(parameter) && environment[variable]?.isEmpty == false
            }
            guard let variable = found.keys.min() else { return }
            throw PostgresFailure(
                .invalidUse,
                message:
                    "The environment's variable \(variable) would decide on the connection. Unset it, and use the URL instead."
            )
        }

        private static let defaults = [
            "fallback_application_name": "DataMonk",
            // A machine that vanished is noticed after 25 seconds, not after hours. For connections that wait for
            // notifications, and for requests to cancel.
            "keepalives_idle": "10", "keepalives_interval": "5", "keepalives_count": "3", "tcp_user_timeout": "25000",
        ]
    }
#endif
