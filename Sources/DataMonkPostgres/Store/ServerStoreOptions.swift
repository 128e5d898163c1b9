#if Postgres
    /// **Value.** Settings of a store on a server.
    struct ServerStoreOptions: Sendable {
        /// The time after which a statement that has no answer fails, and the longest wait for a connection.
        var timeout: Duration = .seconds(30)
        /// The time for which a commit that has no answer is looked for, before its outcome counts as unknown.
        var lookUpTimeout: Duration = .seconds(30)
        /// The time after which a statement that waits for a lock fails. Its transaction is repeated up to five times.
        var lockTimeout: Duration { timeout / 6 }
        /// The number of connections for reading.
        var readerCount = 8
    }
#endif
