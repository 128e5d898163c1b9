#if Postgres
    import DataMonkCore
    import Foundation

    /// **Value.** The look-up of a host's addresses within a deadline.
    ///
    /// libpq looks names up inside of `PQconnectPoll`, with a call that no deadline ends. Addresses that are found here are
    /// passed to it as `hostaddr`, beside the name, which certificates are compared with.
    enum NameResolver {
        /// Returns the numeric addresses of a host, in the system's order.
        ///
        /// The look-up runs on a thread of its own. After the deadline the thread ends by itself, as soon as the system
        /// answers.
        static func addresses(of host: String, wait: SocketWait) throws(PostgresFailure) -> [String] {
            if let address = lookUp(host, flags: AI_NUMERICHOST).addresses.first { return [address] }
            let answer = Wakeup<Found>()
            Thread.detachNewThread { answer.wake(with: lookUp(host, flags: AI_ADDRCONFIG)) }
            guard let found = value(of: answer, wait) else {
                if wait.interrupt?.isTriggered == true { throw .interruptedOpening }
                throw PostgresFailure(
                    .deadlinePassed, message: "The address of the host was not found in time. Check the name server.")
            }
            if found.addresses.isEmpty {
                throw PostgresFailure(
                    .opening,
                    message: "The host \(host) has no address (\(found.reason ?? "none known")). Check its name.")
            }
            return found.addresses
        }

        private struct Found: Sendable {
            var addresses: [String] = []
            /// The system's explanation, if there are none.
            var reason: String?
        }

        private static func lookUp(_ host: String, flags: Int32) -> Found {
            var hints = addrinfo()
            hints.ai_flags = flags
            #if canImport(Darwin)
                hints.ai_socktype = SOCK_STREAM
            #else
                hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
            #endif
            var list: UnsafeMutablePointer<addrinfo>?
            let code = getaddrinfo(host, nil, &hints, &list)
            guard code == 0 else { return Found(reason: String(cString: gai_strerror(code))) }
            defer { freeaddrinfo(list) }
            var found = Found()
            var next = list
            while let entry = next {
                var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
                let (address, length) = (entry.pointee.ai_addr, entry.pointee.ai_addrlen)
                if getnameinfo(address, length, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 {
                    let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
                    found.addresses.append(String(decoding: bytes, as: UTF8.self))
                }
                next = entry.pointee.ai_next
            }
            return found
        }

        /// Blocks in rounds, because an interrupt cannot be waited for at the same time. Returns `nil` if the wait ended first.
        private static func value(of answer: Wakeup<Found>, _ wait: SocketWait) -> Found? {
            while ContinuousClock.now < wait.deadline, wait.interrupt?.isTriggered != true {
                if let found = answer.wait(until: min(wait.deadline, .now + .milliseconds(50))) { return found }
            }
            return nil
        }
    }
#endif
