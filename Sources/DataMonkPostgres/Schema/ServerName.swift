#if Postgres
    /// **Value.** The spelling of names in a server's tables.
    enum ServerName {
        /// PostgreSQL cuts longer names off.
        static let maximumByteCount = 63

        /// Returns `first_name` for `firstName`, `url_text` for `URLText`, `page2` for `page2`.
        static func snakeCase(_ name: String) -> String {
            let scalars = Array(name.unicodeScalars)
            var result = ""
            for (index, scalar) in scalars.enumerated() {
                if scalar.properties.isUppercase, index > 0, scalars[index - 1] != "_" {
                    let isAfterLowercase = !scalars[index - 1].properties.isUppercase
                    let isBeforeLowercase = index + 1 < scalars.count && scalars[index + 1].properties.isLowercase
                    if isAfterLowercase || isBeforeLowercase { result += "_" }
                }
                result += scalar.properties.lowercaseMapping
            }
            return result
        }

        /// Returns the name in quotes, so that it may be a word of SQL's.
        static func quoted(_ name: String) -> String {
            let mark = UInt8(ascii: "\"")
            // By bytes: with an accent behind it, a mark is another character for Swift, and still one for the server.
            if !name.utf8.contains(mark) { return "\"\(name)\"" }
            let doubled = name.utf8.flatMap { $0 == mark ? [mark, mark] : [$0] }
            return "\"\(String(decoding: doubled, as: UTF8.self))\""
        }

        /// Returns as much of the name as has room with a suffix, without a part of a character's bytes.
        static func shortened(_ name: String, suffix: String) -> String {
            var scalars = name.unicodeScalars
            while String(scalars).utf8.count + suffix.utf8.count > maximumByteCount { scalars.removeLast() }
            return String(scalars) + suffix
        }
    }
#endif
