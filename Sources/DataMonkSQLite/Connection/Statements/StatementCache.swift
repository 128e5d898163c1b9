/// **Confined.** The statements that a connection keeps, each lent to one user at a time.
///
/// A statement that is lent is not in the cache; a second user of the same SQL meanwhile gets one of its own, and the
/// one that comes back last is dropped. So nobody steps a statement that another loop is in the middle of.
/// It empties by age: over its capacity the text that waited longest goes. Places of ``PreparedSQL`` stay until closing.
struct StatementCache {
    private struct Entry {
        let statement: SQLiteStatement
        var lastUse: UInt64
    }

    let capacity: Int
    private var byText: [String: Entry] = [:]
    /// By the slots of ``PreparedSQL``.
    private var places: [SQLiteStatement?] = []
    private var clock: UInt64 = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    mutating func take(_ sql: String) -> SQLiteStatement? {
        byText.removeValue(forKey: sql)?.statement
    }

    mutating func giveBack(_ statement: SQLiteStatement, for sql: String) {
        clock += 1
        byText[sql] = Entry(statement: statement, lastUse: clock)
        if byText.count > capacity, let oldest = byText.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            byText[oldest.key] = nil
        }
    }

    @inline(__always)
    mutating func take(_ prepared: PreparedSQL) -> SQLiteStatement? {
        guard prepared.slot < places.count, let statement = places[prepared.slot] else { return nil }
        assert(statement.sql == prepared.sql, "One connection takes PreparedSQL of one PreparedSQLTable only")
        places[prepared.slot] = nil
        return statement
    }

    @inline(__always)
    mutating func giveBack(_ statement: SQLiteStatement, for prepared: PreparedSQL) {
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
