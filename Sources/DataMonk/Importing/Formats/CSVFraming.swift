import DataMonkCore

/// **Value.** The lines of a table, and the cells in them.
///
/// ```
/// id,"a ""b"",⏎c",d⏎
/// plain quoted     plain      a cell is quoted if a quotation mark is its first character
/// ```
/// A quotation mark inside of a plain cell is part of its text.
///
/// It is a reader of its own because others of Swift's take a whole text and keep all rows (`Benchmarks/README.md` has figures),
/// and tell no place of what is wrong. A test compares it with Python's.
struct CSVFraming: RowFraming {
    static let hasCells = true

    static func remark(onLines count: Int) -> String {
        count < 2 ? "" : " The row has \(count) lines: a quotation mark that is not doubled may have joined them."
    }

    private enum Mode {
        /// At the first byte of a cell.
        case start
        case plain
        case quoted
        /// After a quotation mark in a quoted cell, which is its end or the first of two.
        case afterQuote
    }

    /// **Value.** The bytes of a cell, with its quotation marks.
    struct Cell {
        var range: Range<Int>
        var isQuoted: Bool
        /// A Boolean value indicating whether there are doubled quotation marks in it.
        var hasQuotes: Bool
        /// The first byte after the closing quotation mark that is no delimiter, if there is one.
        var stray: Int?
    }

    private let delimiter: UInt8
    private let emptyCells: CSVFormat.EmptyCell
    private var columns: [String]?
    /// A name that two of the given columns have.
    private let repeatedColumn: String?
    private var mode = Mode.start
    /// The number of bytes of the row that were looked at.
    private var scanned = 0
    private var cells: [Cell] = []
    private var cellStart = 0
    private var hasQuotes = false
    private var stray: Int?
    /// A Boolean value indicating whether the first bytes of the row are gone, so that its cells are not known.
    private var hasForgotten = false
    /// A Boolean value indicating whether the row has ended, so that the next call begins another one.
    private var hasEnded = false

    init(_ format: CSVFormat, columns: [String]?) {
        delimiter = format.delimiter.byte
        emptyCells = format.emptyCells
        self.columns = columns
        var known: Set<String> = []
        repeatedColumn = columns?.first { !known.insert($0).inserted }
    }

    mutating func frame(
        _ bytes: UnsafeBufferPointer<UInt8>, isComplete: Bool
    ) throws(RowProblem) -> RowFrame {
        if hasEnded { beginRow() }
        if let repeatedColumn { throw .repeatedColumn(repeatedColumn, offset: 0) }
        guard let (length, used) = try scan(bytes, isComplete: isComplete) else {
            return bytes.isEmpty && isComplete && !hasForgotten ? .end : .incomplete
        }
        hasEnded = true
        guard let columns else {
            if length == 0, !hasForgotten { return .between(used: used) }
            try readHeader(bytes)
            return .between(used: used)
        }
        // An empty line is a value of the only column, or nothing.
        if length == 0, !hasForgotten, columns.count > 1 { return .between(used: used) }
        return .row(length: length, used: used)
    }

    mutating func forget() -> Int {
        defer { scanned = 0 }
        hasForgotten = true
        cells = []
        cellStart = 0
        return scanned
    }

    private mutating func beginRow() {
        (mode, scanned, cellStart, stray) = (.start, 0, 0, nil)
        (hasForgotten, hasQuotes, hasEnded) = (false, false, false)
        cells.removeAll(keepingCapacity: true)
    }

    // MARK: Cells

    /// Looks for the end of the row. Returns the length of the row, and that with the line's end; `nil` if it is not there.
    ///
    /// - Throws: ``RowProblem`` if the input ends inside of a quotation: it was cut off, or the rows from there on are in it.
    private mutating func scan(
        _ bytes: UnsafeBufferPointer<UInt8>, isComplete: Bool
    ) throws(RowProblem) -> (length: Int, used: Int)? {
        while scanned < bytes.count {
            let byte = bytes[scanned]
            switch mode {
            case .start:
                mode = .plain
                if byte == UInt8(ascii: "\"") {
                    mode = .quoted
                    scanned += 1
                }
            case .quoted:
                scanned = bytes[scanned...].firstIndex(of: UInt8(ascii: "\"")) ?? bytes.count
                if scanned < bytes.count {
                    mode = .afterQuote
                    scanned += 1
                }
            case .afterQuote where byte == UInt8(ascii: "\""):
                hasQuotes = true
                mode = .quoted
                scanned += 1
            case .afterQuote, .plain:
                if byte == delimiter {
                    endCell()
                    scanned += 1
                    cellStart = scanned
                } else if byte == UInt8(ascii: "\n") {
                    return endRow(used: scanned + 1)
                } else if byte == UInt8(ascii: "\r") {
                    if scanned + 1 == bytes.count, !isComplete { return nil }
                    let isPair = scanned + 1 < bytes.count && bytes[scanned + 1] == UInt8(ascii: "\n")
                    return endRow(used: scanned + (isPair ? 2 : 1))
                } else {
                    if case .afterQuote = mode { (mode, stray) = (.plain, scanned) }
                    skipPlain(bytes)
                }
            }
        }
        guard isComplete, !bytes.isEmpty || hasForgotten else { return nil }
        if case .quoted = mode { throw .unclosedQuotation(offset: cellStart) }
        return endRow(used: scanned)
    }

    @inline(__always)
    private mutating func skipPlain(_ bytes: UnsafeBufferPointer<UInt8>) {
        var place = scanned + 1
        while place < bytes.count {
            let byte = bytes[place]
            if byte == delimiter || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
            place += 1
        }
        scanned = place
    }

    private mutating func endCell() {
        var isQuoted = stray != nil
        if case .afterQuote = mode { isQuoted = true }
        cells.append(Cell(range: cellStart..<scanned, isQuoted: isQuoted, hasQuotes: hasQuotes, stray: stray))
        (mode, hasQuotes, stray) = (.start, false, nil)
    }

    private mutating func endRow(used: Int) -> (length: Int, used: Int) {
        let length = scanned
        endCell()
        return (length, used)
    }

    // MARK: Values

    private mutating func readHeader(_ bytes: UnsafeBufferPointer<UInt8>) throws(RowProblem) {
        if hasForgotten {
            throw RowProblem(
                code: .rowTooLarge, message: "The header has no end. Choose the delimiter and the columns.", offset: 0)
        }
        var names: [String] = []
        for cell in cells {
            var name = try text(of: cell, in: bytes, column: nil)
            if name.contains("\0") {
                throw RowProblem(
                    code: .unsupportedEncoding, message: "The header has a NUL. Convert the file to UTF-8.",
                    offset: cell.range.lowerBound)
            }
            if !cell.isQuoted { name = name.trimmingBlanks() }
            names.append(name)
        }
        // Delimiters at the end of a line are often written too many.
        while names.last == "" { names.removeLast() }
        var known: Set<String> = []
        for (cell, name) in zip(cells, names) where !known.insert(name).inserted {
            throw .repeatedColumn(name, offset: cell.range.lowerBound)
        }
        columns = names
    }

    func values(of row: UnsafeBufferPointer<UInt8>) throws(RowProblem) -> [String: ManagedValue] {
        let columns = columns ?? []
        var values = Dictionary<String, ManagedValue>(minimumCapacity: columns.count)
        for (cell, column) in zip(cells, columns) {
            if cell.range.isEmpty {
                values[column] = emptyCells == .text ? .string("") : .null
            } else {
                let text = try text(of: cell, in: row, column: column)
                values[column] = text.isEmpty && emptyCells == .null ? .null : .string(text)
            }
        }
        // Delimiters at the end of a line are often written too many.
        if let more = cells.dropFirst(columns.count).first(where: { !$0.range.isEmpty }) {
            throw RowProblem(
                message:
                    "The row has \(cells.count) cells, and there are \(columns.count) columns. Quote its texts, or name more columns.",
                offset: more.range.lowerBound)
        }
        return values
    }

    private func text(
        of cell: Cell, in row: UnsafeBufferPointer<UInt8>, column: String?
    ) throws(RowProblem) -> String {
        if let stray = cell.stray {
            throw RowProblem(
                message: "A delimiter is expected after a quotation. Double the quotation marks inside of it.",
                offset: stray, key: column)
        }
        let range = cell.isQuoted ? (cell.range.lowerBound + 1)..<(cell.range.upperBound - 1) : cell.range
        let bytes = UnsafeBufferPointer(rebasing: row[range])
        let decoded =
            cell.hasQuotes
            ? Self.withoutDoubles(bytes).withUnsafeBufferPointer { String(utf8: $0) } : String(utf8: bytes)
        if let decoded { return decoded }
        throw RowProblem(
            message: JSONParser.notUTF8, offset: range.lowerBound + UTF8Check.validCount(of: bytes), key: column)
    }

    /// Returns bytes with one quotation mark for each two.
    private static func withoutDoubles(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var single: [UInt8] = []
        single.reserveCapacity(bytes.count)
        var isFirstOfTwo = false
        for byte in bytes {
            isFirstOfTwo = byte == UInt8(ascii: "\"") && !isFirstOfTwo
            if byte != UInt8(ascii: "\"") || isFirstOfTwo { single.append(byte) }
        }
        return single
    }
}

extension RowProblem {
    fileprivate static func unclosedQuotation(offset: Int) -> RowProblem {
        RowProblem(
            message: """
                Nothing closes this quotation, so everything up to the end of the input is a part of it. Put a quotation mark \
                at its end, and double those inside of it.
                """, offset: offset)
    }

    fileprivate static func repeatedColumn(_ name: String, offset: Int) -> RowProblem {
        RowProblem(
            code: .duplicateColumn,
            message: "Two columns have the name “\(name)”, so the values of one would be lost. Rename one.",
            offset: offset, key: name)
    }
}

extension String {
    /// Returns the text without blanks at both ends.
    fileprivate func trimmingBlanks() -> String {
        func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
        let start = firstIndex { !isBlank($0) } ?? endIndex
        let end = lastIndex { !isBlank($0) } ?? startIndex
        return start < endIndex ? String(self[start...end]) : ""
    }
}
