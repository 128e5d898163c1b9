#if Postgres
    import DataMonkCore
    import Foundation

    /// **Shared.** Looks for other processes' commits until its last reference is released: now and then on one thread, since
    /// what the server tells may be lost, and when it tells of some on another one, since a connection that cannot be opened
    /// must not delay the looks.
    final class ServerWatch: Sendable {
        private let end = Wakeup<Void>()
        private let interrupt: PostgresInterrupt?

        /// - Parameter listener: The connection that the server tells of commits; `nil` for looks now and then alone.
        init(
            interval: Duration, listener: (Listener, interrupt: PostgresInterrupt)?,
            look: @escaping @Sendable () -> Void
        ) {
            interrupt = listener?.interrupt
            let end = end
            Thread.detachNewThread {
                // Jitter, so that many processes do not look all at once.
                while end.wait(until: .now + interval * Double.random(in: 0.8...1.0)) == nil { look() }
            }
            guard let (listener, interrupt) = listener else { return }
            Thread.detachNewThread { listener.run(until: interrupt, look) }
        }

        deinit {
            end.wake(with: ())
            interrupt?.trigger()
        }
    }

    extension ServerWatch {
        /// **Value.** A connection that listens, opened again when it is lost.
        struct Listener: Sendable {
            let url: ServerURL
            let channel: String
            /// This process, which the server tells of its own commits as well.
            let process: UUID
            /// The time within which the connection is opened.
            let timeout: Duration

            /// Looks when others have committed, or may have done so, until an interrupt.
            func run(until interrupt: PostgresInterrupt, _ look: () -> Void) {
                var pauses = Pauses()
                while !interrupt.isTriggered {
                    // Reason for try?: a look at the same server meets the error, and reports it. A pooler that permits no
                    // listening is met by looks alone.
                    try? listen(until: interrupt) {
                        pauses = Pauses()
                        look()
                    }
                    let pause = SocketWait(deadline: .now + pauses.next())
                    _ = pause.wait(for: interrupt.descriptor)
                }
            }

            /// Opens a connection, and calls a closure when others have committed, or may have done so.
            private func listen(until interrupt: PostgresInterrupt, _ look: () -> Void) throws {
                let deadline = ContinuousClock.now + timeout
                let connection = try PostgresConnection(url, until: deadline, interrupt: interrupt)
                defer { connection.close() }
                try connection.listen(to: channel, until: deadline, interrupt: interrupt)
                // The server does not tell of commits before that.
                look()
                while !interrupt.isTriggered {
                    let arrived = try connection.notifications(until: .now + .seconds(3_600), interrupt: interrupt)
                    if arrived.contains(where: { $0.payload != process.uuidString }) { look() }
                }
            }
        }

        /// **Value.** The pauses between openings of a connection, about 1, 2, 4 … 60 seconds. Each opening costs the server a
        /// process and the check of a password, and many processes may wait for it to come up.
        struct Pauses {
            private var seconds = 1.0

            mutating func next() -> Duration {
                defer { seconds = min(2 * seconds, 60) }
                return .seconds(seconds * Double.random(in: 0.5...1))
            }
        }
    }
#endif
