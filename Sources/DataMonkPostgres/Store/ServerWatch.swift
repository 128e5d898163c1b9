#if Postgres
    import DataMonkCore
    import Foundation

    /// **Shared.** Looks for other processes' commits on a thread of its own, until its last reference is released: when the
    /// server tells of some, and now and then, since what is told may be lost.
    final class ServerWatch: Sendable {
        private let end = Wakeup<Void>()
        private let interrupt: PostgresInterrupt?

        /// - Parameter listener: The connection that the server tells of commits; `nil` for looks now and then alone.
        init(interval: Duration, listener: Listener?, look: @escaping @Sendable () -> Void) throws {
            interrupt = try listener.map { _ in try PostgresInterrupt() }
            let (end, interrupt) = (end, interrupt)
            Thread.detachNewThread {
                guard var listener, let interrupt else {
                    while end.wait(until: .now + interval) == nil { look() }
                    return
                }
                while !interrupt.isTriggered {
                    listener.wait(until: .now + interval, interrupt)
                    if !interrupt.isTriggered { look() }
                }
                listener.close()
            }
        }

        deinit {
            end.wake(with: ())
            interrupt?.trigger()
        }

        /// **Value.** A connection that listens, opened again when it is lost.
        struct Listener: Sendable {
            let url: ServerURL
            let channel: String
            /// This process, which the server tells of its own commits as well.
            let process: UUID
            // nonisolated(unsafe): the thread of the watch alone opens and uses it.
            private nonisolated(unsafe) var connection: PostgresConnection?

            init(_ url: ServerURL, channel: String, process: UUID) {
                self.url = url
                self.channel = channel
                self.process = process
            }

            /// Returns when others have committed, when they may have done so, or at the deadline.
            mutating func wait(until deadline: ContinuousClock.Instant, _ interrupt: PostgresInterrupt) {
                do {
                    guard let connection else {
                        let opened = try PostgresConnection(url, until: deadline, interrupt: interrupt)
                        try opened.listen(to: channel, until: deadline, interrupt: interrupt)
                        // The server does not tell of earlier commits: the look that follows finds them.
                        connection = opened
                        return
                    }
                    while true {
                        let arrived = try connection.notifications(until: deadline, interrupt: interrupt)
                        if arrived.isEmpty || arrived.contains(where: { $0.payload != process.uuidString }) { return }
                    }
                } catch {
                    // The look that follows meets the same server, and reports it. A pooler that permits no listening is met
                    // by looks alone.
                    close()
                    pause(until: deadline, interrupt)
                }
            }

            /// Waits without a connection.
            private func pause(until deadline: ContinuousClock.Instant, _ interrupt: PostgresInterrupt) {
                // Short sleeps: without a connection nothing else looks whether the watch has ended.
                while !interrupt.isTriggered, ContinuousClock.now < deadline { Thread.sleep(forTimeInterval: 0.02) }
            }

            mutating func close() {
                connection?.close()
                connection = nil
            }
        }
    }
#endif
