#if Postgres
    import CPostgres

    extension PostgresConnection {
        /// The oldest version with everything that a store needs.
        static var oldestServerVersion: Int32 { 140_000 }

        /// Checks what the server told of itself at the start of the connection. Before any statement runs.
        static func checkGreeting(_ handle: OpaquePointer) throws(PostgresFailure) {
            func parameter(_ name: String) -> String? { PQparameterStatus(handle, name).map { String(cString: $0) } }
            if parameter("crdb_version") != nil { throw otherEngine("CockroachDB") }
            let version = PQserverVersion(handle)
            let versionText = parameter("server_version") ?? "unknown"
            if versionText.contains("-YB-") { throw otherEngine("YugabyteDB") }
            guard version >= oldestServerVersion else {
                throw PostgresFailure(
                    .unsuitableServer,
                    message:
                        "The server is PostgreSQL \(plain(versionText)), too old for a store. Use version 14 or later."
                )
            }
            let encoding = parameter("server_encoding") ?? "unknown"
            guard encoding == "UTF8" else {
                throw PostgresFailure(
                    .unsuitableServer,
                    message: "The database is encoded in \(plain(encoding)). Create one with ENCODING 'UTF8'.")
            }
            // The role, the database or the URL may set them.
            for (name, value) in [("client_encoding", "UTF8"), ("standard_conforming_strings", "on")] {
                guard let found = parameter(name), found != value else { continue }
                throw PostgresFailure(
                    .unsuitableServer,
                    message:
                        "The server sets \(name) to \(plain(found)). Set it to \(value) for the role and the database."
                )
            }
        }

        /// Checks that the server is PostgreSQL, not another engine that speaks its protocol and states a version of it.
        func checkEngine(until deadline: ContinuousClock.Instant, interrupt: PostgresInterrupt?) throws(PostgresFailure)
        {
            var pipeline = PostgresPipeline()
            pipeline.append("SELECT pg_catalog.version()")
            // A part of its own: another engine may lack the table.
            pipeline.synchronize()
            pipeline.append("SELECT EXISTS (SELECT FROM pg_catalog.pg_extension WHERE extname = 'citus')")
            let answer = run(pipeline, until: deadline, interrupt: interrupt)
            if let result = answer.outcomes[0].result {
                // An answer that is no text is not PostgreSQL's.
                let version = try? result.required(String.self, row: 0, column: 0)
                guard let version else { throw Self.otherEngine("another engine") }
                try Self.checkVersion(version)
            }
            do {
                let isCitus = try answer.results()[1].required(Bool.self, row: 0, column: 0)
                if isCitus { throw Self.otherEngine("Citus") }
            } catch let failure as PostgresFailure {
                throw failure
            } catch {
                throw Self.otherEngine("another engine")
            }
        }

        /// Checks the answer of `version()`.
        static func checkVersion(_ version: String) throws(PostgresFailure) {
            guard version.hasPrefix("PostgreSQL ") else {
                throw otherEngine(version.split(separator: " ").first.map { plain(String($0)) } ?? "another engine")
            }
            let others = [
                "-YB-": "YugabyteDB", "Greenplum": "Greenplum", "Redshift": "Redshift", "Materialize": "Materialize",
            ]
            for (mark, engine) in others where version.contains(mark) { throw otherEngine(engine) }
        }

        private static func otherEngine(_ name: String) -> PostgresFailure {
            PostgresFailure(
                .unsuitableServer,
                message:
                    "The server is \(name), which lacks parts of PostgreSQL that a store needs. Use PostgreSQL itself."
            )
        }

        /// Returns the beginning of a word of the server's, without anything that is no letter, digit or punctuation of
        /// versions.
        private static func plain(_ text: String) -> String {
            String(text.prefix(40).filter { $0.isASCII && ($0.isLetter || $0.isNumber || " .-_()".contains($0)) })
        }
    }
#endif
