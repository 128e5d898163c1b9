#if Postgres
    /// **Value.** The statements that are prepared on a connection, by their text and the types of their parameters.
    ///
    /// A name is used for one statement only, so a preparation that fails or is skipped leaves nothing behind that could be
    /// taken for another one. The least recently used statements are released beyond the capacity.
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
        }

        private let capacity: Int
        private var entries: [Key: Entry] = [:]
        private var useCount = 0
        private var nameCount = 0
        /// The names of statements that the server keeps and nobody uses.
        private var released: [String] = []

        init(capacity: Int) { self.capacity = capacity }

        /// A Boolean value indicating whether statements are prepared at all.
        var isEnabled: Bool { capacity > 0 }

        /// Returns the name of a statement that the server has prepared; `nil` if it has not.
        mutating func name(for key: Key) -> String? {
            guard let name = entries[key]?.name else { return nil }
            useCount += 1
            entries[key]?.lastUse = useCount
            return name
        }

        /// Returns a name that was never used.
        mutating func makeName() -> String {
            nameCount += 1
            return "datamonk_\(nameCount)"
        }

        /// Notes that the server has prepared a statement.
        mutating func insert(_ key: Key, name: String) {
            // Prepared twice, in two parts of one pipeline.
            if let former = entries[key] { released.append(former.name) }
            useCount += 1
            entries[key] = Entry(name: name, lastUse: useCount)
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
