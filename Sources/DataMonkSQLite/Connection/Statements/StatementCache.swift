import Foundation

/// **Confined.** The cached statements of a connection, each lent to one user at a time.
///
/// The place of a lent statement is empty. A second user of the same SQL gets a statement of its own, so that nobody steps a
/// statement that another loop is still using; only one of the two is kept. Above its capacity, the cache evicts the text
/// that was used least recently. Statements in ``PreparedSQL`` slots stay until the connection is closed, or used
/// by another store.
struct StatementCache {
    /// **Confined.** The place of a text's statement, so that a statement is returned without another search. Whoever has a
    /// place that the cache has evicted returns the statement in vain.
    final class Place {
        private var statement: SQLiteStatement?
        fileprivate var lastUse: UInt64

        fileprivate init(_ statement: SQLiteStatement, lastUse: UInt64) {
            self.statement = statement
            self.lastUse = lastUse
        }

        /// Returns the statement, which is lent then; `nil` if it already is.
        func take() -> SQLiteStatement? {
            defer { statement = nil }
            return statement
        }

        fileprivate func put(_ statement: SQLiteStatement) { self.statement = statement }
    }

    /// **Value.** The text of a statement, by its bytes: as strings, "é" and "e" with an accent after it are equal, but not for
    /// SQLite.
    private struct Text: Hashable {
        private let sql: String

        init(_ sql: String) { self.sql = sql }

        static func == (text: Self, other: Self) -> Bool {
            var (one, two) = (text.sql, other.sql)
            return one.withUTF8 { one in
                two.withUTF8 { two in
                    guard one.count == two.count else { return false }
                    guard let start = one.baseAddress, let other = two.baseAddress else { return true }
                    return memcmp(start, other, one.count) == 0
                }
            }
        }

        func hash(into hasher: inout Hasher) {
            var sql = sql
            sql.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    let capacity: Int
    private var byText: [Text: Place] = [:]
    /// The statements by ``PreparedSQL`` slot.
    private var statements: [SQLiteStatement?] = []
    private var clock: UInt64 = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Returns the place of a text's statement, or `nil` if there is none yet.
    mutating func place(of sql: String) -> Place? {
        guard let place = byText[Text(sql)] else { return nil }
        clock += 1
        place.lastUse = clock
        return place
    }

    /// Takes the statement that was lent from a place, or a new one if that is `nil`.
    mutating func checkIn(_ statement: SQLiteStatement, at place: Place?, for sql: String) {
        clock += 1
        if let place {
            place.lastUse = clock
            return place.put(statement)
        }
        byText[Text(sql)] = Place(statement, lastUse: clock)
        if byText.count > capacity, let oldest = byText.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            byText[oldest.key] = nil
        }
    }

    /// Forgets a statement that is not returned.
    mutating func remove(_ sql: String) { byText[Text(sql)] = nil }

    @inline(__always)
    mutating func take(_ prepared: PreparedSQL) -> SQLiteStatement? {
        guard prepared.slot < statements.count, let statement = statements[prepared.slot] else { return nil }
        assert(statement.sql == prepared.sql, "A connection uses the PreparedSQL of a single PreparedSQLTable")
        statements[prepared.slot] = nil
        return statement
    }

    @inline(__always)
    mutating func checkIn(_ statement: SQLiteStatement, for prepared: PreparedSQL) {
        if prepared.slot >= statements.count { makeSlot(prepared.slot) }
        statements[prepared.slot] = statement
    }

    private mutating func makeSlot(_ slot: Int) {
        while statements.count <= slot { statements.append(nil) }
    }

    mutating func removeAll() {
        byText = [:]
        statements = []
    }
}
