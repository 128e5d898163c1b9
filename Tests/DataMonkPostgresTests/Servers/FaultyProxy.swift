#if Postgres
    import DataMonkCore
    import Foundation

    @testable import DataMonkPostgres

    /// **Shared.** A proxy on TCP before a server's Unix socket, which cuts or stalls connections at any byte, delays what
    /// it passes on, and counts round trips.
    final class FaultyProxy: Sendable {
        enum Direction: Sendable {
            case toServer, toClient
        }

        /// A fault that happens once as many bytes have passed in its direction, since it was set.
        struct Fault: Sendable {
            enum Effect: Sendable {
                case close, reset
                /// Bytes are no longer passed on. The connection stays open.
                case stall
            }

            var direction: Direction
            var byteCount: Int
            var effect: Effect
            /// Called as the fault happens.
            var action: (@Sendable () -> Void)?
        }

        private struct State {
            var fault: Fault?
            var toServerCount = 0
            var toClientCount = 0
            /// By the descriptors of the clients' sockets.
            var connections: [Int32: Connection] = [:]
        }

        private struct Connection {
            var roundTripCount = 0
            var isServersTurn = false
        }

        let port: UInt16
        private let listener: LocalSocket
        private let socketPath: String
        private let delay: Duration
        private let state = Locked(State())
        private let openingDelay = Locked(Duration.zero)
        /// The clients' sockets that are open, by their descriptors.
        private let clients = Locked<[Int32: LocalSocket]>([:])

        /// Creates a proxy that passes everything on after `delay`, which is half the time of a round trip.
        init(_ server: PostgresServer, delay: Duration = .zero) {
            self.delay = delay
            (listener, port) = LocalSocket.listening()
            socketPath = server.socketPath
            let (listener, socketPath, openingDelay) = (listener, socketPath, openingDelay)
            Thread.detachNewThread { [weak self] in
                while let client = listener.accepted() {
                    let delay = openingDelay.withLock(\.self)
                    usleep(UInt32(delay / .microseconds(1)))  // As long as a busy server takes.
                    guard let self, let server = LocalSocket.connected(toUnixSocket: socketPath) else {
                        client.close()
                        continue
                    }
                    self.pump(client, server)
                }
                listener.close()
            }
        }

        deinit { listener.shutDown() }

        var url: ServerURL {
            ServerURL(
                hosts: [ServerHost(name: "127.0.0.1", port: port)], database: "postgres", user: "postgres",
                parameters: ["sslmode": "disable"])
        }

        /// Sets the next fault and begins to count anew.
        func setFault(_ fault: Fault?) {
            state.withLock { $0 = State(fault: fault) }
        }

        /// Delays each connection from now on until the server gets to know of it.
        func setOpeningDelay(_ delay: Duration) { openingDelay.withLock { $0 = delay } }

        /// Cuts all connections, and each new one before it is answered, until a fault is set anew.
        func cut() {
            setFault(Fault(direction: .toClient, byteCount: 0, effect: .close))
            clients.withLock { for client in $0.values { client.shutDown() } }
        }

        /// The number of connections that are open.
        var clientCount: Int { clients.withLock(\.count) }

        /// The bytes that passed since the last fault was set.
        var counts: (toServer: Int, toClient: Int) { state.withLock { ($0.toServerCount, $0.toClientCount) } }

        /// The number of times that a client sent after the server had answered, or first, on the connection on which it did so
        /// most often since the last fault was set.
        ///
        /// It is at most the number of parts that were sent, each of which may pass after the answer of the part before it. On
        /// another connection, the end of an earlier snapshot may pass at any time.
        var roundTripCount: Int { state.withLock { $0.connections.values.lazy.map(\.roundTripCount).max() ?? 0 } }

        /// Calls `body` until it takes no more than a number of round trips, at most a hundred times, and returns the fewest.
        ///
        /// Parts that are sent together may pass one after the other, each after the answer of the one before it, on a machine
        /// that does something else meanwhile. A delay of the proxy's makes that rare.
        func fewestRoundTrips(downTo count: Int, of body: () throws -> Void) rethrows -> Int {
            var fewest = Int.max
            for _ in 0..<100 where fewest > count {
                setFault(nil)
                try body()
                fewest = min(fewest, roundTripCount)
            }
            return fewest
        }

        /// Waits until the answer of a rollback has passed that a connection sent without waiting.
        ///
        /// - Parameter condition: A condition on `pg_stat_activity` that is true of the connection.
        func waitForRollback(of condition: String, _ direct: PostgresConnection) throws {
            try direct.wait(forNoProcess: "\(condition) AND state LIKE 'idle in transaction%'")
            while state.withLock({ $0.connections.values.contains(where: \.isServersTurn) }) { sched_yield() }
        }

        private func pump(_ client: LocalSocket, _ server: LocalSocket) {
            let group = DispatchGroup()
            clients.withLock { $0[client.descriptor] = client }
            for (from, to, direction) in [(client, server, Direction.toServer), (server, client, .toClient)] {
                group.enter()
                Thread.detachNewThread {
                    self.copy(from: from, to: to, direction, client: client)
                    from.shutDown()
                    to.shutDown()
                    group.leave()
                }
            }
            Thread.detachNewThread {
                group.wait()
                self.clients.withLock { clients in
                    clients[client.descriptor] = nil
                    self.state.withLock { $0.connections[client.descriptor] = nil }
                    client.close()
                }
                server.close()
            }
        }

        private func copy(from: LocalSocket, to: LocalSocket, _ direction: Direction, client: LocalSocket) {
            while true {
                let bytes = from.read()
                if bytes.isEmpty { return }
                let (count, fault) = pass(bytes.count, direction, on: client.descriptor)
                if delay > .zero {
                    usleep(UInt32(delay.components.attoseconds / 1_000_000_000_000))  // As long as the network takes.
                }
                guard to.write(bytes.prefix(count)) else { return }
                fault?.action?()
                switch fault?.effect {
                case nil: break
                case .close: return
                case .reset:
                    client.resetOnClose()
                    return
                case .stall:
                    while !from.read().isEmpty {}
                    return
                }
            }
        }

        /// Returns how many bytes may pass, and the fault that then happens.
        private func pass(_ count: Int, _ direction: Direction, on client: Int32) -> (Int, Fault?) {
            state.withLock { state in
                let path = direction == .toServer ? \State.toServerCount : \State.toClientCount
                var (passed, happening) = (count, Fault?.none)
                if let fault = state.fault, fault.direction == direction,
                    state[keyPath: path] + count >= fault.byteCount
                {
                    passed = max(0, fault.byteCount - state[keyPath: path])
                    happening = fault
                }
                state[keyPath: path] += passed
                var connection = state.connections[client, default: Connection()]
                if direction == .toServer, !connection.isServersTurn { connection.roundTripCount += 1 }
                connection.isServersTurn = direction == .toServer
                state.connections[client] = connection
                return (passed, happening)
            }
        }
    }
#endif
