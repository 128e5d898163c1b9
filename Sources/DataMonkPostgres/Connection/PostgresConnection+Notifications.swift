#if Postgres
    import CPostgres

    extension PostgresConnection {
        /// Lets the server send the notifications of a channel, by `LISTEN`.
        package func listen(
            to channel: String, until deadline: ContinuousClock.Instant, interrupt: PostgresInterrupt? = nil
        ) throws(PostgresFailure) {
            var pipeline = PostgresPipeline()
            let name = channel.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
            pipeline.append("LISTEN \"\(name)\"")
            _ = try run(pipeline, until: deadline, interrupt: interrupt).results()
        }

        /// Returns the notifications that arrived since the last call. If there are none, waits for some; returns none if
        /// the deadline passes or the interrupt is triggered.
        ///
        /// Throws a ``PostgresFailure`` if the connection is lost. The server sends nothing while a transaction is open.
        package func notifications(
            until deadline: ContinuousClock.Instant, interrupt: PostgresInterrupt? = nil
        ) throws(PostgresFailure) -> [PostgresNotification] {
            let handle = try openHandle()
            let wait = SocketWait(deadline: deadline, interrupt: interrupt)
            while true {
                do {
                    // Before the wait, for a deadline that has passed, and because some may have come with an earlier
                    // answer.
                    if hasInput(handle) { try consumeInput(handle) }
                    collectNotifications(handle)
                    if !arrivedNotifications.isEmpty { break }
                    guard case .ready = waitForInput(handle, within: wait) else { break }
                } catch {
                    spend(error)
                    throw error
                }
            }
            defer { arrivedNotifications = [] }
            return arrivedNotifications
        }

        /// Takes the notifications over that libpq has read.
        func collectNotifications(_ handle: OpaquePointer) {
            while let notification = PQnotifies(handle) {
                defer { PQfreemem(notification) }
                arrivedNotifications.append(
                    PostgresNotification(
                        channel: String(cString: notification.pointee.relname),
                        payload: String(cString: notification.pointee.extra),
                        serverProcessID: notification.pointee.be_pid))
            }
        }
    }
#endif
