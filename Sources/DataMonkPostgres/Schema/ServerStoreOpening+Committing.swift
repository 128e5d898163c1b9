#if Postgres
    import DataMonkCore
    import Foundation

    extension ServerStoreOpening {
        /// **Value.** A commit that has no answer, or of which nobody has confirmed that it will stay.
        struct UnknownCommit: Error {
            let failure: PostgresFailure
            /// A Boolean value indicating whether the commit is there, and is lost only if the server crashes, or is replaced.
            let isThere: Bool
        }

        /// The setting of a transaction with locks that everybody waits for. They are kept until its commit has waited for what
        /// it has to wait for: a standby may be away for days, and no server notices meanwhile that the process is gone.
        static let commitSetting = "synchronous_commit TO off"

        /// Commits a transaction with that setting. Waits then, without its locks, until the commit is on disk, and on that of a
        /// synchronous standby.
        ///
        /// A commit that a standby has not confirmed is reported: the server gives up waiting for it if somebody cancels that.
        ///
        /// Throws a ``PostgresFailure`` if nothing was committed, and an ``UnknownCommit`` if that is not known, or if the
        /// deadline has passed.
        ///
        /// - Parameter store: The store whose other processes are told of a row of the log; `nil` for none.
        func commit(telling store: UUID? = nil, until deadline: ContinuousClock.Instant) throws {
            var pipeline = PostgresPipeline([PostgresStatement("COMMIT")])
            ServerLog.appendFlush(to: &pipeline)
            let count = pipeline.count
            if let store {
                try ServerLog.appendBell(
                    to: &pipeline, in: namespace, of: ServerLog.channel(of: store), process: "-")
            }
            let answer = connection.run(pipeline, until: deadline)
            if answer.outcomes[..<count].allSatisfy({ $0.result != nil }) {
                if answer.isReplicationUnconfirmed { report(StoreError.unconfirmedReplication) }
                return
            }
            let failure = answer.outcomes.lazy.compactMap(\.failure).first ?? answer.connectionFailure
            let cause = failure ?? PostgresFailure(.connectionLost, message: "The server gave no answer.")
            switch answer.outcomes[0] {
            case .completed: throw UnknownCommit(failure: cause, isThere: true)
            case .unanswered: throw UnknownCommit(failure: cause, isThere: false)
            case .failed, .skipped, .notSent: throw cause
            }
        }

        /// Commits new tables. Throws a `StoreError`.
        func commitTables() throws {
            do {
                try commit(until: deadline)
            } catch let unknown as UnknownCommit {
                throw StoreError.unconfirmedTables(unknown.failure, in: namespace)
            } catch let failure as PostgresFailure {
                throw StoreError(failure, in: namespace)
            }
        }
    }

    extension StoreError {
        fileprivate static func unconfirmedTables(
            _ failure: PostgresFailure, in namespace: ServerNamespace
        ) -> StoreError {
            StoreError(
                .outcomeUnknown,
                """
                The server has not confirmed in time that tables of the store in the schema "\(namespace.name)", which were \
                created, are on its disk and on that of its synchronous standby: \(failure.sentence) A standby that takes \
                over may lack them. Check the server and its replication, and add the store again.
                """, underlyingError: failure)
        }
    }
#endif
