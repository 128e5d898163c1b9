import DataMonkCore

/// **Confined.** A table that is read from its first row to its last, past what cannot be read.
///
/// ```
/// all rows            in the order of their keys, and from the end; nothing else is needed without damage
/// rows of indexes     each key that an index lists between the two places where that ended
/// ranges of keys      halved until a half is read as a whole or is a single key, the widest first
/// ```
/// A page that is damaged may still be searched, with keys that are out of order: a statement then ends too early, and without
/// an error. So a range counts as read only if its rows came in order, and if the search from its other end finds the last of
/// them. A row may be passed on more than once.
///
/// Few keys in a wide range, of which a part is damaged, cannot all be looked for. The widest ranges come first, so that every
/// readable page is found that has its share of them.
struct DamagedTable {
    let source: SQLiteConnection
    let name: String
    /// The name of the key's column.
    let key: String
    /// The columns that the file has.
    let columns: [String]
    /// The indexes that list each row.
    let indexes: [String]
    /// The number of keys that could not be read, at most as many as the file has room for.
    private(set) var unreadable: Int64 = 0
    private var attempts = 0

    /// The maximum number of ranges that are looked for beyond those that the size of the file permits. Each takes some
    /// microseconds.
    private static let maximumAttempts: Int64 = 1_000_000
    private static let minimumAttempts: Int64 = 10_000
    /// The size of the shortest row, with its place in the page.
    private static let minimumRowSize: Int64 = 8

    init(_ source: SQLiteConnection, _ name: String, key: String, columns: [String], indexes: [String]) {
        self.source = source
        self.name = name
        self.key = key
        self.columns = columns
        self.indexes = indexes
    }

    /// Reads all rows that can be read.
    ///
    /// - Parameters:
    ///   - highest: A statement that selects a key to look as far as; `nil` if there is none.
    ///   - body: Called with each row, whose first column is its key, and the number of values that it has lost.
    mutating func read(highest: String? = nil, _ body: (SQLiteStatement, Int) throws -> Void) throws {
        let first = try readAll("", body)
        guard first.isDamaged else { return }
        let last = try readAll("ORDER BY \(key) DESC", body)
        let listed = try listedKeys(beyond: first.end ?? .min, before: last.end ?? .max)
        for key in listed { try readRow(key, body) }
        let usable = "WHERE \(key) <= \(ObjectKey.maximumPrimaryKey)"
        let bounds = ["SELECT max(\(key)) FROM \(name) NOT INDEXED \(usable)"] + [highest].compactMap(\.self)
        var end = max(1, listed.last ?? 1, first.highest, last.highest)
        for bound in bounds { try source.ignoringDamage { end = max(end, try source.int64(bound)) } }
        let room = try source.int64("PRAGMA page_count") * source.int64("PRAGMA page_size") / Self.minimumRowSize
        try readRanges(
            1...min(end, ObjectKey.maximumPrimaryKey),
            limit: min(Self.maximumAttempts, Self.minimumAttempts + room), body)
        unreadable = min(unreadable, room)
    }

    // MARK: Everything

    /// The rows that were read before damage was met.
    private struct Part {
        var isDamaged = false
        /// The last key before damage, or before the first key that is out of order.
        var end: Int64?
        /// The highest key that can be one.
        var highest: Int64 = 0
    }

    private func readAll(_ order: String, _ body: (SQLiteStatement, Int) throws -> Void) throws -> Part {
        var part = Part()
        let isAscending = order.isEmpty
        var isOrdered = true
        do {
            try source.withStatement(select(columns, order)) { row in
                while try row.step() {
                    try body(row, 0)
                    let key = row.int64(at: 0)
                    if key <= ObjectKey.maximumPrimaryKey { part.highest = max(part.highest, key) }
                    if let end = part.end, isAscending ? key <= end : key >= end { isOrdered = false }
                    if isOrdered { part.end = key }
                }
            }
        } catch let failure as SQLiteFailure where failure.isOfTable {
            part.isDamaged = true
        }
        return part
    }

    private func select(_ columns: [String], _ rest: String) -> String {
        // An index that has all columns must not stand for the table.
        "SELECT \(([key] + columns).joined(separator: ", ")) FROM \(name) NOT INDEXED \(rest)"
    }

    // MARK: Single rows

    /// Returns the keys in an interval that the indexes list, in order.
    private func listedKeys(beyond lower: Int64, before upper: Int64) throws -> [Int64] {
        var keys: Set<Int64> = []
        for index in indexes {
            try source.ignoringDamage {
                try source.withStatement("SELECT \(key) FROM \(name) INDEXED BY \(index)") { row in
                    while try row.step() {
                        let key = row.int64(at: 0)
                        guard key > lower, key < upper, 1...ObjectKey.maximumPrimaryKey ~= key else { continue }
                        keys.insert(key)
                    }
                }
            }
        }
        return keys.sorted()
    }

    /// Reads the row of a key.
    ///
    /// - Returns: `false` if there may be one that cannot be read.
    @discardableResult
    private func readRow(_ key: Int64, _ body: (SQLiteStatement, Int) throws -> Void) throws -> Bool {
        do {
            try read(columns, of: key) { try body($0, 0) }
            return true
        } catch let failure as SQLiteFailure where failure.isOfTable {
            return try readParts(of: key, body)
        }
    }

    private func read(_ columns: [String], of key: Int64, _ body: (SQLiteStatement) throws -> Void) throws {
        try source.withStatement(select(columns, "WHERE \(self.key) = ?")) { statement in
            statement.bind(key, at: 1)
            if try statement.step() { try body(statement) }
        }
    }

    /// Reads those values of a row that can be read: long values may lie on damaged pages of their own.
    private func readParts(of key: Int64, _ body: (SQLiteStatement, Int) throws -> Void) throws -> Bool {
        let readable = try columns.map { column -> String in
            var isReadable = false
            try source.ignoringDamage { try read([column], of: key) { _ in isReadable = true } }
            return isReadable ? column : "NULL"
        }
        let lost = readable.count { $0 == "NULL" }
        guard lost < readable.count else { return false }
        var isRead = false
        try source.ignoringDamage {
            try read(readable, of: key) { row in
                try body(row, lost)
                isRead = true
            }
        }
        return isRead
    }

    // MARK: Ranges

    private mutating func readRanges(
        _ whole: ClosedRange<Int64>, limit: Int64, _ body: (SQLiteStatement, Int) throws -> Void
    ) throws {
        var widest = [whole]
        while !widest.isEmpty {
            var halves: [ClosedRange<Int64>] = []
            for range in widest {
                if attempts >= limit {
                    unreadable += Int64(range.count)
                    continue
                }
                attempts += 1
                if range.count == 1 {
                    if try !readRow(range.lowerBound, body) { unreadable += 1 }
                } else if try !read(range, body) {
                    let middle = range.lowerBound + (range.upperBound - range.lowerBound) / 2
                    halves += [range.lowerBound...middle, (middle + 1)...range.upperBound]
                }
            }
            widest = halves
        }
    }

    /// Reads the rows in a range of keys.
    ///
    /// - Returns: `false` if there may be others.
    private func read(_ range: ClosedRange<Int64>, _ body: (SQLiteStatement, Int) throws -> Void) throws -> Bool {
        var last: Int64?
        do {
            let bounds = "WHERE \(key) >= ? AND \(key) <= ? ORDER BY \(key)"
            let isOrdered = try source.withStatement(select(columns, bounds)) { row in
                row.bind(range.lowerBound, at: 1)
                row.bind(range.upperBound, at: 2)
                var isOrdered = true
                while try row.step() {
                    try body(row, 0)
                    let key = row.int64(at: 0)
                    if !range.contains(key) || key <= last ?? .min { isOrdered = false }
                    last = key
                }
                return isOrdered
            }
            return isOrdered ? try self.last(before: range.upperBound + 1, from: range.lowerBound) == last : false
        } catch let failure as SQLiteFailure where failure.isOfTable {
            return false
        }
    }

    /// Returns the last key before another, unless it is too low.
    private func last(before end: Int64, from start: Int64) throws -> Int64? {
        try source.withStatement(select([], "WHERE \(key) < ? ORDER BY \(key) DESC LIMIT 1")) { row in
            row.bind(end, at: 1)
            guard try row.step(), row.int64(at: 0) >= start else { return nil }
            return row.int64(at: 0)
        }
    }
}

@available(*, unavailable)
extension DamagedTable: Sendable {}

extension SQLiteConnection {
    /// Runs reads that may meet damage, and gives up at it.
    func ignoringDamage(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let failure as SQLiteFailure where failure.isOfTable {
            // What cannot be read is counted elsewhere.
        }
    }
}

extension SQLiteFailure {
    /// A Boolean value indicating whether a failure is the table's: a damaged page, or a table or column that is not there.
    fileprivate var isOfTable: Bool { isDamage || operation == .prepare }
}
