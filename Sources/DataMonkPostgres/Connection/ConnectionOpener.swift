#if Postgres
    import CPostgres
    import Foundation

    /// **Value.** The opening of a connection to one of a URL's hosts.
    ///
    /// Hosts, and the addresses of each, are tried one by one with equal shares of the time that remains: libpq by itself
    /// would give all of it to the first one that does not answer.
    struct ConnectionOpener {
        /// An open connection that has passed the checks of its greeting.
        struct Opened {
            let handle: OpaquePointer
            let host: ServerHost
            let notices: ServerNotices
            let cancellation: PostgresCancellation
        }

        let url: ServerURL
        let wait: SocketWait

        func open() throws(PostgresFailure) -> Opened {
            var failures: [PostgresFailure] = []
            for (index, host) in url.hosts.enumerated() {
                let hostsLeft = url.hosts.count - index
                do throws(PostgresFailure) {
                    let addresses = try addresses(of: host, hostsLeft: hostsLeft)
                    if let opened = try open(host, at: addresses, hostsLeft: hostsLeft, &failures) { return opened }
                } catch {
                    if error.kind == .interrupted { throw error }
                    failures.append(error)
                }
            }
            // A server's answer tells more than the silence of another host, and a refusal more than another answer.
            throw failures.first(where: \.isRefusal) ?? failures.first { $0.sqlState != nil } ?? failures.last
                ?? .deadlinePassedOpening
        }

        /// Tries the addresses of a host. Returns `nil` if none can be reached.
        ///
        /// Throws a refusal, behind which no other address of the host is tried, and the caller's interruption.
        private func open(
            _ host: ServerHost, at addresses: [String?], hostsLeft: Int, _ failures: inout [PostgresFailure]
        ) throws(PostgresFailure) -> Opened? {
            for (index, address) in addresses.enumerated() {
                do throws(PostgresFailure) {
                    let share = share(ofAttempts: addresses.count - index + hostsLeft - 1)
                    return try connect(to: host, address: address, wait: share)
                } catch {
                    if error.kind == .interrupted || error.isRefusal { throw error }
                    failures.append(error)
                }
            }
            return nil
        }

        /// Returns the numeric addresses of a host; one `nil` for a Unix socket and for libpq's default.
        private func addresses(of host: ServerHost, hostsLeft: Int) throws(PostgresFailure) -> [String?] {
            guard let name = host.name, !host.isUnixSocket else { return [nil] }
            return try NameResolver.addresses(of: name, wait: share(ofAttempts: hostsLeft))
        }

        /// Returns a wait for one of the attempts that are left.
        private func share(ofAttempts count: Int) -> SocketWait {
            let remaining = max(ContinuousClock.now.duration(to: wait.deadline), .zero)
            return SocketWait(deadline: .now + remaining / count, interrupt: wait.interrupt)
        }

        // MARK: One attempt

        private func connect(
            to host: ServerHost, address: String?, wait: SocketWait
        ) throws(PostgresFailure) -> Opened {
            let parameters = url.connectionParameters(host: host, address: address)
            try ServerURL.checkEnvironment(ProcessInfo.processInfo.environment, with: parameters)
            guard let handle = start(parameters) else {
                throw PostgresFailure(.opening, message: "There is no memory for a connection. Close others.")
            }
            let notices = ServerNotices()
            do throws(PostgresFailure) {
                // libpq has the address of the notices from here on.
                return try withExtendedLifetime(notices) { () throws(PostgresFailure) in
                    notices.install(on: handle)
                    // Otherwise the reason of a refusal is text alone, in the language of the server.
                    PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
                    try poll(handle, within: wait)
                    try PostgresConnection.checkGreeting(handle)
                    guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1,
                        let cancellation = PostgresCancellation(handle)
                    else { throw failure(of: handle) }
                    return Opened(handle: handle, host: host, notices: notices, cancellation: cancellation)
                }
            } catch {
                // Reports nothing, so the notices may be gone.
                PQfinish(handle)
                throw error
            }
        }

        private func start(_ parameters: [(name: String, value: String)]) -> OpaquePointer? {
            withCStrings(parameters.map(\.name)) { names in
                withCStrings(parameters.map(\.value)) { values in PQconnectStartParams(names, values, 0) }
            }
        }

        private func poll(_ handle: OpaquePointer, within wait: SocketWait) throws(PostgresFailure) {
            if PQstatus(handle) == CONNECTION_BAD { throw failure(of: handle) }
            var state = PGRES_POLLING_WRITING
            while true {
                switch state {
                case PGRES_POLLING_OK: return
                case PGRES_POLLING_READING, PGRES_POLLING_WRITING:
                    let isReading = state == PGRES_POLLING_READING
                    // The socket changes from one call to the next.
                    switch wait.wait(for: PQsocket(handle), reading: isReading, writing: !isReading) {
                    case .ready: state = PQconnectPoll(handle)
                    case .deadlinePassed: throw .deadlinePassedOpening
                    case .interrupted: throw .interruptedOpening
                    }
                default: throw failure(of: handle)
                }
            }
        }

        private func failure(of handle: OpaquePointer) -> PostgresFailure {
            // The password may be from a file or the environment.
            let used = PQpass(handle).map { String(cString: $0) } ?? ""
            return PostgresFailure(
                openingMessage: String(cString: PQerrorMessage(handle)), secrets: url.secrets + [used])
        }
    }

    /// Calls `body` with an array of C strings that ends with a null pointer.
    private func withCStrings(
        _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> OpaquePointer?
    ) -> OpaquePointer? {
        let bytes = strings.map { $0.utf8CString }
        let offsets = bytes.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        return bytes.flatMap { $0 }.withUnsafeBufferPointer { buffer in
            let pointers = offsets.dropLast().map { offset in buffer.baseAddress.map { $0 + offset } } + [nil]
            return pointers.withUnsafeBufferPointer { $0.baseAddress.flatMap(body) }
        }
    }
#endif
