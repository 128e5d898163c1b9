#if Postgres
    // postgresql://[user[:password]@][host[:port][,host[:port]]…][/database][?name=value[&name=value]…]
    //
    // As libpq reads it, but stricter: the text has at most one `@`, and that before the first `/` and `?`. Otherwise a
    // password with one of these characters in it would be read as a host, a port, a database or a parameter, and appear in
    // messages.
    //
    // It is read byte by byte, not character by character: an `@` with an accent on it is an `@` to everybody else.

    private typealias Text = Substring.UTF8View

    extension ServerURL {
        /// Parses a URL.
        ///
        /// Throws a ``ServerURLError``, which repeats nothing of the text.
        package init(_ text: String) throws(ServerURLError) {
            let rest = try Self.checked(text[...].utf8)
            let (beforeQuery, query) = rest.divided(at: .ascii("?"))
            let (authority, path) = beforeQuery.divided(at: .ascii("/"))
            let (beforeAt, afterAt) = authority.divided(at: .ascii("@"))

            self.init(hosts: [ServerHost(name: nil)])
            if afterAt != nil { try setUser(beforeAt) }
            if let path, !path.isEmpty { database = try Self.decoded(path, as: .database) }
            hosts = try Self.hosts(afterAt ?? authority)
            if let query, !query.isEmpty { try setParameters(query) }
        }

        /// Returns the text behind the scheme, whose characters are all permitted in a URL.
        private static func checked(_ text: Text) throws(ServerURLError) -> Text {
            guard let scheme = ["postgresql://", "postgres://"].first(where: { text.starts(with: $0.utf8) }) else {
                throw .otherScheme
            }
            let rest = text.dropFirst(scheme.utf8.count)
            if rest.contains(where: { $0 <= 0x20 || $0 == 0x7f || $0 == .ascii("#") }) { throw .unencodedCharacter }
            let (before, after) = rest.divided(at: .ascii("@"))
            guard let after else { return rest }
            if before.contains(where: { $0 == .ascii("/") || $0 == .ascii("?") }) || after.contains(.ascii("@")) {
                throw .unencodedCharacter
            }
            return rest
        }

        private mutating func setUser(_ text: Text) throws(ServerURLError) {
            let (name, password) = text.divided(at: .ascii(":"))
            if !name.isEmpty { user = try Self.decoded(name, as: .user) }
            if let password, !password.isEmpty {
                self.password = ServerPassword(try Self.decoded(password, as: .password))
            }
        }

        // MARK: Hosts

        private static func hosts(_ text: Text) throws(ServerURLError) -> [ServerHost] {
            var hosts: [ServerHost] = []
            for part in text.split(separator: .ascii(","), omittingEmptySubsequences: false) {
                hosts.append(try host(part))
            }
            if hosts.count > 1, hosts.contains(where: { $0.name == nil }) { throw .invalidHost }
            return hosts
        }

        private static func host(_ text: Text) throws(ServerURLError) -> ServerHost {
            var (name, portText) = text.divided(at: .ascii(":"))
            if text.first == .ascii("[") {
                let (address, behind) = text.dropFirst().divided(at: .ascii("]"))
                guard let behind, behind.isEmpty || behind.first == .ascii(":"), !address.isEmpty else {
                    throw .invalidHost
                }
                (name, portText) = (address, behind.dropFirst())
            } else if name.contains(where: { $0 == .ascii("[") || $0 == .ascii("]") }) {
                throw .invalidHost
            }
            var port: UInt16?
            if let portText, !portText.isEmpty { port = try Self.port(portText) }
            return ServerHost(name: name.isEmpty ? nil : try decoded(name, as: .host), port: port)
        }

        private static func port(_ text: Text) throws(ServerURLError) -> UInt16 {
            guard text.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(Substring(text)), port > 0 else {
                throw .invalidPort
            }
            return port
        }

        // MARK: Parameters

        private mutating func setParameters(_ text: Text) throws(ServerURLError) {
            var seen: Set<String> = []
            var ports: [UInt16] = []
            for (index, part) in text.split(separator: .ascii("&"), omittingEmptySubsequences: false).enumerated() {
                let (nameText, valueText) = part.divided(at: .ascii("="))
                guard let valueText else { throw .unknownParameter(number: index + 1) }
                let name = try Self.decoded(nameText, as: .parameter)
                let value = try Self.decoded(valueText, as: .parameter)
                if name == "port" {
                    for port in value[...].utf8.split(separator: .ascii(",")) { ports.append(try Self.port(port)) }
                } else {
                    try setParameter(name, to: value, number: index + 1)
                }
                if !seen.insert(name).inserted { throw .repeatedParameter(name) }
            }
            if hosts.isEmpty { throw .invalidHost }
            try setPorts(ports)
        }

        private mutating func setParameter(_ name: String, to value: String, number: Int) throws(ServerURLError) {
            switch name {
            case "host":
                hosts = value[...].utf8.split(separator: .ascii(",")).map { ServerHost(name: String(Substring($0))) }
            case "dbname": database = value
            case "user": user = value
            case "password": password = ServerPassword(value)
            // As JDBC spells it, and libpq reads it.
            case "ssl" where value == "true": parameters["sslmode"] = "require"
            default:
                try ServerParameter.check(name, value: value, number: number)
                parameters[name] = value
            }
        }

        private mutating func setPorts(_ ports: [UInt16]) throws(ServerURLError) {
            guard !ports.isEmpty else { return }
            guard ports.count == 1 || ports.count == hosts.count else { throw .portsDoNotMatchHosts }
            for index in hosts.indices { hosts[index].port = ports.count == 1 ? ports[0] : ports[index] }
        }

        // MARK: Percent-encoding

        private static func decoded(_ text: Text, as part: ServerURLError.Part) throws(ServerURLError) -> String {
            var bytes: [UInt8] = []
            var rest = text
            while let byte = rest.popFirst() {
                guard byte == .ascii("%") else {
                    bytes.append(byte)
                    continue
                }
                guard let high = rest.popFirst()?.hexValue, let low = rest.popFirst()?.hexValue, high << 4 | low != 0
                else {
                    throw .invalidPercentEncoding(part)
                }
                bytes.append(high << 4 | low)
            }
            guard let decoded = String(validating: bytes, as: UTF8.self) else { throw .invalidPercentEncoding(part) }
            return decoded
        }
    }

    extension Text {
        /// Returns the text before the first `separator`, and the text behind it; `nil` for the latter if there is none.
        fileprivate func divided(at separator: UInt8) -> (before: Text, behind: Text?) {
            guard let index = firstIndex(of: separator) else { return (self, nil) }
            return (self[..<index], self[index...].dropFirst())
        }
    }

    extension UInt8 {
        /// The value of a hexadecimal digit; `nil` for another character.
        fileprivate var hexValue: UInt8? {
            switch self {
            case .ascii("0")...(.ascii("9")): self - .ascii("0")
            case .ascii("a")...(.ascii("f")): self - .ascii("a") + 10
            case .ascii("A")...(.ascii("F")): self - .ascii("A") + 10
            default: nil
            }
        }

        fileprivate static func ascii(_ character: Unicode.Scalar) -> UInt8 { UInt8(ascii: character) }
    }
#endif
