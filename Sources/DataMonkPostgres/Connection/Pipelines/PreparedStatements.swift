#if Postgres
    /// **Value.** The statements that are prepared on a connection, by their text and the types of their parameters.
    ///
    /// A name is used for one statement only, so a preparation that fails or is skipped leaves nothing behind that could be
    /// taken for another one. The least recently used statements are released beyond the capacity, and each after some time.
    struct PreparedStatements {
        /// The identity of a statement.
        struct Key: Hashable {
            let sql: String
            let typeIDs: [UInt32]

            init(_ statement: PostgresStatement) {
                sql = statement.sql
                typeIDs = statement.parameters.typeIDs
            }
        }

        private struct Entry {
            let name: String
            var lastUse: Int
            let end: ContinuousClock.Instant
        }

        private let capacity: Int
        /// The time after which a statement is prepared anew. The server may keep its plan for tables as large as they were then.
        private let lifetime: Duration
        /// Behind a pooler, another connection may have named a statement on the same one to the server.
        private let prefix = "datamonk_\(String(UInt64.random(in: .min ... .max), radix: 36))_"
        private var entries: [Key: Entry] = [:]
        private var useCount = 0
        private var nameCount = 0
        /// The names of statements that the server keeps and nobody uses.
        private var released: [String] = []

        init(capacity: Int, lifetime: Duration = .seconds(30)) {
            self.capacity = capacity
            self.lifetime = lifetime
        }

        /// A Boolean value indicating whether statements are prepared at all.
        var isEnabled: Bool { capacity > 0 }

        /// Returns the name of a statement that the server has prepared; `nil` if it has not.
        mutating func name(for key: Key) -> String? {
            guard let entry = entries[key] else { return nil }
            if entry.end <= .now {
                release(key)
                return nil
            }
            useCount += 1
            entries[key]?.lastUse = useCount
            return entry.name
        }

        /// Returns a name that was never used.
        mutating func makeName() -> String {
            nameCount += 1
            return "\(prefix)\(nameCount)"
        }

        /// Notes that the server has prepared a statement.
        mutating func insert(_ key: Key, name: String) {
            // Prepared twice, in two parts of one pipeline.
            if let former = entries[key] { released.append(former.name) }
            useCount += 1
            entries[key] = Entry(name: name, lastUse: useCount, end: .now + lifetime)
            guard entries.count > capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            else { return }
            release(oldest.key)
        }

        /// Forgets a statement that the server no longer runs as it was prepared.
        mutating func release(_ key: Key) {
            guard let entry = entries.removeValue(forKey: key) else { return }
            released.append(entry.name)
        }

        /// Forgets all statements, because the server does not know one of them. There is nothing to release then.
        mutating func forgetAll() {
            entries = [:]
            released = []
        }

        /// Returns the names of the statements to release on the server.
        mutating func takeReleased() -> [String] {
            defer { released = [] }
            return released
        }
    }
#endif
