#if Postgres
    import CPostgres

    /// **Confined.** The reports of a server besides answers: warnings, and the reason why it ends an idle connection.
    ///
    /// libpq would print them, with values of rows in them.
    final class ServerNotices {
        private(set) var warnings: [PostgresFailure] = []
        /// A Boolean value indicating whether a commit did not wait for its standby.
        private(set) var isReplicationUnconfirmed = false
        /// The reason why the server ended the connection; `nil` if it gave none.
        private(set) var lastWords: PostgresFailure?

        /// Installs the receiver on a connection, whose owner retains this object for as long.
        func install(on connection: OpaquePointer) {
            PQsetNoticeReceiver(
                connection,
                { notices, result in
                    guard let notices, let result else { return }
                    // The owner of the connection retains the object while the receiver is installed.
                    Unmanaged<ServerNotices>.fromOpaque(notices).takeUnretainedValue().receive(result)
                },
                // See above.
                Unmanaged.passUnretained(self).toOpaque())
        }

        /// Forgets what was reported before.
        func reset() {
            warnings = []
            isReplicationUnconfirmed = false
        }

        private func receive(_ result: OpaquePointer) {
            switch PostgresFailure.severity(of: result) {
            case .fatal?, .panic?: lastWords = PostgresFailure(result: result, kind: .connectionLost)
            case .warning?:
                // The warning has the code of any other one, if the commit was cancelled: only the name of the function in
                // the server, from version 9.1 on, tells them apart in every language.
                if PostgresFailure.sourceFunction(of: result) == "SyncRepWaitForLSN" { isReplicationUnconfirmed = true }
                // The first ones tell enough; a statement may raise any number.
                if warnings.count < 100 { warnings.append(PostgresFailure(result: result, kind: .statement)) }
            default: break
            }
        }
    }
#endif
