import DataMonkCore

/// **Value.** The elements of a JSON array, which is the whole input or lies at a path of names in it.
///
/// ```
/// {"count": 2, "data": {"people": [{"id": 1}, {"id": 2}], "next": null}}
/// container    value    container  element  afterElement  afterMember  afterDocument
/// ```
/// Values beside the path are skipped up to the end of the input, so that a truncated input is detected; only their
/// brackets and quotation marks are read.
struct JSONArrayFraming: RowFraming {
    private enum State {
        /// The array, or an object that leads to it, comes next.
        case container
        case name(isFirst: Bool)
        case colon
        /// A value beside the path comes next.
        case value
        case afterMember
        case element(isFirst: Bool)
        case afterElement
        case afterDocument
    }

    private let path: [String]
    private var state = State.container
    /// The number of objects on the path that are open.
    private var level = 0
    private var hasFound = false
    private var isOnPath = true
    /// The first names beside the path in the object that is open, for a message.
    private var names: [String] = []
    private var extent = JSONExtent()
    /// The number of members of the last row: most rows of an input have as many.
    private var memberCount = 0

    init(path: [String]) { self.path = path }

    mutating func frame(
        _ bytes: UnsafeBufferPointer<UInt8>, isComplete: Bool
    ) throws(RowProblem) -> RowFrame {
        if !extent.hasBegun, let first = bytes.first, Self.isSpace(first) {
            return .between(used: bytes.firstIndex { !Self.isSpace($0) } ?? bytes.count)
        }
        guard let byte = bytes.first else {
            if case .afterDocument = state, isComplete { return .end }
            return .incomplete
        }
        switch state {
        case .container: return try open(byte)
        case .name(let isFirst): return try name(bytes, isFirst: isFirst, isComplete: isComplete)
        case .colon: return try pass(byte, ":", to: isOnPath && !hasFound ? .container : .value)
        case .value:
            guard let length = extent.end(in: bytes, isComplete: isComplete) else { return .incomplete }
            // Nothing of it is kept, so it may be of any size.
            return try passValue(length)
        case .afterMember:
            return byte == UInt8(ascii: "}") ? try closeObject() : try pass(byte, ",", to: .name(isFirst: false))
        case .element(let isFirst): return try element(bytes, isFirst: isFirst, isComplete: isComplete)
        case .afterElement:
            return byte == UInt8(ascii: "]") ? closeArray() : try pass(byte, ",", to: .element(isFirst: false))
        case .afterDocument: throw problem("Something follows the end of the JSON. Remove it.")
        }
    }

    mutating func forget() -> Int { extent.forget() }

    mutating func values(of row: UnsafeBufferPointer<UInt8>) throws(RowProblem) -> [String: ManagedValue] {
        let members = try JSONParser.object(row, expecting: memberCount)
        memberCount = members.count
        return members
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    // MARK: The way to the array

    private mutating func open(_ byte: UInt8) throws(RowProblem) -> RowFrame {
        let place = level == 0 ? "The input" : "“\(path[..<level].joined(separator: "."))”"
        if level == path.count {
            guard byte == UInt8(ascii: "[") else {
                throw problem(
                    byte == UInt8(ascii: "{")
                        ? "\(place) is an object, not an array of rows. Name the member with the rows: at: \"data\"."
                        : "\(place) is no array of rows. Begin it with [.", .missingRows)
            }
            (state, hasFound) = (.element(isFirst: true), true)
        } else {
            guard byte == UInt8(ascii: "{") else {
                throw problem("\(place) is no object, so it has no member “\(path[level])”.", .missingRows)
            }
            (state, names) = (.name(isFirst: true), [])
            level += 1
        }
        return .between(used: 1)
    }

    private mutating func name(
        _ bytes: UnsafeBufferPointer<UInt8>, isFirst: Bool, isComplete: Bool
    ) throws(RowProblem) -> RowFrame {
        if !extent.hasBegun {
            if isFirst, bytes[0] == UInt8(ascii: "}") {
                return try closeObject()
            }
            guard bytes[0] == UInt8(ascii: "\"") else {
                throw problem("A member's name is expected here, in quotation marks.")
            }
        }
        guard let length = extent.end(in: bytes, isComplete: isComplete) else { return .incomplete }
        guard case .string(let name) = try JSONParser.value(UnsafeBufferPointer(rebasing: bytes[..<length])) else {
            throw problem("A member's name is expected here, in quotation marks.")
        }
        isOnPath = name == path[level - 1]
        if isOnPath, hasFound {
            throw problem("There are two members “\(name)”, so the rows of one would be lost. Rename one.")
        }
        if names.count < 8 { names.append(name) }
        return use(length, then: .colon)
    }

    private mutating func passValue(_ length: Int) throws(RowProblem) -> RowFrame {
        if length == 0 { throw problem("A value is expected here.") }
        return use(length, then: .afterMember)
    }

    private func requireFound() throws(RowProblem) {
        if hasFound { return }
        let found =
            names.isEmpty ? "It has no members." : "Its members are \(names.map { "“\($0)”" }.joined(separator: ", "))."
        throw problem("There is no member “\(path[..<level].joined(separator: "."))”. \(found)", .missingRows)
    }

    private mutating func closeObject() throws(RowProblem) -> RowFrame {
        try requireFound()
        level -= 1
        state = level == 0 ? .afterDocument : .afterMember
        return .between(used: 1)
    }

    private mutating func closeArray() -> RowFrame {
        state = level == 0 ? .afterDocument : .afterMember
        return .between(used: 1)
    }

    // MARK: Rows

    private mutating func element(
        _ bytes: UnsafeBufferPointer<UInt8>, isFirst: Bool, isComplete: Bool
    ) throws(RowProblem) -> RowFrame {
        if isFirst, !extent.hasBegun, bytes[0] == UInt8(ascii: "]") { return closeArray() }
        guard let length = extent.end(in: bytes, isComplete: isComplete) else { return .incomplete }
        if length == 0 { throw problem("An element is expected here.") }
        _ = use(length, then: .afterElement)
        return .row(length: length, used: length)
    }

    // MARK: Steps

    private mutating func pass(_ byte: UInt8, _ expected: Character, to next: State) throws(RowProblem) -> RowFrame {
        guard byte == expected.asciiValue else { throw problem("A \(expected) or the end is expected here.") }
        state = next
        return .between(used: 1)
    }

    private mutating func use(_ length: Int, then next: State) -> RowFrame {
        extent = JSONExtent()
        state = next
        return .between(used: length)
    }

    private func problem(_ message: String, _ code: FormatError.Code = .malformed) -> RowProblem {
        RowProblem(code: code, message: message, offset: 0)
    }
}
