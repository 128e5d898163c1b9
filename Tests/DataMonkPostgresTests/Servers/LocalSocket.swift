#if Postgres
    import Foundation
    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// **Value.** A stream socket of this machine, with calls that block.
    struct LocalSocket: Sendable {
        let descriptor: Int32

        #if canImport(Darwin)
            private static let stream = SOCK_STREAM
        #else
            private static let stream = Int32(SOCK_STREAM.rawValue)
        #endif

        /// Creates a listener on a free port of 127.0.0.1.
        static func listening() -> (socket: LocalSocket, port: UInt16) {
            let descriptor = socket(AF_INET, stream, 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    precondition(bind(descriptor, $0, length) == 0 && listen(descriptor, 100) == 0)
                    precondition(getsockname(descriptor, $0, &length) == 0)
                }
            }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            return (LocalSocket(descriptor: descriptor), UInt16(bigEndian: address.sin_port))
        }

        /// Connects to a Unix socket. Returns `nil` if nobody listens.
        static func connected(toUnixSocket path: String) -> LocalSocket? {
            let descriptor = socket(AF_UNIX, stream, 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let code = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            guard code == 0 else {
                Glibc.close(descriptor)
                return nil
            }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            return LocalSocket(descriptor: descriptor)
        }

        /// Returns the next connection; `nil` once the listener is shut down.
        func accepted() -> LocalSocket? {
            let accepted = Glibc.accept(descriptor, nil, nil)
            guard accepted >= 0 else { return nil }
            _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
            return LocalSocket(descriptor: accepted)
        }

        /// Returns some bytes; none at the end.
        func read() -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
                count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
            }
        }

        /// Returns exactly as many bytes; `nil` at the end.
        func read(_ count: Int) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: count)
            let received = count == 0 ? 0 : recv(descriptor, &bytes, count, Int32(MSG_WAITALL))
            return received == count ? bytes : nil
        }

        /// Writes all bytes. Returns `false` if the other side is gone.
        @discardableResult
        func write(_ bytes: some Collection<UInt8>) -> Bool {
            var rest = Array(bytes)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                if count <= 0 { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

        func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }
        func close() { Glibc.close(descriptor) }

        /// Lets `close()` reset the connection, as a machine does that was restarted.
        func resetOnClose() {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }
    }
#endif
