import Foundation

/// A terminal as far as the program uses one: places, erasing, looks, modes. What it does not know is a finding.
struct TerminalEmulator {
    struct Cell: Equatable {
        var text = " "
        var isReversed = false
        var isStruckThrough = false
    }

    private(set) var columns: Int
    private(set) var rows: Int
    private(set) var cells: [[Cell]]
    private(set) var cursor = (row: 0, column: 0)
    /// The modes that are on.
    private(set) var modes: Set<String> = ["?7", "?25"]
    /// Sequences that no program should send.
    private(set) var findings: [String] = []
    /// The characters behind the end of a line. Those on their way while a terminal gets narrower are nobody's fault.
    private(set) var overflows = 0
    /// The rows that each frame has written.
    private(set) var frames: [Set<Int>] = []
    private var looks = Cell()
    private var pending: [UInt8] = []

    init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        cells = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
    }

    /// The lines, without spaces at their ends.
    var lines: [String] {
        cells.map { row in
            var line = row.map(\.text).joined()
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    var text: String { lines.joined(separator: "\n") }

    func isReversed(row: Int) -> Bool { cells[row].contains { $0.isReversed } }

    mutating func resize(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        cells = (0..<rows).map { row in
            (0..<columns).map { column in
                cells.indices.contains(row) && cells[row].indices.contains(column) ? cells[row][column] : Cell()
            }
        }
    }

    // MARK: What arrives

    mutating func take(_ bytes: some Sequence<UInt8>) {
        pending += bytes
        var rest = pending[...]
        while !rest.isEmpty, let length = takeFirst(of: rest) { rest = rest.dropFirst(length) }
        pending = Array(rest)
    }

    /// Takes a character or a sequence; nil if it is incomplete.
    private mutating func takeFirst(of bytes: ArraySlice<UInt8>) -> Int? {
        if bytes.first == 0x1B { return takeSequence(bytes) }
        let first = bytes[bytes.startIndex]
        let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        if bytes.count < length { return nil }
        let text = String(decoding: bytes.prefix(length), as: UTF8.self)
        if let scalar = text.unicodeScalars.first { put(scalar) }
        return length
    }

    private mutating func takeSequence(_ bytes: ArraySlice<UInt8>) -> Int? {
        if bytes.count < 2 { return nil }
        guard bytes[bytes.startIndex + 1] == UInt8(ascii: "[") else {
            findings.append("an escape without a bracket")
            return 1
        }
        guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
        let parameters = String(decoding: bytes[(bytes.startIndex + 2)..<end], as: UTF8.self)
        obey(Character(Unicode.Scalar(bytes[end])), parameters)
        return end - bytes.startIndex + 1
    }

    private mutating func obey(_ letter: Character, _ parameters: String) {
        let numbers = parameters.split(separator: ";").compactMap { Int($0) }
        switch (letter, parameters) {
        case ("H", _) where numbers.count == 2:
            cursor = (min(numbers[0], rows) - 1, min(numbers[1], columns) - 1)
        case ("K", "2"): erase(row: cursor.row)
        case ("J", "2"): for row in 0..<rows { erase(row: row) }
        case ("m", _):
            for number in numbers {
                if number == 0 { looks = Cell() }
                if number == 7 { looks.isReversed = true }
                if number == 9 { looks.isStruckThrough = true }
            }
        case ("h", "?2026"):
            modes.insert(parameters)
            frames.append([])
        case ("h", "?1049"), ("h", "?25"), ("h", "?7"): modes.insert(parameters)
        case ("l", "?1049"), ("l", "?25"), ("l", "?7"), ("l", "?2026"): modes.remove(parameters)
        default: findings.append("the sequence [\(parameters)\(letter)")
        }
    }

    private mutating func erase(row: Int) {
        guard cells.indices.contains(row) else { return }
        cells[row] = Array(repeating: Cell(), count: columns)
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        let width = Self.width(of: scalar)
        if scalar.value < 0x20 || width < 0 {
            findings.append("the character \(scalar.value)")
            return
        }
        if modes.contains("?2026"), !frames.isEmpty { frames[frames.count - 1].insert(cursor.row) }
        guard cells.indices.contains(cursor.row) else { return }
        if width == 0 {
            if cursor.column > 0 { cells[cursor.row][cursor.column - 1].text.unicodeScalars.append(scalar) }
            return
        }
        if cursor.column + width > columns {
            overflows += 1
            return
        }
        var cell = looks
        cell.text = String(scalar)
        cells[cursor.row][cursor.column] = cell
        if width == 2 { cells[cursor.row][cursor.column + 1].text = "" }
        cursor.column += width
    }

    /// The system's opinion, which the program does not ask for.
    private static func width(of scalar: Unicode.Scalar) -> Int {
        guard let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) else { return 1 }
        let former = uselocale(locale)
        defer {
            uselocale(former)
            freelocale(locale)
        }
        return Int(wcwidth?(scalar.value) ?? 1)
    }

    /// The headers hide it.
    private static let wcwidth = dlsym(nil, "wcwidth").map {
        unsafeBitCast($0, to: (@convention(c) (UInt32) -> Int32).self)
    }
}
