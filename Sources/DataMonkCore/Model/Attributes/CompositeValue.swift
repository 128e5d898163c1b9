import Foundation

/// **Value.** The layout of a composite attribute's value in a row: its elements one after the other, in a single slot.
///
/// ```
/// element   0           1                    2                    3
///         +---+       +---+----------------+---+----------------+---+--------+-------------+
///         | 0 | none  | 1 | Int64          | 2 | bits of Double | 3 | count  | text, bytes |
///         +---+       +---+----------------+---+----------------+---+--------+-------------+
///                           8 bytes              8 bytes              4 bytes
/// ```
/// An element has the kind of a slot of its type, so its value is read and written like an attribute's.
enum CompositeValue {
    private enum Tag {
        static let none: UInt8 = 0
        static let integer: UInt8 = 1
        static let real: UInt8 = 2
        static let bytes: UInt8 = 3
    }

    /// Returns the bytes of a value, or `nil` if no element has a value.
    static func bytes(of elements: [Entity.Attribute], in values: [String: ManagedValue]) -> [UInt8]? {
        var bytes: [UInt8] = []
        var isEmpty = true
        for element in elements {
            let value = values[element.name] ?? .null
            if !value.isNull { isEmpty = false }
            append(value, of: element.type, to: &bytes)
        }
        return isEmpty ? nil : bytes
    }

    private static func append(_ value: ManagedValue, of type: AttributeType, to bytes: inout [UInt8]) {
        switch SlotForm(value, of: type) {
        case .none: bytes.append(Tag.none)
        case .integer(let number):
            bytes.append(Tag.integer)
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        case .real(let number):
            bytes.append(Tag.real)
            withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        case .bytes(let data):
            bytes.append(Tag.bytes)
            withUnsafeBytes(of: UInt32(data.count).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: data)
        }
    }

    /// Returns the elements' values by name, without the elements that have no value.
    static func values(of elements: [Entity.Attribute], in bytes: UnsafeRawBufferPointer) -> [String: ManagedValue] {
        var values: [String: ManagedValue] = [:]
        var place = 0
        for element in elements where place < bytes.count {
            let tag = bytes[place]
            place += 1
            switch tag {
            case Tag.integer:
                let number = Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int64.self))
                values[element.name] = SlotForm.integer(number).value(element.type)
                place += 8
            case Tag.real:
                let bits = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                values[element.name] = SlotForm.real(Double(bitPattern: bits)).value(element.type)
                place += 8
            case Tag.bytes:
                let count = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
                let data = Data(bytes[(place + 4)..<(place + 4 + count)])
                values[element.name] = SlotForm.bytes(data).value(element.type)
                place += 4 + count
            default: break
            }
        }
        return values
    }
}

extension CompositeValue {
    /// **Value.** A value in the form of a slot.
    private enum SlotForm {
        case none
        case integer(Int64)
        case real(Double)
        case bytes(Data)

        /// Creates the form of a value that its element accepts.
        init(_ value: ManagedValue, of type: AttributeType) {
            switch value {
            case .int(let number) where type == .double || type == .float: self = .real(Double(number))
            case .int(let number): self = .integer(number)
            case .bool(let flag): self = .integer(flag ? 1 : 0)
            case .double(let number): self = .real(number)
            case .date(let date): self = .real(date.timeIntervalSinceReferenceDate)
            case .string(let text): self = .bytes(Data(text.utf8))
            case .url(let url): self = .bytes(Data(url.absoluteString.utf8))
            case .decimal(let number): self = .bytes(Data(number.storedText.utf8))
            case .uuid(let uuid): self = .bytes(withUnsafeBytes(of: uuid.uuid) { Data($0) })
            case .data(let data): self = .bytes(data)
            case .null, .object, .list, .dictionary: self = .none
            }
        }

        func value(_ type: AttributeType) -> ManagedValue {
            switch (self, type) {
            case (.none, _): .null
            case (.integer(let number), .boolean): .bool(number != 0)
            case (.integer(let number), .decimal): .decimal(Decimal(number))
            case (.integer(let number), _): .int(number)
            case (.real(let number), .date): .date(Date(timeIntervalSinceReferenceDate: number))
            case (.real(let number), .decimal): .decimal(nearest: number)
            case (.real(let number), _): .double(number)
            case (.bytes(let data), .string): .string(String(decoding: data, as: UTF8.self))
            case (.bytes(let data), .uri):
                URL(string: String(decoding: data, as: UTF8.self)).map { .url($0) } ?? .null
            case (.bytes(let data), .decimal):
                Decimal(string: String(decoding: data, as: UTF8.self), locale: Locale(identifier: "en_US_POSIX"))
                    .map { .decimal($0) } ?? .null
            case (.bytes(let data), .uuid) where data.count == 16:
                .uuid(data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
            case (.bytes(let data), _): .data(data)
            }
        }
    }
}

extension Entity.Attribute {
    /// Returns the value of this attribute. For an element of a composite attribute, this is its part of the composite's
    /// value.
    func part(of value: ManagedValue) -> ManagedValue {
        guard position != nil else { return value }
        guard case .dictionary(let values) = value else { return .null }
        return values[name] ?? .null
    }
}
