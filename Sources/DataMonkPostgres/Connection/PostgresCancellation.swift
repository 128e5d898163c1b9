#if Postgres
    import CPostgres
    import DataMonkCore
    import Foundation

    /// **Shared.** Requests to cancel the statement that a connection runs.
    ///
    /// A request is a connection of its own, for which libpq waits without a limit; so it runs on a thread of its own. It
    /// names the server's process, not the statement: a request that arrives late cancels a later statement, and one that
    /// arrives early cancels nothing. Therefore requests are repeated while the statement runs, and end before the next one
    /// is sent.
    final class PostgresCancellation: Sendable {
        // nonisolated(unsafe): a PGcancel is not changed after its creation, and libpq permits PQcancel on any thread.
        private nonisolated(unsafe) let handle: OpaquePointer

        /// Creates the requests for an open connection. `nil` if it is not open.
        init?(_ connection: OpaquePointer) {
            guard let handle = PQgetCancel(connection) else { return nil }
            self.handle = handle
        }

        deinit { PQfreeCancel(handle) }

        /// Sends one request, without waiting for it.
        func sendInBackground() {
            Thread.detachNewThread { self.send() }
        }

        /// Sends requests until the returned object is told to stop.
        func sendRepeatedly() -> Repetition {
            let repetition = Repetition()
            Thread.detachNewThread {
                repeat { self.send() } while repetition.stop.wait(until: .now + .milliseconds(200)) == nil
                repetition.end.wake(with: ())
            }
            return repetition
        }

        /// The statement's answer tells whether it was cancelled. A request that fails is sent again, or ends with the
        /// deadline.
        private func send() {
            var reason = [CChar](repeating: 0, count: 256)
            _ = PQcancel(handle, &reason, Int32(reason.count))
        }

        /// **Shared.** The thread that sends requests.
        final class Repetition: Sendable {
            fileprivate let stop = Wakeup<Void>()
            fileprivate let end = Wakeup<Void>()

            fileprivate init() {}

            /// Stops the requests. Returns whether none is under way any more, for which it waits until the deadline. Call once.
            func stop(until deadline: ContinuousClock.Instant) -> Bool {
                stop.wake(with: ())
                return end.wait(until: deadline) != nil
            }
        }
    }
#endif
