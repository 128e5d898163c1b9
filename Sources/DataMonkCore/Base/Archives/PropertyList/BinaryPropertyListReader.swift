package import Foundation

/// **Value.** Reads binary property lists from files that may be damaged or hostile: for any bytes, it returns a value or
/// throws a ``PropertyListError``.
///
/// ```
/// "bplist00" | objects … | table of offsets | trailer (32 bytes)
/// trailer: 6 unused | bytes of an offset | bytes of a reference | object count (8) | top object (8) | table's offset (8)
/// object:  marker byte (type in the high half, size or value in the low half) | content; all numbers big-endian
///   0x00 null   0x08 false   0x09 true
///   0x1n integer of 2^n bytes: 1, 2, 4 unsigned, 8 signed, 16 for values beyond 8 bytes
///   0x2n real of 2^n bytes   0x33 date: seconds since 2001 as a double
///   0x4n data   0x5n ASCII   0x6n UTF-16 (n counts units)   0x7n UTF-8   0x8n UID of n+1 bytes
///   0xAn array: n references   0xDn dictionary: n references to keys, then n to values
///   n = 0xF: the size follows as an integer object
/// ```
package struct BinaryPropertyListReader {
    private let bytes: [UInt8]
    private let limits: PropertyListLimits
    private let trailer: Trailer
    private var objects: [Int: Parsed] = [:]
    /// The containers on the path from the top object to the current one.
    private var path: Set<Int> = []
    /// The bytes that contents may still have. In a list that a program wrote, objects lie side by side; in a hostile one
    /// thousands may be the same megabyte.
    private var remainingBytes: Int
    /// The references that containers may still have.
    private var remainingReferences: Int

    private init(bytes: [UInt8], limits: PropertyListLimits, trailer: Trailer) {
        self.bytes = bytes
        self.limits = limits
        self.trailer = trailer
        remainingBytes = trailer.tableOffset
        remainingReferences = limits.objectCount
    }

    /// An object that was read, for later references to it.
    private struct Parsed {
        let value: PropertyListValue
        /// The number of objects in it, counting each reference.
        let size: Int
        /// The number of levels of containers in it.
        let height: Int
    }

    /// Returns the value in `data`.
    package static func read(_ data: Data, limits: PropertyListLimits = .init()) throws -> PropertyListValue {
        guard data.count <= limits.byteCount else { throw PropertyListError(.tooLarge) }
        let bytes = [UInt8](data)
        let trailer = try Trailer(bytes)
        guard trailer.objectCount <= limits.objectCount else { throw PropertyListError(.tooManyObjects) }
        var reader = BinaryPropertyListReader(bytes: bytes, limits: limits, trailer: trailer)
        return try reader.object(trailer.topObject).value
    }

    // MARK: Objects

    private mutating func object(_ index: Int) throws -> Parsed {
        if let known = objects[index] {
            guard path.count + known.height <= limits.depth else { throw PropertyListError(.tooDeep) }
            return known
        }
        let parsed = try parse(index)
        guard parsed.size <= limits.objectCount else { throw PropertyListError(.tooManyObjects) }
        objects[index] = parsed
        return parsed
    }

    private mutating func parse(_ index: Int) throws -> Parsed {
        let offset = try trailer.offset(of: index, in: bytes)
        let low = Int(bytes[offset] & 0x0f)
        switch bytes[offset] >> 4 {
        case 0xa:
            return try container(index, at: offset) { reader in try reader.array(at: offset) }
        case 0xd:
            return try container(index, at: offset) { reader in try reader.dictionary(at: offset) }
        case 0x0:
            return Parsed(value: try singleton(low, at: offset), size: 1, height: 0)
        case 0x1:
            return Parsed(value: .integer(try integer(at: offset)), size: 1, height: 0)
        case 0x2:
            return Parsed(value: .real(try real(low, at: offset)), size: 1, height: 0)
        case 0x3:
            guard low == 3 else { throw PropertyListError(.unknownType, at: offset) }
            let seconds = try real(3, at: offset)
            return Parsed(value: .date(Date(timeIntervalSinceReferenceDate: seconds)), size: 1, height: 0)
        case 0x8:
            guard low < 8 else { throw PropertyListError(.unknownType, at: offset) }
            return Parsed(value: .uid(try unsigned(at: offset + 1, count: low + 1)), size: 1, height: 0)
        case 0x4, 0x5, 0x6, 0x7:
            return Parsed(value: try text(at: offset), size: 1, height: 0)
        default:
            throw PropertyListError(.unknownType, at: offset)
        }
    }

    private func singleton(_ low: Int, at offset: Int) throws -> PropertyListValue {
        switch low {
        case 0x0: .null
        case 0x8: .bool(false)
        case 0x9: .bool(true)
        default: throw PropertyListError(.unknownType, at: offset)
        }
    }

    // MARK: Containers

    private mutating func container(
        _ index: Int, at offset: Int, read: (inout Self) throws -> Parsed
    ) throws -> Parsed {
        guard path.insert(index).inserted else { throw PropertyListError(.cycle, at: offset) }
        guard path.count <= limits.depth else { throw PropertyListError(.tooDeep, at: offset) }
        defer { path.remove(index) }
        return try read(&self)
    }

    private mutating func array(at offset: Int) throws -> Parsed {
        let (count, start) = try size(at: offset)
        try takeReferences(count, at: start)
        var elements: [PropertyListValue] = []
        elements.reserveCapacity(count)
        var total = Total()
        for position in 0..<count {
            let element = try object(reference(position, from: start))
            elements.append(try add(element, to: &total))
        }
        return Parsed(value: .array(elements), size: total.size, height: total.height)
    }

    private mutating func dictionary(at offset: Int) throws -> Parsed {
        let (count, start) = try size(at: offset)
        // No overflow: a size is within the length of an array.
        try takeReferences(2 * count, at: start)
        var entries: [String: PropertyListValue] = [:]
        entries.reserveCapacity(count)
        var total = Total()
        for position in 0..<count {
            let key = try object(reference(position, from: start))
            guard case .string(let name) = try add(key, to: &total) else {
                throw PropertyListError(.keyIsNotAString, at: offset)
            }
            let value = try object(reference(count + position, from: start))
            guard entries.updateValue(try add(value, to: &total), forKey: name) == nil else {
                throw PropertyListError(.duplicateKey, at: offset)
            }
        }
        return Parsed(value: .dictionary(entries), size: total.size, height: total.height)
    }

    /// Counts the references of a container, before there is memory for what they lead to.
    private mutating func takeReferences(_ count: Int, at start: Int) throws {
        try takeBytes(count, times: trailer.referenceSize, at: start)
        guard count <= remainingReferences else { throw PropertyListError(.tooManyObjects) }
        remainingReferences -= count
    }

    /// Counts the content of an object, which must not be that of others.
    private mutating func takeBytes(_ count: Int, times width: Int, at start: Int) throws {
        try require(count, times: width, at: start)
        guard count * width <= remainingBytes else { throw PropertyListError(.badTable, at: start) }
        remainingBytes -= count * width
    }

    private struct Total {
        var size = 1
        var height = 1
    }

    /// Adds an object to a total.
    ///
    /// Do not call this method directly on the result of `object`: the reader would first be copied, together with all its
    /// objects.
    private func add(_ parsed: Parsed, to total: inout Total) throws -> PropertyListValue {
        total.size += parsed.size
        total.height = max(total.height, parsed.height + 1)
        guard total.size <= limits.objectCount else { throw PropertyListError(.tooManyObjects) }
        return parsed.value
    }

    private func reference(_ position: Int, from start: Int) throws -> Int {
        let raw = try unsigned(at: start + position * trailer.referenceSize, count: trailer.referenceSize)
        guard let index = Int(exactly: raw), index < trailer.objectCount else {
            throw PropertyListError(.badTable, at: start)
        }
        return index
    }
}

extension BinaryPropertyListReader {
    // MARK: Plain values

    /// Returns the size of the string, data or container at `offset`, and the start of its content.
    private func size(at offset: Int) throws -> (count: Int, start: Int) {
        let low = Int(bytes[offset] & 0x0f)
        guard low == 0x0f else { return (low, offset + 1) }
        try require(1, times: 1, at: offset + 1)
        let marker = bytes[offset + 1]
        guard marker >> 4 == 0x1, marker & 0x0f <= 3 else { throw PropertyListError(.truncated, at: offset) }
        let width = 1 << Int(marker & 0x0f)
        guard let count = Int(exactly: try unsigned(at: offset + 2, count: width)), count <= bytes.count else {
            throw PropertyListError(.truncated, at: offset)
        }
        return (count, offset + 2 + width)
    }

    private mutating func text(at offset: Int) throws -> PropertyListValue {
        let type = bytes[offset] >> 4
        let (count, start) = try size(at: offset)
        try takeBytes(count, times: type == 0x6 ? 2 : 1, at: start)
        if type == 0x4 { return .data(Data(bytes[start..<start + count])) }
        let string: String?
        switch type {
        case 0x5:
            let content = bytes[start..<start + count]
            string = content.allSatisfy { $0 < 0x80 } ? String(decoding: content, as: UTF8.self) : nil
        case 0x6:
            let units = (0..<count).lazy.map { [bytes] in
                UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1])
            }
            string = String(validating: units, as: UTF16.self)
        default:
            string = String(validating: bytes[start..<start + count], as: UTF8.self)
        }
        guard let string else { throw PropertyListError(.badString, at: offset) }
        return .string(string)
    }

    private func integer(at offset: Int) throws -> Int64 {
        let width = 1 << Int(bytes[offset] & 0x0f)
        switch width {
        case 1, 2, 4: return Int64(try unsigned(at: offset + 1, count: width))
        case 8: return Int64(bitPattern: try unsigned(at: offset + 1, count: 8))
        case 16:
            let high = Int64(bitPattern: try unsigned(at: offset + 1, count: 8))
            let low = Int64(bitPattern: try unsigned(at: offset + 9, count: 8))
            // The integer fits in 64 bits if the upper half only repeats the sign.
            guard high == (low < 0 ? -1 : 0) else { throw PropertyListError(.integerOutOfRange, at: offset) }
            return low
        default: throw PropertyListError(.unknownType, at: offset)
        }
    }

    private func real(_ exponent: Int, at offset: Int) throws -> Double {
        switch exponent {
        case 2: Double(Float(bitPattern: UInt32(try unsigned(at: offset + 1, count: 4))))
        case 3: Double(bitPattern: try unsigned(at: offset + 1, count: 8))
        default: throw PropertyListError(.unknownType, at: offset)
        }
    }

    private func unsigned(at offset: Int, count: Int) throws -> UInt64 {
        try require(count, times: 1, at: offset)
        return bytes.bigEndian(at: offset, count: count)
    }

    /// Throws if an object extends beyond the table of offsets.
    private func require(_ count: Int, times width: Int, at offset: Int) throws {
        // No overflow: sizes and offsets are within the length of an array, widths below 512.
        guard offset <= trailer.tableOffset, count <= (trailer.tableOffset - offset) / width else {
            throw PropertyListError(.truncated, at: offset)
        }
    }

    // MARK: Trailer

    private struct Trailer {
        let offsetSize: Int
        let referenceSize: Int
        let objectCount: Int
        let topObject: Int
        let tableOffset: Int

        init(_ bytes: [UInt8]) throws {
            guard bytes.starts(with: "bplist0".utf8) else { throw PropertyListError(.notABinaryPropertyList) }
            let start = bytes.count - 32
            guard start > 8 else { throw PropertyListError(.truncated) }
            offsetSize = Int(bytes[start + 6])
            referenceSize = Int(bytes[start + 7])
            guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
                let objectCount = Int(exactly: bytes.bigEndian(at: start + 8, count: 8)),
                let topObject = Int(exactly: bytes.bigEndian(at: start + 16, count: 8)),
                let tableOffset = Int(exactly: bytes.bigEndian(at: start + 24, count: 8)),
                tableOffset > 8, tableOffset <= start,
                objectCount <= (start - tableOffset) / offsetSize, topObject < objectCount
            else { throw PropertyListError(.badTable, at: start) }
            self.objectCount = objectCount
            self.topObject = topObject
            self.tableOffset = tableOffset
        }

        func offset(of index: Int, in bytes: [UInt8]) throws -> Int {
            let raw = bytes.bigEndian(at: tableOffset + index * offsetSize, count: offsetSize)
            guard let offset = Int(exactly: raw), offset >= 8, offset < tableOffset else {
                throw PropertyListError(.badTable, at: tableOffset)
            }
            return offset
        }
    }
}

extension [UInt8] {
    /// Returns `count` bytes (at most 8), which must exist, as a number.
    fileprivate func bigEndian(at offset: Int, count: Int) -> UInt64 {
        self[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
