#if Postgres
    /// **Value.** The options of a store on a PostgreSQL server; see ``Stack/addServerStore(_:options:fileID:line:)``.
    ///
    ///     var options = ServerStoreOptions()
    ///     options.schemaName = "shop"
    ///     options.timeout = .seconds(10)
    ///     try await stack.addServerStore(url, options: options)
    public struct ServerStoreOptions: Sendable, Hashable {
        /// The database's schema that has the tables: `datamonk`. It is created if it does not exist, and has nothing else of
        /// the names of the tables.
        public var schemaName = "datamonk"
        /// The configuration of the model whose entities the store holds; `nil` for all entities.
        public var configuration: String?
        /// The number of connections that read at the same time: 8. Opened when they are needed. There are two more: one that
        /// writes, and one that listens; and as many to each standby, if the URL prefers them.
        public var readConnectionCount = 8
        /// The time after which a call fails that the server does not answer, with the code `timeout`: 30 seconds, and from a
        /// tenth of a second to a day. A save of many megabytes has eight seconds more for each. A statement waits a sixth of
        /// it, and five seconds at most, for rows that others are writing. The save is then repeated once, for a moment, and
        /// deadlocks up to five times, for no longer than this and 30 seconds.
        public var timeout = Duration.seconds(30)
        /// The time that a read on the main actor may take: 5 seconds, and a second at least. Then it fails with the code
        /// `timeout`. Each statement has it, as has the opening of a snapshot; a fetch with a deadline has that instead. Read
        /// what takes longer by `read` or in an update, off the main actor.
        public var mainActorTimeout = Duration.seconds(5)
        /// The time for which the outcome of a commit is looked for whose answer was lost: 30 seconds. Commits of the stack
        /// wait meanwhile. After it, the save fails with the code `outcomeUnknown`: its changes may have been saved.
        public var outcomeTimeout = Duration.seconds(30)
        /// The time for which the server keeps a record of each commit: 7 days. A process that was stopped for longer reads all
        /// of its objects again. Of several processes' times the shortest one counts; it is at least an hour, and twice the time
        /// for which a call or an outcome may take.
        public var logRetention = Duration.seconds(7 * 86_400)
        /// The time between two looks for commits of other processes, while somebody follows them: a second, and from 50
        /// milliseconds to a day. A fetch always shows what there is, unless it reads from a standby: of the reads there, one
        /// asks the primary in each such time.
        public var pollInterval = Duration.seconds(1)
        /// Indicates whether the store begins to keep a history, for ``Stack/history(after:)``. It is the store's setting, not
        /// that of one process: from then on every process records each of its saves and batch requests, whatever its own
        /// options say. A transaction that has begun before is waited for.
        ///
        ///     var options = ServerStoreOptions()
        ///     options.tracksHistory = true
        ///     try await stack.addServerStore(url, options: options)
        ///     let new = try stack.history(after: token)
        ///
        /// The first time, with others waiting behind the lock for a second at most at a time, it runs:
        ///
        ///     LOCK TABLE "datamonk"."_store" IN ACCESS EXCLUSIVE MODE
        ///     CREATE TABLE "datamonk"."_history" …
        ///     CREATE TABLE "datamonk"."_history_changes" …
        ///
        /// This needs the right to create tables, else adding the store fails with `noWritePermission`, and within
        /// ``timeout`` a moment without long transactions, else it fails with `timeout`. Other users get the rights on the two
        /// tables that they have on `_log`: without them, saves fail with `noWritePermission`. A save then runs in addition, in
        /// the round trips that it takes anyway:
        ///
        ///     INSERT INTO "datamonk"."_history_changes" … SELECT … FROM unnest($1, $2, $3, $4, $5, $6)
        ///     INSERT INTO "datamonk"."_history" (number, …) SELECT … FROM unnest($1, $2, $3, $4)
        ///
        /// Nothing is deleted but by ``Stack/deleteHistory(before:)``.
        public var tracksHistory = false
        /// Indicates whether a connection listens for commits of other processes, while somebody follows them, so that they are
        /// known at once. A pooler in transaction mode does not permit that.
        public var listens = true

        /// Creates the default options.
        public init() {}
    }
#endif
