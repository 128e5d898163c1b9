#if Postgres
    import Foundation
    import Synchronization

    /// **Shared.** A proxy on TCP before a server's Unix socket. Each byte arrives half of a round trip after it was sent,
    /// however many are on their way. Counts round trips.
    ///
    /// Each connection has a thread, which waits for both sides and for the time of the next delivery. The proxy ends with this
    /// process.
    final class DelayingProxy: Sendable {
        let port: UInt16
        private let trips = Atomic(0)

        /// - Parameter roundTrip: The time of a round trip, in seconds.
        init(before socketPath: String, roundTrip: Double) throws {
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            port = try Self.listen(on: listener)
            let delay = Int64(roundTrip / 2 * 1e9)
            Thread.detachNewThread {
                while true {
                    let client = accept(listener, nil, nil)
                    if client < 0 { return }
                    guard let server = Self.connect(toUnixSocket: socketPath) else {
                        close(client)
                        continue
                    }
                    var option: Int32 = 1
                    setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &option, socklen_t(MemoryLayout<Int32>.size))
                    _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                    Thread.detachNewThread {
                        var line = ProxyLine(client: client, server: server, delay: delay)
                        line.run { self.trips.add(1, ordering: .relaxed) }
                    }
                }
            }
        }

        var url: String { "postgresql://postgres@127.0.0.1:\(port)/postgres?sslmode=disable" }

        /// The number of times that a client sent something after it had received something, or first.
        var roundTripCount: Int { trips.load(ordering: .relaxed) }

        private static func listen(on listener: Int32) throws -> UInt16 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isListening = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, length) == 0 && Glibc.listen(listener, 100) == 0
                        && getsockname(listener, $0, &length) == 0
                }
            }
            guard isListening else { throw Failure("The proxy has no port.") }
            _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
            return UInt16(bigEndian: address.sin_port)
        }

        private static func connect(toUnixSocket path: String) -> Int32? {
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let code = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            guard code == 0 else {
                close(descriptor)
                return nil
            }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            return descriptor
        }
    }
#endif
