import DataMonkCore

/// **Confined.** A table that is read from its first row to its last, past what cannot be read.
///
/// ```
/// keys, all rows       nothing else is needed if the keys come in order and no damage is met
/// ranges of keys       halved until a half can be relied on or is a single key, the widest first
/// rows of indexes      each key that an index lists and that was not read so far
/// all rows             what else a walk finds from either end
/// ```
/// A page that is damaged may still be searched, with keys that are out of order: a statement then ends too early, and without
/// an error, or finds remains of other rows. So a range is relied on only if its keys come in order, and if the search from its
/// other end finds the last of them; in short ranges with gaps, each key is looked for. Their rows come before those that a
/// walk finds by chance. A row may be passed on more than once; the first one counts.
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
    private(set) var isDamaged = false
    /// The number of keys that may have been rows and could not be read, at most as many as the file has room for.
    private(set) var unreadable: Int64 = 0
    private var attempts = 0
    /// The ranges that were not looked through to the end.
    private var leftover: [ClosedRange<Int64>] = []

    /// The maximum number of ranges that are looked for beyond those that the size of the file permits. Each takes some
    /// microseconds.
    private static let maximumAttempts: Int64 = 1_000_000
    private static let minimumAttempts: Int64 = 10_000
    /// The number of keys in a range of which each is looked for, unless all are there: beside damage, a search for another
    /// key may miss one.
    private static let smallestGap = 64
    /// The size of the shortest row, with its place in the page.
    private static let minimumRowSize: Int64 = 8

    init(_ source: SQLiteConnection, _ name: String, key: String, columns: [String], indexes: [String]) {
        self.source = source
        self.name = name
        self.key = key
        self.columns = columns
        self.indexes = indexes
    }

    /// Reads all rows that can be read, unless pages lead around in circles.
    ///
    /// - Parameters:
    ///   - highest: A statement that selects a key to look as far as; `nil` if there is none.
    ///   - isKnown: Returns `true` for the key of a row that was read and can be used.
    ///   - body: Called with each row, whose first column is its key, and the number of values that it has lost.
    mutating func readWithinSteps(
        highest: String? = nil, isKnown: (Int64) throws -> Bool = { _ in false },
        _ body: (SQLiteStatement, Int) throws -> Void
    ) throws {
        try source.withinSteps { try read(highest: highest, isKnown: isKnown, body) }
    }

    private mutating func read(
        highest: String?, isKnown: (Int64) throws -> Bool, _ body: (SQLiteStatement, Int) throws -> Void
    ) throws {
        if let count = try orderedCount(), try walk("", body), try !indexesListMore(than: count) { return }
        isDamaged = true
        let usable = "WHERE \(key) <= \(ObjectKey.maximumPrimaryKey)"
        let bounds =
            ["SELECT max(\(key)) FROM \(name) NOT INDEXED \(usable)"]
            + indexes.map { "SELECT max(+\(key)) FROM \(name) INDEXED BY \($0) \(usable)" }
            + [highest].compactMap(\.self)
        var end: Int64 = 1
        for bound in bounds { try source.ignoringDamage { end = max(end, try source.int64(bound)) } }
        let room = try source.byteCount / Self.minimumRowSize
        try readRanges(
            1...min(end, ObjectKey.maximumPrimaryKey),
            limit: min(Self.maximumAttempts, Self.minimumAttempts + room), body)
        for key in try listedKeys() where try !isKnown(key) {
            try Task.checkCancellation()
            try readRow(key, body)
        }
        try readLeftover(body)
        for order in ["", "ORDER BY \(key) DESC"] { _ = try walk(order, body) }
        unreadable = min(unreadable, room)
    }

    // MARK: Everything

    /// Returns the number of rows; `nil` if their keys do not come in order, or if there is damage among them.
    private func orderedCount() throws -> Int64? {
        var count: Int64?
        try source.ignoringDamage {
            count = try source.withStatement(select([], "")) { row in
                var (last, count) = (Int64.min, Int64(0))
                while try row.step() {
                    let key = row.int64(at: 0)
                    if key <= last, last != .min { return nil }
                    last = key
                    count += 1
                }
                return count
            }
        }
        return count
    }

    /// Returns `true` if an index lists more rows than were found: a page that has lost cells may still look sound.
    private func indexesListMore(than count: Int64) throws -> Bool {
        var listed = count
        for index in indexes {
            try source.ignoringDamage {
                // Not count(*), which SQLite does in one step, however long.
                listed = max(listed, try source.int64("SELECT count(+\(key)) FROM \(name) INDEXED BY \(index)"))
            }
        }
        return listed > count
    }

    /// Reads the rows in an order, until damage is met.
    ///
    /// - Returns: `false` if it was.
    private func walk(_ order: String, _ body: (SQLiteStatement, Int) throws -> Void) throws -> Bool {
        do {
            try source.withStatement(select(columns, order)) { row in
                while try row.step() { try body(row, 0) }
            }
            return true
        } catch let failure as SQLiteFailure where failure.isOfTable {
            return false
        }
    }

    private func select(_ columns: [String], _ rest: String) -> String {
        // An index that has all columns must not stand for the table.
        "SELECT \(([key] + columns).joined(separator: ", ")) FROM \(name) NOT INDEXED \(rest)"
    }

    // MARK: Single rows

    /// Returns the keys that indexes list, in order.
    private func listedKeys() throws -> [Int64] {
        var keys: Set<Int64> = []
        for index in indexes {
            try source.ignoringDamage {
                try source.withStatement("SELECT \(key) FROM \(name) INDEXED BY \(index)") { row in
                    while try row.step() {
                        let key = row.int64(at: 0)
                        if 1...ObjectKey.maximumPrimaryKey ~= key { keys.insert(key) }
                    }
                }
            }
        }
        return keys.sorted()
    }

    /// Reads the row of a key.
    ///
    /// - Returns: `false` if none was found that can be read.
    @discardableResult
    private func readRow(_ key: Int64, _ body: (SQLiteStatement, Int) throws -> Void) throws -> Bool {
        do {
            var isRead = false
            try read(columns, of: key) { row in
                try body(row, 0)
                isRead = true
            }
            return isRead
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
                try Task.checkCancellation()
                if attempts >= limit {
                    leftover.append(range)
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

    /// Reads the rows in a range of keys, if it can be relied on.
    ///
    /// - Returns: `false` if it cannot.
    private func read(_ range: ClosedRange<Int64>, _ body: (SQLiteStatement, Int) throws -> Void) throws -> Bool {
        do {
            var last: Int64?
            var count = 0
            let isOrdered = try read([], range, "") { row in
                let key = row.int64(at: 0)
                if !range.contains(key) || key <= last ?? .min { return false }
                last = key
                count += 1
                return true
            }
            if range.count <= Self.smallestGap, count < range.count { return false }
            guard isOrdered, try lastKey(in: range) == last else {
                return false
            }
            if last == nil { return true }
            return try read(columns, range, "") { row in
                try body(row, 0)
                return true
            }
        } catch let failure as SQLiteFailure where failure.isOfTable {
            return false
        }
    }

    /// Reads columns of the rows in a range of keys, until `body` returns `false`.
    ///
    /// - Returns: `true` if it never did.
    private func read(
        _ columns: [String], _ range: ClosedRange<Int64>, _ order: String, _ body: (SQLiteStatement) throws -> Bool
    ) throws -> Bool {
        try source.withStatement(select(columns, "WHERE \(key) >= ? AND \(key) <= ? ORDER BY \(key) \(order)")) { row in
            row.bind(range.lowerBound, at: 1)
            row.bind(range.upperBound, at: 2)
            while try row.step() {
                if try !body(row) { return false }
            }
            return true
        }
    }

    /// Looks for rows in the ranges that there were too many of.
    private mutating func readLeftover(_ body: (SQLiteStatement, Int) throws -> Void) throws {
        for range in leftover {
            for order in ["", "DESC"] {
                try source.ignoringDamage {
                    _ = try read(columns, range, order) { row in
                        try body(row, 0)
                        return true
                    }
                }
            }
            unreadable += Int64(range.count)
        }
        leftover = []
    }

    /// Returns the last key in a range, as the search for its upper bound finds it.
    private func lastKey(in range: ClosedRange<Int64>) throws -> Int64? {
        try source.withStatement(select([], "WHERE \(key) <= ? ORDER BY \(key) DESC LIMIT 1")) { row in
            row.bind(range.upperBound, at: 1)
            guard try row.step(), row.int64(at: 0) >= range.lowerBound else { return nil }
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
            // Unreadable values are counted elsewhere.
        }
    }
}

extension SQLiteConnection {
    /// Runs reads that may meet damage, or pages that lead around in circles, and gives up at it.
    func ignoringDamageWithinSteps(_ body: () throws -> Void) throws {
        try ignoringDamage { try withinSteps(body) }
    }
}

extension SQLiteFailure {
    /// A Boolean value indicating whether a failure is the table's: a damaged page, or a table or column that is not there.
    fileprivate var isOfTable: Bool { isDamage || operation == .prepare }
}
