#if Postgres
    import Foundation

    /// **Value.** A wait for a socket, until a deadline or an interrupt.
    struct SocketWait {
        /// The outcome of a wait.
        enum Outcome: Equatable {
            case ready(readable: Bool, writable: Bool)
            case deadlinePassed
            case interrupted
        }

        let deadline: ContinuousClock.Instant
        /// `nil` for a wait that only its deadline ends.
        var interrupt: PostgresInterrupt?

        /// Returns whether the socket can be read now. A closed socket can be.
        static func isReadable(_ socket: Int32) -> Bool {
            var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            return poll(&descriptor, 1, 0) > 0
        }

        /// Blocks until the socket can be read or, on request, written. A closed socket is readable.
        ///
        /// A passed deadline comes first: a server that never stops sending is always ready.
        func wait(for socket: Int32, reading: Bool = true, writing: Bool = false) -> Outcome {
            let events = Int16(reading ? POLLIN : 0) | Int16(writing ? POLLOUT : 0)
            var descriptors = [pollfd(fd: socket, events: events, revents: 0)]
            if let interrupt { descriptors.append(pollfd(fd: interrupt.descriptor, events: Int16(POLLIN), revents: 0)) }
            while true {
                let remaining = ContinuousClock.now.duration(to: deadline)
                if remaining <= .zero { return .deadlinePassed }
                let count = poll(&descriptors, nfds_t(descriptors.count), Self.milliseconds(remaining))
                if descriptors.count > 1, descriptors[1].revents != 0 { return .interrupted }
                let found = descriptors[0].revents
                if count > 0, found != 0 {
                    let failed = found & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
                    return .ready(readable: failed || found & Int16(POLLIN) != 0, writable: found & Int16(POLLOUT) != 0)
                }
                // No event, or a signal. Rounds are a day at most.
            }
        }

        /// Returns the duration in milliseconds, rounded up so that the last round does not spin; a day at most.
        private static func milliseconds(_ duration: Duration) -> Int32 {
            let (seconds, attoseconds) = min(duration, .seconds(86_400)).components
            return Int32(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
        }
    }
#endif
