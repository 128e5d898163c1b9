#if Postgres
    /// **Value.** A notification that another connection, or this one, sent with `NOTIFY`.
    package struct PostgresNotification: Sendable, Hashable {
        /// The channel, as `LISTEN` named it.
        package var channel: String
        /// The text of the notification; empty if it has none.
        package var payload: String
        /// The number of the server's process that sent it.
        package var serverProcessID: Int32

        /// Creates a notification.
        package init(channel: String, payload: String, serverProcessID: Int32) {
            self.channel = channel
            self.payload = payload
            self.serverProcessID = serverProcessID
        }
    }
#endif
