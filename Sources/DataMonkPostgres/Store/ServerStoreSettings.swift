#if Postgres
    import DataMonkCore

    /// **Value.** Settings of a store on a server.
    package struct ServerStoreSettings: Sendable {
        /// The time after which a statement that has no answer fails, and the longest wait for a connection. Large statements
        /// have more.
        package var timeout: Duration
        /// The time after which a read on the main actor fails that has no deadline of its own, if that is shorter.
        package var mainActorTimeout: Duration = .seconds(5)
        /// The time after which a statement that waits for a lock fails. Its transaction is repeated once, and waits for a
        /// moment then.
        package var lockTimeout: Duration
        /// The time for which a transaction is repeated that others are in the way of.
        package var contentionTime: Duration
        /// The time for which a commit that has no answer is looked for, before its outcome counts as unknown.
        package var lookUpTimeout: Duration = .seconds(30)
        /// The time in which a standby opens a snapshot, before the primary is asked.
        package var replicaTimeout: Duration = .seconds(1)
        /// The time after which the server ends a snapshot without a statement: one that was forgotten keeps old rows.
        package var snapshotIdleTimeout: Duration = .seconds(60)
        /// The number of connections for reading from the primary, and of those to standbys.
        package var readerCount: Int
        /// The time after which rows of the log are deleted.
        package var logRetention: Duration = .seconds(7 * 86_400)
        /// The time without commits of other processes after which a save assumes that there are none.
        package var solitudeTime: Duration = .milliseconds(250)
        /// The time since the last commit after which a save assumes nothing: a connection may have been lost meanwhile, or
        /// another server have taken over.
        package var solitudeLimit: Duration = .seconds(5)
        /// The time between two looks for other processes' commits.
        package var pollInterval: Duration = .seconds(1)
        /// A Boolean value indicating whether the store begins to keep a history, which all processes keep then.
        package var tracksHistory = false
        /// A Boolean value indicating whether a connection waits for the server to tell of other processes' commits.
        package var listens = true

        /// The time after which a read of the calling code fails that has no deadline of its own. The main actor must not stand
        /// still for as long as others may wait.
        var readTimeout: Duration { MainQueue.isCurrent ? min(timeout, mainActorTimeout) : timeout }

        /// Returns the lock timeout of a transaction that waits for locks until a deadline. Once that has passed, it still has
        /// the time in which a transaction of another process may end.
        func lockTimeout(until deadline: ContinuousClock.Instant?) -> Duration {
            guard let deadline else { return lockTimeout }
            return min(lockTimeout, max(.milliseconds(100), ContinuousClock.now.duration(to: deadline)))
        }

        /// Returns the time that a transaction may take to lock some rows, which waits for locks until a deadline. It may wait
        /// for one after the other.
        func lockingTime(of rowCount: Int, until deadline: ContinuousClock.Instant?) -> Duration {
            max(lockTimeout(until: deadline), Self.longestWait(within: timeout)) + Self.lockingTime(of: rowCount)
        }

        /// The time that it takes to lock some rows which nobody else has locked; in truth, much less.
        static func lockingTime(of rowCount: Int) -> Duration { .microseconds(100) * rowCount }

        /// The time that it takes to change some rows, here or on the server; in truth, much less.
        static func workingTime(of rowCount: Int) -> Duration { .microseconds(100) * rowCount }

        private static func longestWait(within timeout: Duration) -> Duration { min(timeout / 6, .seconds(5)) }

        package init(timeout: Duration = .seconds(30), readerCount: Int = 8) {
            self.timeout = timeout
            lockTimeout = Self.longestWait(within: timeout)
            contentionTime = min(timeout, .seconds(30))
            self.readerCount = readerCount
        }
    }
#endif
