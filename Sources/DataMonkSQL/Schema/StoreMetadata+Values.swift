package import DataMonkCore

/// The metadata as applications read and write them.
extension StoreMetadata {
    /// All values of types that applications can use. The store's UUID is in a column of its own.
    package var managedValues: [String: ManagedValue] { values.compactMapValues(ManagedValue.init) }

    /// Replaces the application's values, and keeps the store's own keys.
    ///
    /// - Parameter metadata: Values that a property list can contain.
    package mutating func replaceApplicationValues(_ metadata: [String: ManagedValue]) {
        values = values.filter { StoreMetadataKey.isStoresOwn($0.key) }
        for (key, value) in metadata where !StoreMetadataKey.isStoresOwn(key) {
            values[key] = PropertyListValue(value)
        }
    }
}

extension ManagedValue {
    /// Returns `nil` for the UID of a keyed archive.
    fileprivate init?(_ value: PropertyListValue) {
        switch value {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .integer(let integer): self = .int(integer)
        case .real(let real): self = .double(real)
        case .string(let string): self = .string(string)
        case .date(let date): self = .date(date)
        case .data(let data): self = .data(data)
        case .uid: return nil
        case .array(let values): self = .list(values.compactMap(ManagedValue.init))
        case .dictionary(let values): self = .dictionary(values.compactMapValues(ManagedValue.init))
        }
    }
}

extension PropertyListValue {
    /// Returns `nil` for a value that a property list cannot contain.
    fileprivate init?(_ value: ManagedValue) {
        switch value {
        case .bool(let bool): self = .bool(bool)
        case .int(let integer): self = .integer(integer)
        case .double(let real): self = .real(real)
        case .string(let string): self = .string(string)
        case .date(let date): self = .date(date)
        case .data(let data): self = .data(data)
        case .list(let values): self = .array(values.compactMap(PropertyListValue.init))
        case .dictionary(let values): self = .dictionary(values.compactMapValues(PropertyListValue.init))
        case .null, .decimal, .uuid, .url, .object: return nil
        }
    }
}
