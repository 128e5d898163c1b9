#if Postgres
    import BenchMessages
    import Foundation
    import SystemPostgres

    /// **Confined.** Commits groups of updates as a store does, by libpq: the statements of `ServerTransaction`,
    /// `ServerWriting` and `ServerLog+Committing.swift`, each group in one pipeline.
    final class HandWriter {
        private enum Types {
            static let (boolean, bigint, text, uuid, bigints): (Oid, Oid, Oid, Oid, Oid) = (16, 20, 25, 2_950, 1_016)
        }

        private let connection: LibpqConnection
        /// The store's schema, in quotes.
        private let schema: String
        private let schemaName: String
        private let channel: String
        private let process = UUID().uuidString
        private let ids: [Int]
        /// The statements of each group, by their names.
        private let statements: [String: (sql: String, types: [Oid])]
        private let isPrepared: Bool
        private var attempt = 0
        /// The last row of the log.
        private var position: (number: Int, process: String, attempt: Int) = (0, UUID().uuidString, 0)

        /// - Parameters:
        ///   - shop: A store with at least as many counters as a group has members, which nobody else writes to.
        ///   - isPrepared: Whether the server keeps all statements with a plan prepared, as the store has it do.
        init(_ shop: Shop, isPrepared: Bool) throws {
            connection = try LibpqConnection(shop.url)
            self.isPrepared = isPrepared
            schemaName = shop.schemaName
            schema = "\"\(schemaName)\""
            ids = try connection.column("SELECT \"_id\" FROM \(schema).counter ORDER BY number").compactMap { Int($0) }
            channel = "datamonk_\(try connection.column("SELECT upper(identifier::text) FROM \(schema)._store")[0])"
            statements = Self.statements(in: schema)
            position.number = try shop.lastNumber(connection)
            for (name, statement) in statements { try connection.prepare(name, statement.sql, statement.types) }
        }

        /// Commits groups for some time. Returns the seconds of each member.
        func secondsOfAnUpdate(inGroupsOf size: Int, for seconds: Double) throws -> Double {
            let start = monotonicTime()
            var count = 0
            while monotonicTime() < start + seconds {
                try commit(size)
                count += size
            }
            let time = monotonicTime() - start
            let members = "\"_id\" = ANY ('\(list(of: size))')"
            guard try connection.number("SELECT min(value) FROM \(schema).counter WHERE \(members)") == attempt else {
                throw Failure("The groups by libpq are not in the table.")
            }
            return time / Double(count)
        }

        /// The ids of a group's members, as an array of the server's.
        private func list(of size: Int) -> String { "{\(ids.prefix(size).map(String.init).joined(separator: ","))}" }

        private func commit(_ size: Int) throws {
            attempt += 1
            let members = list(of: size)
            // Each version and value is the number of the attempt.
            let values = "{\(repeatElement(String(attempt), count: size).joined(separator: ","))}"
            let writing: [LibpqConnection.Step] = [
                .statement("SET LOCAL statement_timeout TO 5000"), .prepared("lock", [members]),
                .statement("SET LOCAL statement_timeout TO DEFAULT"),
                .prepared("update", [members, values, values]),
            ]
            try connection.run(beginning + writing + ordering + flush + bell)
            position = (position.number + 1, process, attempt)
        }

        // MARK: Statements

        private static func statements(in schema: String) -> [String: (sql: String, types: [Oid])] {
            let (log, counter) = ("\(schema).\"_log\"", "\(schema).\"counter\"")
            return [
                "lock": (
                    """
                    SELECT "_id", "_entity", "_version" FROM \(counter) \
                    WHERE "_id" = ANY ($1) ORDER BY "_id" FOR NO KEY UPDATE
                    """, [Types.bigints]
                ),
                "update": (
                    """
                    UPDATE \(counter) AS target SET "_version" = changes.c2, "value" = changes.c4 \
                    FROM unnest($1, $2, $3) AS changes (c0, c2, c4) WHERE target."_id" = changes.c0
                    """, [Types.bigints, Types.bigints, Types.bigints]
                ),
                "order": (
                    "SELECT pg_catalog.pg_advisory_xact_lock(1145925484, pg_catalog.hashtext($1))", [Types.text]
                ),
                "log": (
                    """
                    INSERT INTO \(log) (number, process, attempt, is_fence) \
                    SELECT coalesce(max(number), 0) + 1, $1, $2, $3 FROM \(log)
                    """, [Types.uuid, Types.bigint, Types.boolean]
                ),
                "head": (headQuestion(of: log), headTypes),
                "durability": (
                    """
                    SELECT pg_catalog.set_config('synchronous_commit', \
                    CASE pg_catalog.current_setting('synchronous_commit') \
                    WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true)
                    """, []
                ),
                "message": ("SELECT pg_catalog.pg_logical_emit_message(true, 'datamonk', '')", []),
                "bell": (
                    """
                    SELECT pg_catalog.pg_notify($1, pg_catalog.concat($2, ' ', \
                    (SELECT pg_catalog.max(number) FROM \(log))))
                    """, [Types.text, Types.text]
                ),
            ]
        }

        private static func headQuestion(of log: String) -> String {
            """
            SELECT last.number, last.process, last.attempt, last.is_fence, \
            (SELECT max(number) FROM \(log) WHERE number > $2 AND NOT is_fence \
            AND CASE WHEN process = $1 THEN attempt = ANY ($3) ELSE true END), \
            (SELECT max(attempt) FROM \(log) WHERE process = $1 AND NOT is_fence), \
            $2 = 0 OR EXISTS (\
            SELECT FROM \(log) WHERE number = $2 AND process = $4 AND attempt = $5 AND is_fence = $6), \
            pg_is_in_recovery(), coalesce((SELECT min(number) FROM \(log)) > $2, false) \
            FROM (VALUES (1)) one LEFT JOIN (SELECT number, process, attempt, is_fence \
            FROM \(log) ORDER BY number DESC LIMIT 1) last ON true
            """
        }

        private static let headTypes = [
            Types.uuid, Types.bigint, Types.bigints, Types.uuid, Types.bigint, Types.boolean,
        ]

        /// Returns a statement that the store did not always keep prepared.
        private func step(_ name: String, _ values: [String] = []) -> LibpqConnection.Step {
            guard !isPrepared, let (sql, types) = statements[name] else { return .prepared(name, values) }
            return .statement(sql, zip(types, values).map { (type: $0, value: $1) })
        }

        private var beginning: [LibpqConnection.Step] {
            let settings = [
                "search_path TO pg_catalog", "idle_in_transaction_session_timeout TO '5s'", "tcp_keepalives_idle TO 5",
                "tcp_keepalives_interval TO 2", "tcp_keepalives_count TO 3", "tcp_user_timeout TO 15000",
                "lock_timeout TO 5000",
            ]
            return [.statement("BEGIN ISOLATION LEVEL READ COMMITTED")]
                + settings.map { .statement("SET LOCAL \($0)") }
                + [.statement("LOCK TABLE \(schema).\"_store\" IN ACCESS SHARE MODE"), head]
        }

        /// The references, the lock that puts commits in order, the row of the log.
        private var ordering: [LibpqConnection.Step] {
            [
                .statement("SET CONSTRAINTS ALL IMMEDIATE"), .statement("SET LOCAL synchronous_commit TO off"),
                .statement("SET LOCAL lock_timeout TO 5000"), .synchronization, step("order", [schemaName]),
                step("log", [process, "\(attempt)", "false"]), head, .statement("COMMIT"), .synchronization,
            ]
        }

        private var flush: [LibpqConnection.Step] { [step("durability"), step("message"), .synchronization] }

        private var bell: [LibpqConnection.Step] {
            [
                .statement("BEGIN"), .statement("SET LOCAL synchronous_commit TO off"),
                step("bell", [channel, process]), .statement("COMMIT"), .synchronization,
            ]
        }

        /// The state of the log.
        private var head: LibpqConnection.Step {
            step("head", [process, "\(position.number)", "{}", position.process, "\(position.attempt)", "false"])
        }
    }
#endif
