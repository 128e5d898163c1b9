#if Postgres
    import DataMonkCore
    import Foundation

    @testable import DataMonkPostgres

    /// **Shared.** A server that greets as any other engine or version, and answers each statement with one text.
    final class FakeServer: Sendable {
        struct Greeting: Sendable {
            var parameters: [String: String] = [:]
            /// The answer to each statement.
            var answer = ""
            /// Asks for the password, and refuses it with a message that repeats it.
            var repeatsPassword = false
        }

        let port: UInt16
        private let listener: LocalSocket
        private let executed = Locked(0)

        init(_ greeting: Greeting) {
            (listener, port) = LocalSocket.listening()
            let listener = listener
            Thread.detachNewThread { [weak self] in
                while let client = listener.accepted() {
                    guard let self else { return client.close() }
                    Thread.detachNewThread {
                        self.serve(client, greeting)
                        client.close()
                    }
                }
                listener.close()
            }
        }

        deinit { listener.shutDown() }

        var url: ServerURL {
            ServerURL(
                hosts: [ServerHost(name: "127.0.0.1", port: port)], database: "shop", user: "app",
                password: ServerPassword("tr0ub4dor"))
        }

        /// The number of statements that clients ran.
        var executedCount: Int { executed.withLock { $0 } }

        private func serve(_ client: LocalSocket, _ greeting: Greeting) {
            guard readStartup(client) else { return }
            if greeting.repeatsPassword {
                client.write(Self.message("R", [0, 0, 0, 3]))
                guard let (_, password) = readMessage(client) else { return }
                let text = String(decoding: password.dropLast(), as: UTF8.self)
                let fields = ["SFATAL", "VFATAL", "C28P01", "Mno entry for \(text) here"]
                client.write(Self.message("E", fields.flatMap { Array($0.utf8) + [0] } + [0]))
                return
            }
            client.write(Self.message("R", [0, 0, 0, 0]))
            for (name, value) in greeting.parameters {
                client.write(Self.message("S", Array(name.utf8) + [0] + Array(value.utf8) + [0]))
            }
            client.write(Self.message("K", [0, 0, 0, 1, 0, 0, 0, 2]) + Self.message("Z", Array("I".utf8)))
            while let (type, _) = readMessage(client) {
                switch type {
                case UInt8(ascii: "E"):
                    executed.withLock { $0 += 1 }
                    client.write(Self.rows(greeting.answer))
                case UInt8(ascii: "S"): client.write(Self.message("Z", Array("I".utf8)))
                case UInt8(ascii: "X"): return
                default: break
                }
            }
        }

        /// Refuses encryption until the client starts without.
        private func readStartup(_ client: LocalSocket) -> Bool {
            while let header = client.read(8) {
                let length = header.prefix(4).reduce(0) { $0 << 8 | Int($1) }
                let code = header.suffix(4).reduce(0) { $0 << 8 | Int($1) }
                guard length >= 8, client.read(length - 8) != nil else { return false }
                if code == 196_608 { return true }
                client.write(Array("N".utf8))
            }
            return false
        }

        private func readMessage(_ client: LocalSocket) -> (type: UInt8, body: [UInt8])? {
            guard let header = client.read(5) else { return nil }
            let length = header.suffix(4).reduce(0) { $0 << 8 | Int($1) }
            return client.read(length - 4).map { (header[0], $0) }
        }

        private static func message(_ type: Unicode.Scalar, _ body: [UInt8]) -> [UInt8] {
            var bytes = [UInt8(ascii: type)]
            bytes.append(bigEndian: Int32(body.count + 4))
            return bytes + body
        }

        /// A table of one text.
        private static func rows(_ text: String) -> [UInt8] {
            var description: [UInt8] = [0, 1, UInt8(ascii: "v"), 0, 0, 0, 0, 0, 0, 0]
            description.append(bigEndian: UInt32(25))
            description += [255, 255, 255, 255, 255, 255, 0, 1]
            var row: [UInt8] = [0, 1]
            row.append(bigEndian: Int32(text.utf8.count))
            row += Array(text.utf8)
            return message("1", []) + message("2", []) + message("T", description) + message("D", row)
                + message("C", Array("SELECT 1".utf8) + [0])
        }
    }
#endif
