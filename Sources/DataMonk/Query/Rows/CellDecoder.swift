import DataMonkCore
import Foundation

/// **Value.** Decodes one value of a row.
struct CellDecoder: Decoder, SingleValueDecodingContainer {
    /// The column's name.
    let name: String
    let value: ManagedValue
    /// A Boolean value indicating whether the value is as the file holds it; see ``RowColumns``.
    let isStored: Bool

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw FetchError.nestedRow()
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw FetchError.nestedRow() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { value.isNull }

    func decode(_ type: Bool.Type) throws -> Bool { try attribute(type) }
    func decode(_ type: String.Type) throws -> String { try attribute(type) }
    func decode(_ type: Double.Type) throws -> Double { try attribute(type) }
    func decode(_ type: Float.Type) throws -> Float { try attribute(type) }
    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let known = type as? any ManagedAttribute.Type {
            guard let decoded = try attribute(known) as? Value else { throw mismatch(type) }
            return decoded
        }
        return try Value(from: self)
    }

    private func attribute<Value: ManagedAttribute>(_ type: Value.Type) throws(FetchError) -> Value {
        let value = isStored ? value.read(as: Value.attributeType) : value
        guard let decoded = Value(managedValue: value) else { throw mismatch(type) }
        return decoded
    }

    /// The sum of integers is a decimal, but may still be decoded as an integer.
    private func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws(FetchError) -> Value {
        let whole: Int64? =
            switch value {
            case .int(let number): number
            case .decimal(let number): number.wholeValue
            default: nil
            }
        guard let whole, let decoded = Value(exactly: whole) else { throw mismatch(type) }
        return decoded
    }

    private func mismatch(_ type: Any.Type) -> FetchError { .undecodable(name, value: value, as: type) }
}
