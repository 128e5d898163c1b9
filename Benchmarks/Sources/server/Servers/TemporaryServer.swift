#if Postgres
    import Foundation

    /// **Shared.** A PostgreSQL server in a temporary folder, reached by a Unix socket there. It flushes to the disk.
    ///
    /// A shell supervises the server. It stops the server and removes the folder as soon as its standard input ends: at
    /// `stop()`, and when this process ends in whatever way.
    final class TemporaryServer: Sendable {
        let folder: URL
        private let supervisor: Process
        private let input: FileHandle

        init() throws {
            let template =
                FileManager.default.temporaryDirectory.path + "/datamonk-server-" + String(repeating: "X", count: 6)
            var path = Array(template.utf8CString)
            guard mkdtemp(&path) != nil else { throw Failure("No temporary folder can be made.") }
            folder = URL(fileURLWithPath: String(decoding: path.dropLast().map(UInt8.init), as: UTF8.self))
            let settings = [
                "listen_addresses = ''", "unix_socket_directories = '\(folder.path)'", "shared_buffers = 128MB",
                "max_connections = 300", "max_wal_size = 1GB", "log_min_messages = warning",
            ]
            try Data(settings.map { $0 + "\n" }.joined().utf8)
                .write(to: folder.appendingPathComponent("postgresql.conf"))
            // initdb refuses to run as root.
            var asUser: [String] = []
            if getuid() == 0, let user = getpwnam("postgres") {
                guard chown(folder.path, user.pointee.pw_uid, user.pointee.pw_gid) == 0 else {
                    throw Failure("The user postgres cannot be given a folder.")
                }
                asUser = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
            }
            supervisor = Process()
            supervisor.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            supervisor.arguments = asUser + ["sh", "-c", Self.script, "sh", folder.path]
            supervisor.environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C"]
            let (input, output) = (Pipe(), Pipe())
            supervisor.standardInput = input
            supervisor.standardOutput = output
            self.input = input.fileHandleForWriting
            // No other process may keep this end open.
            _ = fcntl(self.input.fileDescriptor, F_SETFD, FD_CLOEXEC)
            try supervisor.run()
            let answer = output.fileHandleForReading.readLine()
            guard answer == "ready" else { throw Failure("PostgreSQL does not start: \(answer ?? "no answer").") }
        }

        /// Stops the server as if it crashed, and removes its folder.
        func stop() {
            // Reason for try?: it is closed already if the server was stopped before.
            try? input.close()
            supervisor.waitUntilExit()
        }

        var socketPath: String { folder.appendingPathComponent(".s.PGSQL.5432").path }

        /// The URL by the Unix socket.
        var url: String {
            "postgresql://postgres@\(folder.path.replacingOccurrences(of: "/", with: "%2F")):5432/postgres"
        }

        /// The lines that the server has logged.
        func logLines() throws -> [Substring] {
            try String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8)
                .split(separator: "\n")
        }

        private static let script = """
            trap '' INT TERM
            initdb=$(ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null | sort -V | tail -n 1)
            bin=$(dirname "${initdb:-$(command -v initdb)}")
            cd "$1"
            "$bin/initdb" -D data -U postgres -A trust -E UTF8 --locale=C --no-sync --no-instructions >log 2>&1
            cat postgresql.conf >>data/postgresql.conf
            if "$bin/pg_ctl" -D data -w -t 600 -l log start >/dev/null; then echo ready; else tail -n 1 log; fi
            cat >/dev/null
            "$bin/pg_ctl" -D data -m immediate stop >/dev/null
            rm -rf "$1"
            """
    }

    extension FileHandle {
        /// Waits for a line; `nil` at the end. What follows the line is lost.
        func readLine() -> String? {
            var bytes = Data()
            while !bytes.contains(UInt8(ascii: "\n")) {
                let more = availableData
                if more.isEmpty { return nil }
                bytes += more
            }
            return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).first
                .map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// **Value.** A measurement that cannot be made.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }
#endif
