package import Foundation

/// **Value.** Writes binary property lists as Apple's Foundation does: objects in depth-first order, and equal plain values
/// once. The keys of a dictionary are in byte order, so that equal values produce equal bytes.
///
/// See ``BinaryPropertyListReader`` for the format.
package struct BinaryPropertyListWriter {
    private enum Flat {
        case plain(PropertyListValue)
        case array([Int])
        case dictionary(keys: [Int], values: [Int])
    }

    private let limits: PropertyListLimits
    private var objects: [Flat] = []
    private var plainObjects: [PropertyListValue: Int] = [:]

    /// Returns `value` as bytes. Throws `tooDeep` and `tooManyObjects` if a reader with the same limits would.
    package static func write(_ value: PropertyListValue, limits: PropertyListLimits = .init()) throws -> Data {
        var writer = BinaryPropertyListWriter(limits: limits)
        _ = try writer.flatten(value, depth: 0)
        return writer.encode()
    }

    /// Assigns numbers to `value` and its contents.
    private mutating func flatten(_ value: PropertyListValue, depth: Int) throws -> Int {
        switch value {
        case .array(let elements):
            let number = try appendContainer(.array([]), depth: depth)
            objects[number] = .array(try elements.map { try flatten($0, depth: depth + 1) })
            return number
        case .dictionary(let entries):
            let number = try appendContainer(.dictionary(keys: [], values: []), depth: depth)
            let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            let keys = try sorted.map { try flatten(.string($0.key), depth: depth + 1) }
            let values = try sorted.map { try flatten($0.value, depth: depth + 1) }
            objects[number] = .dictionary(keys: keys, values: values)
            return number
        default:
            // Swift considers 0.0 and -0.0 equal, and é in either composition; in a file they differ.
            if let known = plainObjects[value], isSameInFile(value, at: known) { return known }
            let number = try append(.plain(value))
            plainObjects[value] = number
            return number
        }
    }

    private func isSameInFile(_ value: PropertyListValue, at number: Int) -> Bool {
        guard case .plain(let written) = objects[number] else { return false }
        switch (value, written) {
        case (.string(let one), .string(let other)):
            return one.utf8.elementsEqual(other.utf8)
        case (.real(let one), .real(let other)):
            return one.bitPattern == other.bitPattern
        default:
            return true
        }
    }

    private mutating func appendContainer(_ container: Flat, depth: Int) throws -> Int {
        guard depth < limits.depth else { throw PropertyListError(.tooDeep) }
        return try append(container)
    }

    private mutating func append(_ object: Flat) throws -> Int {
        guard objects.count < limits.objectCount else { throw PropertyListError(.tooManyObjects) }
        objects.append(object)
        return objects.count - 1
    }

    // MARK: Bytes

    private func encode() -> Data {
        var bytes = Array("bplist00".utf8)
        let referenceSize = Self.width(UInt64(objects.count))
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            switch object {
            case .plain(let value):
                Self.append(value, to: &bytes)
            case .array(let elements):
                Self.appendMarker(0xa0, count: elements.count, to: &bytes)
                for element in elements { Self.append(UInt64(element), width: referenceSize, to: &bytes) }
            case .dictionary(let keys, let values):
                Self.appendMarker(0xd0, count: keys.count, to: &bytes)
                for reference in keys + values { Self.append(UInt64(reference), width: referenceSize, to: &bytes) }
            }
        }
        let tableOffset = bytes.count
        let offsetSize = Self.width(UInt64(tableOffset))
        for offset in offsets { Self.append(UInt64(offset), width: offsetSize, to: &bytes) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        Self.append(UInt64(objects.count), width: 8, to: &bytes)
        Self.append(0, width: 8, to: &bytes)
        Self.append(UInt64(tableOffset), width: 8, to: &bytes)
        return Data(bytes)
    }

    private static func append(_ value: PropertyListValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(0x00)
        case .bool(let flag): bytes.append(flag ? 0x09 : 0x08)
        case .integer(let integer): append(integer, to: &bytes)
        case .real(let real):
            bytes.append(0x23)
            append(real.bitPattern, width: 8, to: &bytes)
        case .date(let date):
            bytes.append(0x33)
            append(date.timeIntervalSinceReferenceDate.bitPattern, width: 8, to: &bytes)
        case .data(let data):
            appendMarker(0x40, count: data.count, to: &bytes)
            bytes += data
        case .string(let string): append(string, to: &bytes)
        case .uid(let uid):
            let width = width(uid)
            bytes.append(0x80 | UInt8(width - 1))
            append(uid, width: width, to: &bytes)
        case .array, .dictionary:
            assertionFailure("containers are flattened before")
        }
    }

    private static func append(_ integer: Int64, to bytes: inout [UInt8]) {
        // Integers of fewer than 8 bytes are unsigned.
        let width = integer < 0 ? 8 : width(UInt64(integer))
        bytes.append(0x10 | UInt8(width.trailingZeroBitCount))
        append(UInt64(bitPattern: integer), width: width, to: &bytes)
    }

    private static func append(_ string: String, to bytes: inout [UInt8]) {
        if string.utf8.allSatisfy({ $0 < 0x80 }) {
            appendMarker(0x50, count: string.utf8.count, to: &bytes)
            bytes += string.utf8
        } else {
            appendMarker(0x60, count: string.utf16.count, to: &bytes)
            for unit in string.utf16 { append(UInt64(unit), width: 2, to: &bytes) }
        }
    }

    private static func appendMarker(_ type: UInt8, count: Int, to bytes: inout [UInt8]) {
        if count < 0x0f {
            bytes.append(type | UInt8(count))
        } else {
            bytes.append(type | 0x0f)
            append(Int64(count), to: &bytes)
        }
    }

    private static func append(_ number: UInt64, width: Int, to bytes: inout [UInt8]) {
        for shift in (0..<width).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * shift))) }
    }

    /// Returns the number of bytes that hold `number`: 1, 2, 4 or 8.
    private static func width(_ number: UInt64) -> Int {
        switch number {
        case ...0xff: 1
        case ...0xffff: 2
        case ...0xffff_ffff: 4
        default: 8
        }
    }
}
