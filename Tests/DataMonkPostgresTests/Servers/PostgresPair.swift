#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// **Shared.** A primary, and a standby that each commit waits for. They take each other's places, on two sockets in one
    /// folder, which a URL names both.
    final class PostgresPair: Sendable {
        private struct State {
            var primary: PostgresServer
            var standby: PostgresServer
        }

        private let folder: URL
        private let settings: [String]
        private let state: Locked<State>

        init(_ settings: [String] = []) throws {
            let template =
                FileManager.default.temporaryDirectory.path + "/datamonk-pair-" + String(repeating: "X", count: 6)
            var path = Array(template.utf8CString)
            try #require(mkdtemp(&path) != nil)
            folder = URL(fileURLWithPath: String(decoding: path.dropLast().map(UInt8.init), as: UTF8.self))
            if getuid() == 0, let user = getpwnam("postgres") {
                #expect(chown(folder.path, user.pointee.pw_uid, user.pointee.pw_gid) == 0)
            }
            // By its name: a backup that receives the log would be taken for a standby otherwise.
            self.settings =
                settings + [
                    "synchronous_standby_names = 'standby'", "cluster_name = 'standby'", "wal_keep_size = 64MB",
                ]
            let primary = try PostgresServer(
                .init(settings: self.settings, socketFolder: folder, socketNumber: 5432))
            let standby = try PostgresServer(
                .init(settings: self.settings, primary: primary, socketFolder: folder, socketNumber: 5433))
            state = Locked(State(primary: primary, standby: standby))
            try waitForStandby()
        }

        deinit {
            let (primary, standby) = (primary, standby)
            standby.stop()
            primary.stop()
            // Reason for try?: the folder is a temporary one.
            try? FileManager.default.removeItem(at: folder)
        }

        var primary: PostgresServer { state.withLock(\.primary) }
        var standby: PostgresServer { state.withLock(\.standby) }

        /// The URL of both, in an order that stays.
        var url: ServerURL {
            var url = primary.url()
            url.hosts = [5432, 5433].map { ServerHost(name: folder.path, port: $0) }
            return url
        }

        /// The URL of both, as an application has it.
        var publicURL: String {
            let host = folder.path.replacingOccurrences(of: "/", with: "%2F")
            return "postgresql://postgres@\(host):5432,\(host):5433/postgres"
        }

        /// Ends the primary, and lets the standby take its place. There is none then.
        func failOver(_ ending: PostgresServer.Ending) throws {
            let (former, promoted) = (primary, standby)
            former.stop(ending)
            try promoted.run("SELECT pg_promote(true, 3600)")
            // Its own standby would be a copy that is cut off, too.
            try promoted.run("ALTER SYSTEM RESET primary_conninfo")
            state.withLock { $0 = State(primary: promoted, standby: former) }
        }

        /// Adds a standby in the place of a server that has ended.
        func addStandby() throws {
            let (primary, former) = (primary, standby)
            let standby = try PostgresServer(
                .init(settings: settings, primary: primary, socketFolder: folder, socketNumber: former.port))
            state.withLock { $0.standby = standby }
            try waitForStandby()
        }

        /// Cuts the standby off, so that commits wait.
        func detachStandby() throws {
            try standby.run("ALTER SYSTEM SET primary_conninfo TO ''")
            try standby.run("SELECT pg_reload_conf()")
            try primary.connect().wait(forNoProcess: "backend_type = 'walsender'")
        }

        private func waitForStandby() throws {
            let statement = PostgresStatement(
                "SELECT count(*) FROM pg_sleep(0.01), pg_stat_replication WHERE sync_state = 'sync'")
            let connection = try primary.connect()
            while try connection.run(statement, until: farDeadline).column(of: Int64.self) == [0] {}
        }

        /// Waits until the standby shows what the primary has committed.
        func waitUntilCurrent() throws {
            let position = try primary.run("SELECT pg_current_wal_flush_lsn()::text")
                .required(String.self, row: 0, column: 0)
            let question = "SELECT pg_last_wal_replay_lsn() >= '\(position)'::pg_lsn FROM pg_sleep(0.01)"
            while try standby.run(question).column(of: Bool.self) == [false] {}
        }
    }

    extension PostgresServer {
        /// Runs a statement on a connection of its own.
        @discardableResult
        func run(_ sql: String) throws -> PostgresResult {
            try connect().run(PostgresStatement(sql), until: farDeadline)
        }
    }
#endif
