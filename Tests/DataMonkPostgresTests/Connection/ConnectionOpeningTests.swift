#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Opening a connection, and the servers that are refused.
    @Suite struct ConnectionOpeningTests {
        /// A server that asks one user for a password.
        private static let locked = Result {
            let server = try PostgresServer(
                .init(authentication: ["local all locked scram-sha-256", "local all barred reject"]))
            let connection = try server.connect()
            for sql in [
                "CREATE ROLE locked LOGIN PASSWORD 'correct horse'", "CREATE ROLE barred LOGIN",
                "CREATE ROLE rare LOGIN CONNECTION LIMIT 0",
                "CREATE DATABASE ascii ENCODING 'SQL_ASCII' TEMPLATE template0",
            ] {
                _ = try connection.run(PostgresStatement(sql), until: farDeadline)
            }
            return server
        }

        private func failure(_ url: ServerURL) -> PostgresFailure? {
            #expect(throws: PostgresFailure.self) { try PostgresConnection(url, until: farDeadline) }
        }

        @Test func `a connection opens and runs a statement`() throws {
            let connection = try PostgresServer.shared.get().connect()
            let result = try connection.run(
                PostgresStatement("SELECT $1 + 1, $2", values: Int32(41), "ä"), until: farDeadline)
            #expect(try result.value(Int32.self, row: 0, column: 0) == 42)
            #expect(try result.value(String.self, row: 0, column: 1) == "ä")
            #expect(connection.serverVersion >= 140_000)
            connection.close()
            connection.close()
            #expect(throws: PostgresFailure.self) {
                try connection.run(PostgresStatement("SELECT 1"), until: farDeadline)
            }
        }

        @Test func `a parsed URL opens a connection`() throws {
            let folder = try PostgresServer.shared.get().folder.path.split(separator: "/").joined(separator: "%2F")
            let url = try ServerURL("postgresql://postgres@%2F\(folder)/postgres?application_name=it%27s")
            let name = try PostgresConnection(url, until: farDeadline).run(
                PostgresStatement("SELECT current_setting('application_name')"), until: farDeadline)
            #expect(try name.value(String.self, row: 0, column: 0) == "it's")
        }

        @Test func `a host of another kind than asked for is passed over`() throws {
            let readOnly = try PostgresServer(.init(settings: ["default_transaction_read_only = on"]))
            let server = try PostgresServer.shared.get()
            var url = readOnly.url()
            url.parameters["target_session_attrs"] = "read-write"
            #expect(failure(url)?.kind == .opening)
            url.hosts += server.url().hosts
            let folder = try PostgresConnection(url, until: farDeadline).run(
                PostgresStatement("SHOW unix_socket_directories"), until: farDeadline)
            #expect(try folder.value(String.self, row: 0, column: 0) == server.folder.path)
        }

        @Test func `a host that does not answer is not tried again before the one that has`() throws {
            let (proxy, attempts) = (FaultyProxy(try PostgresServer.shared.get()), Locked(0))
            proxy.setFault(
                .init(direction: .toClient, byteCount: 0, effect: .close) { attempts.withLock { $0 += 1 } })
            var url = proxy.url
            url.hosts += try PostgresServer.shared.get().url().hosts
            let address = ServerAddress(url)
            for _ in 0..<3 { #expect(try address.connect(until: farDeadline).host == url.hosts[1]) }
            #expect(attempts.withLock(\.self) == 1)
        }

        @Test func `the order of the URL counts again once no host can be used`() throws {
            let proxies = try (0..<2).map { _ in FaultyProxy(try PostgresServer.shared.get()) }
            var url = proxies[0].url
            url.hosts += proxies[1].url.hosts
            let address = ServerAddress(url)
            proxies[0].cut()
            #expect(try address.connect(until: farDeadline).host == url.hosts[1])
            proxies[1].cut()
            #expect(throws: PostgresFailure.self) { try address.connect(until: farDeadline) }
            for proxy in proxies { proxy.setFault(nil) }
            #expect(try address.connect(until: farDeadline).host == url.hosts[0])
        }

        // MARK: Refusals

        @Test func `a host that refuses the connection is passed over, as a former primary has to be`() throws {
            let (refusing, server) = (try Self.locked.get(), try PostgresServer.shared.get())
            for sql in ["CREATE ROLE locked LOGIN", "CREATE ROLE barred LOGIN", "CREATE DATABASE elsewhere"] {
                try server.run(sql)
            }
            var tooOld = server.url()
            let fake = FakeServer(.init(parameters: ["server_version": "13.14", "server_encoding": "UTF8"]))
            tooOld.hosts = fake.url.hosts
            let urls = [
                refusing.url(user: "locked", password: "wr0ng-h0rse"), refusing.url(user: "barred"),
                refusing.url(database: "elsewhere"), tooOld,
            ]
            for var url in urls {
                let refusal = failure(url)
                url.hosts.append(ServerHost(name: "/nonexistent", port: 1))
                // It tells more than that nobody is there, in whatever order.
                #expect(failure(url) == refusal && refusal?.isRefusal == true)
                url.hosts.reverse()
                #expect(failure(url) == refusal)
                url.hosts += server.url().hosts
                #expect(try PostgresConnection(url, until: farDeadline).host == server.url().hosts[0])
            }
        }

        @Test func `a password is asked for and accepted`() throws {
            let server = try Self.locked.get()
            let url = server.url(user: "locked", password: "correct horse")
            #expect(throws: Never.self) { try PostgresConnection(url, until: farDeadline) }
        }

        @Test func `a wrong password is refused, and named nowhere`() throws {
            let error = try #require(failure(try Self.locked.get().url(user: "locked", password: "wr0ng-h0rse")))
            #expect(error.sqlState == "28P01" && error.isAuthenticationRefused && error.kind == .opening)
            #expect(!"\(error)".contains("wr0ng") && !"\(error)".contains("locked"))
        }

        @Test func `a missing password and an unknown user are refused`() throws {
            let server = try Self.locked.get()
            #expect(failure(server.url(user: "locked"))?.kind == .opening)
            #expect(failure(server.url(user: "nobody"))?.isAuthenticationRefused == true)
            #expect(failure(server.url(user: "barred"))?.isAuthenticationRefused == true)
        }

        @Test func `a database that does not exist is told by its code`() throws {
            let error = failure(try Self.locked.get().url(database: "elsewhere"))
            #expect(error?.sqlState == "3D000" && error?.isUnknownDatabase == true)
        }

        @Test func `too many connections are told by their code`() throws {
            #expect(failure(try Self.locked.get().url(user: "rare"))?.isTooManyConnections == true)
        }

        @Test func `a database in another encoding is refused`() throws {
            let error = failure(try Self.locked.get().url(database: "ascii"))
            #expect(error?.kind == .unsuitableServer && error?.message.contains("SQL_ASCII") == true)
        }

        @Test func `settings that change the meaning of statements are refused`() throws {
            var url = try PostgresServer.shared.get().url()
            url.parameters = ["options": "-c standard_conforming_strings=off"]
            #expect(failure(url)?.kind == .unsuitableServer)
            url.parameters = ["options": "-c client_encoding=LATIN1"]
            let connection = try PostgresConnection(url, until: farDeadline)
            let encoding = try connection.run(PostgresStatement("SHOW client_encoding"), until: farDeadline)
            #expect(try encoding.value(String.self, row: 0, column: 0) == "UTF8")
        }

        @Test func `a parameter that libpq does not know is named`() throws {
            var url = try PostgresServer.shared.get().url()
            url.parameters = ["sslmode": "always"]
            #expect(failure(url)?.kind == .opening)
            url.parameters = ["no_such_parameter": "hunter2"]
            let error = failure(url)
            #expect(error?.kind == .opening && error?.message.contains("hunter2") == false)
        }

        @Test func `nobody listens`() {
            let error = failure(
                ServerURL(hosts: [ServerHost(name: "/nonexistent", port: 1)], password: ServerPassword("hunter2")))
            #expect(error?.kind == .opening && error.map { "\($0)".contains("hunter2") } == false)
        }

        @Test func `a server that repeats the password is not quoted`() throws {
            let fake = FakeServer(.init(repeatsPassword: true))
            let error = try #require(failure(fake.url))
            #expect(error.sqlState == "28P01")
            var text = "\(error)"
            dump(error, to: &text)
            #expect(!text.contains("tr0ub4dor"))
        }

        // MARK: Other engines

        @Test(arguments: [
            (["server_version": "13.14", "server_encoding": "UTF8"], "", "13.14", 0),
            (["server_version": "9.6.24", "server_encoding": "UTF8"], "", "9.6.24", 0),
            (["server_encoding": "UTF8"], "", "too old", 0),
            (["server_version": "16.2", "server_encoding": "LATIN1"], "", "LATIN1", 0),
            (["server_version": "16.2"], "", "unknown", 0),
            (
                ["server_version": "13.0.0", "server_encoding": "UTF8", "crdb_version": "CockroachDB CCL v24"], "",
                "CockroachDB", 0
            ),
            (["server_version": "15.2-YB-2.25.0.0-b0", "server_encoding": "UTF8"], "", "YugabyteDB", 0),
            (
                ["server_version": "15.2", "server_encoding": "UTF8"], "PostgreSQL 15.2-YB-2.25.0.0-b0 on x86",
                "YugabyteDB", 2
            ),
            (
                ["server_version": "14.0.0", "server_encoding": "UTF8"], "CockroachDB CCL v24.1.0 (x86)", "CockroachDB",
                2
            ),
            (["server_version": "16.0", "server_encoding": "UTF8"], "", "another engine", 2),
        ])
        func `another engine or version is refused`(
            parameters: [String: String], version: String, named: String, statements: Int
        ) throws {
            let fake = FakeServer(.init(parameters: parameters, answer: version))
            let error = try #require(failure(fake.url))
            #expect(error.kind == .unsuitableServer && error.message.contains(named), "\(error)")
            #expect(fake.executedCount <= statements)
        }

        // MARK: TLS

        @Test func `encrypted connections read and write large values`() throws {
            let (server, certificate) = try Self.encrypting.get()
            let url = ServerURL(
                hosts: [ServerHost(name: "localhost", port: server.port)], database: "postgres", user: "postgres",
                parameters: ["sslmode": "verify-full", "sslrootcert": certificate.path])
            let connection = try PostgresConnection(url, until: farDeadline)
            let encrypted = PostgresStatement("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
            #expect(try connection.run(encrypted, until: farDeadline).value(Bool.self, row: 0, column: 0) == true)
            var pipeline = PostgresPipeline()
            for size in [0, 1, 8_100, 8_192, 16_384, 16_385, 1_000_000] {
                let data = Data(repeating: UInt8(size % 251), count: size)
                for _ in 0..<20 { pipeline.append(try PostgresStatement("SELECT $1", values: data)) }
            }
            #expect(
                try connection.run(pipeline, until: farDeadline).results().last?.value(row: 0, column: 0)
                    == Data(repeating: UInt8(1_000_000 % 251), count: 1_000_000))
            connection.close()
        }

        @Test func `a certificate of somebody else is refused`() throws {
            let (server, certificate) = try Self.encrypting.get()
            let url = ServerURL(
                hosts: [ServerHost(name: "127.0.0.1", port: server.port)], database: "postgres", user: "postgres",
                parameters: ["sslmode": "verify-full", "sslrootcert": certificate.path])
            #expect(failure(url)?.kind == .opening)
        }

        /// A server on TCP that accepts encrypted connections only, and the file of its certificate.
        private static let encrypting = Result {
            let port = LocalSocket.listening()
            port.socket.close()
            var options = PostgresServer.Options(authentication: ["hostssl all all 127.0.0.1/32 trust"])
            options.port = port.port
            options.certificate = try certificate()
            let server = try PostgresServer(options)
            return (server, server.folder.appendingPathComponent("tls.crt"))
        }

        /// Returns a certificate for `localhost`, and its key.
        private static func certificate() throws -> (certificate: String, key: String) {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments =
                "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
                .split(
                    separator: " "
                ).map(String.init) + ["-addext", "subjectAltName=DNS:localhost", "-keyout", "-"]
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return (text, text)
        }
    }
#endif
