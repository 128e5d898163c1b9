#if Postgres
    import DataMonkCore
    import Foundation

    /// **Shared.** Looks for other processes' commits until its last reference is released: now and then on one thread, since
    /// what the server tells may be lost, and when it tells of some on another one, since a connection that cannot be opened
    /// must not delay the looks.
    final class ServerWatch: Sendable {
        private let end = Wakeup<Void>()
        private let interrupt: PostgresInterrupt?

        /// - Parameters:
        ///   - listener: The connection that the server tells of commits; `nil` for looks now and then alone.
        ///   - look: A closure that looks.
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
        ///
        /// A look need not find what the server has told: it may fail. So it is repeated until the row of the log that was told
        /// of is known.
        struct Listener: Sendable {
            let address: ServerAddress
            let channel: String
            /// This process, which the server tells of its own commits as well.
            let process: UUID
            /// The time within which the connection is opened, and each statement answered.
            let timeout: Duration
            /// The time after which a server that tells of nothing is asked.
            var checkInterval = Duration.seconds(60)
            /// Selects the number of the last row of the log.
            let lastNumber: PostgresStatement
            /// Returns the number of the row up to which all commits are known.
            let knownNumber: @Sendable () -> Int64
            /// Receives the first of several errors for which the connection cannot listen.
            let report: @Sendable (any Error) -> Void

            /// Looks when others have committed, or may have done so, until an interrupt.
            func run(until interrupt: PostgresInterrupt, _ look: () -> Void) {
                var pauses = Pauses()
                var hasFailed = false
                while !interrupt.isTriggered {
                    do {
                        let (connection, number) = try open(until: interrupt)
                        defer { connection.close() }
                        hasFailed = false
                        // Reason for try?: a connection that was lost is opened again. If that fails, it is reported.
                        try? listen(on: connection, knowing: number, until: interrupt) {
                            pauses = Pauses()
                            look()
                        }
                    } catch {
                        if !hasFailed, !interrupt.isTriggered { report(error) }
                        hasFailed = true
                    }
                    let pause = SocketWait(deadline: .now + pauses.next())
                    _ = pause.wait(for: interrupt.descriptor)
                }
            }

            /// Opens a connection that the server tells of commits after the one with a number.
            private func open(
                until interrupt: PostgresInterrupt
            ) throws -> (connection: PostgresConnection, number: Int64) {
                let deadline = ContinuousClock.now + timeout
                let connection = try address.connect(until: deadline, interrupt: interrupt)
                do {
                    try connection.listen(to: channel, until: deadline, interrupt: interrupt)
                    let last = try connection.run(lastNumber, until: deadline, interrupt: interrupt)
                    return (connection, try last.value(Int64.self, row: 0, column: 0) ?? 0)
                } catch {
                    connection.close()
                    throw error
                }
            }

            /// Calls a closure when others have committed, or may have done so: at once, and when the server tells of commits.
            private func listen(
                on connection: PostgresConnection, knowing number: Int64, until interrupt: PostgresInterrupt,
                _ look: () -> Void
            ) throws {
                var (number, isNews) = (number, true)
                var pauses = Pauses(from: 0.01)
                while !interrupt.isTriggered {
                    if isNews { look() }
                    let isKnown = knownNumber() >= number
                    if isKnown { pauses = Pauses(from: 0.01) }
                    let told = try connection.notifications(
                        until: .now + (isKnown ? checkInterval : pauses.next()), interrupt: interrupt
                    ).map { Bell($0.payload) }
                    if isKnown, told.isEmpty, try !isCurrent(connection, until: interrupt) { return }
                    let bells = told.filter { $0.process != process.uuidString }
                    number = bells.compactMap(\.number).reduce(number, max)
                    // A bell may come behind an own commit or a fetch that has found what it tells of.
                    isNews = !isKnown || bells.contains { $0.number.map { $0 > knownNumber() } ?? true }
                }
            }

            /// Returns whether a server has all commits that are known: another one may have taken its place, which does not
            /// end the connection. Throws if it does not answer.
            private func isCurrent(_ connection: PostgresConnection, until interrupt: PostgresInterrupt) throws -> Bool
            {
                let known = knownNumber()
                let last = try connection.run(lastNumber, until: .now + timeout, interrupt: interrupt)
                return try last.value(Int64.self, row: 0, column: 0) ?? 0 >= known
            }
        }

        /// **Value.** The text with which the server tells of a commit: `<process> <number>`. The number is that of its row in
        /// the log, or of a later one.
        struct Bell {
            let process: Substring
            let number: Int64?

            init(_ payload: String) {
                let parts = payload.split(separator: " ")
                process = parts.first ?? ""
                number = parts.count > 1 ? Int64(parts[1]) : nil
            }
        }

        /// **Value.** The pauses between openings of a connection, about 1, 2, 4 … 60 seconds. Each opening costs the server a
        /// process and the check of a password, and many processes may wait for it to come up. Looks begin with shorter ones.
        struct Pauses {
            private var seconds: Double

            init(from seconds: Double = 1) { self.seconds = seconds }

            mutating func next() -> Duration {
                defer { seconds = min(2 * seconds, 60) }
                return .seconds(seconds * Double.random(in: 0.5...1))
            }
        }
    }
#endif
