import DataMonkCore

/// **Value.** A keyed container over the columns of a row.
struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let columns: RowColumns
    let values: [ManagedValue]

    let codingPath: [any CodingKey] = []
    var allKeys: [Key] { columns.names.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { columns.place(of: key.stringValue) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try cell(key).decodeNil() }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try cell(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try cell(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try cell(key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try cell(key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try cell(key).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try cell(key).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try cell(key).decode(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try cell(key).decode(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try cell(key).decode(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try cell(key).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try cell(key).decode(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try cell(key).decode(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try cell(key).decode(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try cell(key).decode(type) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try cell(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        throw FetchError.nestedRow()
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw FetchError.nestedRow() }
    func superDecoder() throws -> any Decoder { throw FetchError.nestedRow() }
    func superDecoder(forKey key: Key) throws -> any Decoder { try cell(key) }

    private func cell(_ key: Key) throws(FetchError) -> CellDecoder {
        guard let place = columns.place(of: key.stringValue) else { throw .noColumn(key.stringValue, in: columns) }
        return CellDecoder(name: key.stringValue, value: values[place], isStored: columns.areStored)
    }
}
