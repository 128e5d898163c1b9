#if Postgres
    import BenchMessages
    import Foundation
    import SystemPostgres

    /// **Value.** One connection through a proxy.
    struct ProxyLine {
        /// **Value.** One direction, with the bytes that are on their way.
        private struct Flow {
            let source: Int32
            let target: Int32
            var waiting: [(due: Int64, bytes: ArraySlice<UInt8>)] = []
            var hasEnded = false

            var isOver: Bool { hasEnded && waiting.isEmpty }

            /// Takes what the source has sent. Returns `false` if that is nothing but its end.
            mutating func receive(delay: Int64) -> Bool {
                let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
                    count = max(0, recv(source, buffer.baseAddress, buffer.count, 0))
                }
                hasEnded = bytes.isEmpty
                if !hasEnded { waiting.append((monotonicNanoseconds() + delay, bytes[...])) }
                return !hasEnded
            }

            /// Delivers what has arrived. Returns `true` if that is something.
            mutating func deliver() -> Bool {
                var hasDelivered = false
                while let (due, bytes) = waiting.first, due <= monotonicNanoseconds() {
                    hasDelivered = true
                    var rest = bytes
                    while !rest.isEmpty {
                        let count = rest.withUnsafeBytes { send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                        if count <= 0 {
                            (waiting, hasEnded) = ([], true)
                            return true
                        }
                        rest = rest.dropFirst(count)
                    }
                    waiting.removeFirst()
                }
                return hasDelivered
            }
        }

        private let delay: Int64
        private var requests: Flow
        private var answers: Flow
        /// A Boolean value indicating whether the client has received something since it last sent, or has sent nothing.
        private var isClientsTurn = true

        init(client: Int32, server: Int32, delay: Int64) {
            self.delay = delay
            requests = Flow(source: client, target: server)
            answers = Flow(source: server, target: client)
        }

        /// Passes bytes on until one side has gone, and closes both.
        mutating func run(onRoundTrip count: () -> Void) {
            while !requests.isOver, !answers.isOver {
                let (client, server) = wait()
                if client, requests.receive(delay: delay), isClientsTurn {
                    count()
                    isClientsTurn = false
                }
                if server { _ = answers.receive(delay: delay) }
                _ = requests.deliver()
                if answers.deliver() { isClientsTurn = true }
            }
            close(requests.source)
            close(answers.source)
        }

        /// Waits for bytes, or for the next delivery. Returns which sides have sent some.
        private func wait() -> (client: Bool, server: Bool) {
            var descriptors = [
                // A negative descriptor is left out.
                pollfd(fd: requests.hasEnded ? -1 : requests.source, events: Int16(POLLIN), revents: 0),
                pollfd(fd: answers.hasEnded ? -1 : answers.source, events: Int16(POLLIN), revents: 0),
            ]
            if let due = [requests.waiting.first?.due, answers.waiting.first?.due].compactMap(\.self).min() {
                let rest = max(0, due - monotonicNanoseconds())
                var time = timespec(tv_sec: Int(rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
                _ = wait_for_input(&descriptors, 2, &time)
            } else {
                _ = wait_for_input(&descriptors, 2, nil)
            }
            return (descriptors[0].revents != 0, descriptors[1].revents != 0)
        }
    }

    /// Lets timers of this thread, and of those that it begins, end within a microsecond instead of fifty.
    func sharpenTimers() {
        // Reason for try?: round trips are a little longer without. They are measured and printed.
        try? Data("1000".utf8).write(to: URL(fileURLWithPath: "/proc/self/timerslack_ns"))
    }
#endif
