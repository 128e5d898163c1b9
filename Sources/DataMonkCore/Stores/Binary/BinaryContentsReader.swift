import Foundation

/// **Value.** Reads the body of a binary store. No length is believed before as many bytes are there.
struct BinaryContentsReader {
    /// **Value.** The bytes are not a body.
    struct Damage: Error {}

    /// Metadata may be nested a hundred levels deep.
    private static let maximumDepth = 128

    private let bytes: Data
    private var position: Int

    init(_ bytes: Data) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    mutating func contents() throws -> AtomicContents {
        var contents = AtomicContents(identifier: try uuid())
        contents.lastID = try int()
        let hasHashes = try take(1).first == 1
        let hashes = try list(minimum: 8) { reader in (try reader.text(), try reader.data()) }
        if hasHashes { contents.versionHashes = try unique(hashes) }
        contents.metadata = try values(depth: 0)
        contents.objects = try list(minimum: 28) { reader in
            AtomicObject(
                entityName: try reader.text(), id: try reader.int(), version: try reader.int(),
                values: try reader.values(depth: 0), destinations: try reader.destinations())
        }
        guard position == bytes.endIndex else { throw Damage() }
        return contents
    }

    private mutating func values(depth: Int) throws -> [String: ManagedValue] {
        try unique(list(minimum: 5) { reader in (try reader.text(), try reader.value(depth: depth)) })
    }

    private mutating func destinations() throws -> [String: [Int64]] {
        try unique(
            list(minimum: 8) { reader in
                (try reader.text(), try reader.list(minimum: 8) { try $0.int() })
            })
    }

    private func unique<Value>(_ pairs: [(String, Value)]) throws -> [String: Value] {
        let values = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
        guard values.count == pairs.count else { throw Damage() }
        return values
    }

    private mutating func value(depth: Int) throws -> ManagedValue {
        guard depth < Self.maximumDepth, let tag = BinaryTag(rawValue: try take(1).first ?? .max) else {
            throw Damage()
        }
        switch tag {
        case .null: return .null
        case .no: return .bool(false)
        case .yes: return .bool(true)
        case .int: return .int(try int())
        case .double: return .double(try double())
        case .date: return .date(Date(timeIntervalSinceReferenceDate: try double()))
        case .decimal: return .decimal(try parsed { Decimal(string: $0) })
        case .string: return .string(try text())
        case .data: return .data(try data())
        case .uuid: return .uuid(try uuid())
        case .url: return .url(try parsed { URL(string: $0) })
        case .list: return .list(try list(minimum: 1) { try $0.value(depth: depth + 1) })
        case .dictionary: return .dictionary(try values(depth: depth + 1))
        }
    }

    // MARK: Parts

    /// Reads a list.
    ///
    /// - Parameter minimum: The smallest number of bytes of an element.
    private mutating func list<Element>(
        minimum: Int, _ element: (inout BinaryContentsReader) throws -> Element
    ) throws -> [Element] {
        let count = try count()
        guard count <= (bytes.endIndex - position) / minimum else { throw Damage() }
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for _ in 0..<count { elements.append(try element(&self)) }
        return elements
    }

    private mutating func take(_ count: Int) throws -> Data {
        guard count <= bytes.endIndex - position else { throw Damage() }
        defer { position += count }
        return bytes[position..<position + count]
    }

    private mutating func number(_ count: Int) throws -> UInt64 {
        try take(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func count() throws -> Int { Int(try number(4)) }

    private mutating func int() throws -> Int64 { Int64(bitPattern: try number(8)) }

    private mutating func double() throws -> Double { Double(bitPattern: try number(8)) }

    private mutating func data() throws -> Data { Data(try take(count())) }

    private mutating func text() throws -> String {
        guard let text = String(validating: try take(count()), as: UTF8.self) else { throw Damage() }
        return text
    }

    private mutating func parsed<Value>(_ parse: (String) -> Value?) throws -> Value {
        guard let value = parse(try text()) else { throw Damage() }
        return value
    }

    private mutating func uuid() throws -> UUID {
        let bytes = [UInt8](try take(16))
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
