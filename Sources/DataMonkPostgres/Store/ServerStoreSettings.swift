#if Postgres
    /// **Value.** Settings of a store on a server.
    package struct ServerStoreSettings: Sendable {
        /// The time after which a statement that has no answer fails, and the longest wait for a connection. Large statements
        /// have more.
        package var timeout: Duration = .seconds(30)
        /// The time for which a commit that has no answer is looked for, before its outcome counts as unknown.
        package var lookUpTimeout: Duration = .seconds(30)
        /// The time after which the server ends a snapshot without a statement: one that was forgotten keeps old rows.
        package var snapshotIdleTimeout: Duration = .seconds(60)
        /// The number of connections for reading.
        package var readerCount = 8
        /// The time after which rows of the log are deleted.
        package var logRetention: Duration = .seconds(7 * 86_400)
        /// The time between two looks for other processes' commits.
        package var pollInterval: Duration = .seconds(1)
        /// A Boolean value indicating whether a connection waits for the server to tell of other processes' commits.
        package var listens = true

        /// The time after which a statement that waits for a lock fails. Its transaction is repeated up to five times.
        var lockTimeout: Duration { timeout / 6 }

        package init() {}

        init(timeout: Duration, readerCount: Int = 8) {
            self.timeout = timeout
            self.readerCount = readerCount
        }
    }
#endif
