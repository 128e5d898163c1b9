/// **Confined.** The cached statements of a connection, each lent to one user at a time.
///
/// A lent statement is not in the cache. A second user of the same SQL gets a statement of its own, so that nobody steps a
/// statement that another loop is still using; only one of the two is kept. Above its capacity, the cache evicts the text
/// that was used least recently. Statements in ``PreparedSQL`` slots stay until the connection is closed, or used
/// by another store.
struct StatementCache {
    private struct Entry {
        let statement: SQLiteStatement
        var lastUse: UInt64
    }

    /// **Value.** The text of a statement, by its bytes: as strings, "é" and "e" with an accent after it are equal, but not for
    /// SQLite.
    private struct Text: Hashable {
        private let sql: String

        init(_ sql: String) { self.sql = sql }

        static func == (text: Self, other: Self) -> Bool { text.sql.utf8.elementsEqual(other.sql.utf8) }

        func hash(into hasher: inout Hasher) {
            var sql = sql
            sql.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    let capacity: Int
    private var byText: [Text: Entry] = [:]
    /// The statements by ``PreparedSQL`` slot.
    private var places: [SQLiteStatement?] = []
    private var clock: UInt64 = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    mutating func take(_ sql: String) -> SQLiteStatement? {
        byText.removeValue(forKey: Text(sql))?.statement
    }

    mutating func checkIn(_ statement: SQLiteStatement, for sql: String) {
        clock += 1
        byText[Text(sql)] = Entry(statement: statement, lastUse: clock)
        if byText.count > capacity, let oldest = byText.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            byText[oldest.key] = nil
        }
    }

    @inline(__always)
    mutating func take(_ prepared: PreparedSQL) -> SQLiteStatement? {
        guard prepared.slot < places.count, let statement = places[prepared.slot] else { return nil }
        assert(statement.sql == prepared.sql, "A connection uses the PreparedSQL of a single PreparedSQLTable")
        places[prepared.slot] = nil
        return statement
    }

    @inline(__always)
    mutating func checkIn(_ statement: SQLiteStatement, for prepared: PreparedSQL) {
        if prepared.slot >= places.count { makePlace(prepared.slot) }
        places[prepared.slot] = statement
    }

    private mutating func makePlace(_ slot: Int) {
        while places.count <= slot { places.append(nil) }
    }

    mutating func removeAll() {
        byText = [:]
        places = []
    }
}
