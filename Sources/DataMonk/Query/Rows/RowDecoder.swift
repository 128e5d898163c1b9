import DataMonkCore

/// **Value.** Decodes a row of values by the names of its columns.
struct RowDecoder: Decoder {
    let columns: RowColumns
    let values: [ManagedValue]

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    /// Decodes a row as a value of a type.
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `typeMismatch` and the name of the column, and any error of the
    ///   type's initializer.
    static func decode<Row: Decodable>(
        _ type: Row.Type, columns: RowColumns, values: [ManagedValue]
    ) throws -> Row {
        do {
            return try Row(from: RowDecoder(columns: columns, values: values))
        } catch let error as DecodingError {
            throw FetchError.undecodableRow(as: type, error: error)
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RowContainer<Key>(columns: columns, values: values))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw FetchError.nestedRow() }

    /// The value of a row with a single column.
    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        guard values.count == 1 else { throw FetchError.nestedRow() }
        return CellDecoder(name: columns.names[0], value: values[0], isStored: columns.areStored)
    }
}

extension FetchError {
    static func undecodableRow(as type: Any.Type, error: DecodingError) -> FetchError {
        FetchError(
            .typeMismatch,
            "A row cannot be decoded as \(type). Change the type so that it can hold the values of its columns.",
            underlyingError: error)
    }

    static func nestedRow() -> FetchError {
        FetchError(
            .typeMismatch, "A row has no nested containers. Decode it into a struct with a property for each column.")
    }

    static func undecodable(_ name: String, value: ManagedValue, as type: Any.Type) -> FetchError {
        let remedy = value.isNull ? "Declare the property optional." : "Give the property that type."
        return FetchError(
            .typeMismatch, "The column \"\(name)\" holds \(value.kind), not \(type). \(remedy)", keyPath: name)
    }

    static func noColumn(_ name: String, in columns: RowColumns) -> FetchError {
        FetchError(
            .unknownKey,
            """
            The row has no column "\(name)". Select it, or give one of \(columns.names.joined(separator: ", ")) the \
            alias.
            """,
            keyPath: name)
    }
}
