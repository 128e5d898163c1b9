#if Postgres
    import DataMonkCore
    import Foundation

    @testable import DataMonkPostgres

    extension PostgresServer {
        /// Lets commits wait for a standby, which does not exist.
        func awaitStandby() throws {
            try run("ALTER SYSTEM SET synchronous_standby_names = '*'")
            try run("SELECT pg_reload_conf()")
            // The server's processes learn of it one after the other.
            while try !commitWaits() {}
        }

        /// Returns whether a commit waits for a standby, and ends its wait.
        private func commitWaits() throws -> Bool {
            // nonisolated(unsafe): used on the thread below alone.
            nonisolated(unsafe) let other = try connect()
            let (ended, hasEnded) = (DispatchGroup(), Locked(false))
            Thread.detachNewThread(in: ended) {
                defer { hasEnded.withLock { $0 = true } }
                let commit = PostgresStatement("SELECT pg_logical_emit_message(true, '', '')")
                _ = try other.run(commit, until: farDeadline)
            }
            defer { ended.wait() }
            while !hasEnded.withLock(\.self) {
                let waits = try run("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
                if try waits.required(Int64.self, row: 0, column: 0) == 0 { continue }
                try cancelWaits()
                return true
            }
            return false
        }

        /// Ends the waits for a standby.
        func cancelWaits() throws {
            try run("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        }
    }
#endif
