#if Postgres
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// **Shared.** A private PostgreSQL server in a temporary folder, reached by a Unix socket in it.
    ///
    /// A shell supervises the server. It stops the server and removes the folder as soon as its standard input ends: at
    /// `stop()`, when the object is released, and when this process ends in whatever way.
    final class PostgresServer: Sendable {
        /// Settings of a server.
        struct Options: Sendable {
            var flushesToDisk = false
            /// Lines of `postgresql.conf`.
            var settings: [String] = []
            /// Lines of `pg_hba.conf` before the one that trusts everybody.
            var authentication: [String] = []
            var encoding = "UTF8"
            /// A Boolean value indicating whether the server is a standby, of a primary that it never reaches.
            var isStandby = false
            /// The server of which this one is a standby, as a copy of it; `nil` for a database of its own.
            var primary: PostgresServer?
            /// The folder of the Unix socket; `nil` for the server's own.
            var socketFolder: URL?
            /// The number of the Unix socket, among those in its folder.
            var socketNumber: UInt16 = 5432
            /// A port of 127.0.0.1; `nil` for a Unix socket alone.
            var port: UInt16?
            /// A certificate and key in PEM, for TLS.
            var certificate: (certificate: String, key: String)?
        }

        /// The server of all tests that do not stop it.
        static let shared = Result { try PostgresServer() }

        let folder: URL
        let port: UInt16
        private let socketFolder: URL
        private let supervisor: Process
        private let input: FileHandle

        init(_ options: Options = Options()) throws {
            let template =
                FileManager.default.temporaryDirectory.path + "/datamonk-postgres-" + String(repeating: "X", count: 6)
            var path = Array(template.utf8CString)
            try #require(mkdtemp(&path) != nil)
            folder = URL(fileURLWithPath: String(decoding: path.dropLast().map(UInt8.init), as: UTF8.self))
            port = options.port ?? options.socketNumber
            socketFolder = options.socketFolder ?? folder
            try Self.write(options, to: folder)
            (supervisor, input) = try Self.startSupervisor(folder, options)
        }

        deinit { stop() }

        /// The ways in which a server stops.
        enum Ending: String {
            /// As if it crashed.
            case immediate
            /// With what it has sent to its standby. Commits that wait for the standby are told of that, and end.
            case fast
        }

        /// Stops the server, and removes its folder.
        func stop(_ ending: Ending = .immediate) {
            guard supervisor.isRunning else { return }
            // Reason for try?: the supervisor may have ended by itself.
            try? input.write(contentsOf: Data(ending.rawValue.utf8))
            try? input.close()
            supervisor.waitUntilExit()
            // Reason for try?: the supervisor, which is another user than root, has removed it where it may.
            try? FileManager.default.removeItem(at: folder)
        }

        /// The number of the server's main process.
        func processID() throws -> Int32 {
            let text = try String(contentsOf: folder.appendingPathComponent("data/postmaster.pid"), encoding: .utf8)
            return try #require(text.split(separator: "\n").first.flatMap { Int32($0) })
        }

        var socketPath: String { socketFolder.appendingPathComponent(".s.PGSQL.\(port)").path }

        func url(user: String = "postgres", password: String? = nil, database: String = "postgres") -> ServerURL {
            ServerURL(
                hosts: [ServerHost(name: socketFolder.path, port: port)], database: database, user: user,
                password: password.map { ServerPassword($0) })
        }

        /// The URL as an application has it.
        var publicURL: String {
            let host = socketFolder.path.replacingOccurrences(of: "/", with: "%2F")
            return "postgresql://postgres@\(host):\(port)/postgres"
        }

        /// The server's address for a standby.
        private var replicationAddress: String { "host=\(socketFolder.path) port=\(port) user=postgres" }

        func connect(user: String = "postgres", database: String = "postgres") throws -> PostgresConnection {
            try PostgresConnection(url(user: user, database: database), until: farDeadline)
        }

        // MARK: Starting

        private static let script = """
            trap '' INT TERM
            initdb=$(ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null | sort -V | tail -n 1)
            bin=$(dirname "${initdb:-$(command -v initdb)}")
            cd "$1"
            if [ -n "$4" ]; then "$bin/pg_basebackup" -D data -d "$4" -c fast -X stream --no-slot --no-sync >log 2>&1
            else "$bin/initdb" -D data -U postgres -A trust -E "$2" --locale=C --no-sync --wal-segsize=1 >log 2>&1
            fi
            cat postgresql.conf >>data/postgresql.conf
            cat pg_hba.conf data/pg_hba.conf >hba && mv hba data/pg_hba.conf
            if [ -n "$3" ]; then touch data/standby.signal; fi
            if "$bin/pg_ctl" -D data -w -t 3600 -l log start >/dev/null; then echo ready; else cat log; fi
            ending=$(cat)
            main=$(head -n 1 data/postmaster.pid)
            kill -CONT "$main" $(pgrep -P "$main")
            "$bin/pg_ctl" -D data -m "${ending:-immediate}" stop >/dev/null
            rm -rf "$1"
            """

        private static func write(_ options: Options, to folder: URL) throws {
            let socketFolder = options.socketFolder ?? folder
            var settings = [
                "listen_addresses = '\(options.port == nil ? "" : "127.0.0.1")'",
                "port = \(options.port ?? options.socketNumber)",
                "unix_socket_directories = '\(socketFolder.path)'", "shared_buffers = 16MB",
                "fsync = \(options.flushesToDisk ? "on" : "off")", "max_connections = 500",
                "log_min_messages = warning",
            ]
            if let (certificate, key) = options.certificate {
                settings += [
                    "ssl = on", "ssl_cert_file = '\(folder.path)/tls.crt'", "ssl_key_file = '\(folder.path)/tls.key'",
                ]
                try Data(certificate.utf8).write(to: folder.appendingPathComponent("tls.crt"))
                let keyFile = folder.appendingPathComponent("tls.key")
                try Data(key.utf8).write(to: keyFile)
                #expect(chmod(keyFile.path, 0o600) == 0)
            }
            if let primary = options.primary { settings.append("primary_conninfo = '\(primary.replicationAddress)'") }
            settings += options.settings
            let files = ["postgresql.conf": settings, "pg_hba.conf": options.authentication]
            for (name, lines) in files {
                try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: folder.appendingPathComponent(name))
            }
            // initdb refuses to run as root.
            guard getuid() == 0, let user = getpwnam("postgres") else { return }
            for path in try FileManager.default.contentsOfDirectory(atPath: folder.path).map({ folder.path + "/" + $0 })
            {
                #expect(chown(path, user.pointee.pw_uid, user.pointee.pw_gid) == 0)
            }
            #expect(chown(folder.path, user.pointee.pw_uid, user.pointee.pw_gid) == 0)
        }

        private static let startLock = NSLock()

        private static func startSupervisor(_ folder: URL, _ options: Options) throws -> (Process, FileHandle) {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            let asUser =
                getuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : [String]()
            let isStandby = options.isStandby || options.primary != nil
            process.arguments =
                asUser + ["sh", "-c", script, "sh", folder.path, options.encoding, isStandby ? "standby" : ""]
                + [options.primary?.replicationAddress ?? ""]
            process.environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C"]
            let (input, output) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            try startLock.withLock {
                // Another supervisor must not inherit this end, or the input would not end with this process.
                _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
                try process.run()
            }
            var answer = Data()
            while !answer.contains(UInt8(ascii: "\n")) {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { break }
                answer += more
            }
            try #require(answer == Data("ready\n".utf8), "\(String(decoding: answer, as: UTF8.self))")
            return (process, input.fileHandleForWriting)
        }
    }
#endif
