import Foundation

extension Entity.Attribute {
    /// Returns the value in a row, in dynamic form.
    ///
    /// - Parameter object: The object to which the row belongs, whose context records external data that cannot be read.
    package func value(in row: UnsafeRawPointer, of object: ManagedObject? = nil) -> ManagedValue {
        let reader = RowReader(row, of: object)
        if reader.isNull(slot) { return .null }
        return switch type {
        case .integer16, .integer32, .integer64: .int(reader.int64(slot))
        case .boolean: .bool(reader.int64(slot) != 0)
        case .double, .float: .double(reader.double(slot))
        case .date: .date(Date.read(from: reader, slot: slot))
        case .string: .string(reader.string(slot))
        case .uri: .url(URL.read(from: reader, slot: slot))
        case .decimal: .decimal(Decimal.read(from: reader, slot: slot))
        case .uuid: .uuid(UUID.read(from: reader, slot: slot))
        case .composite: .dictionary(CompositeValue.values(of: elements, in: reader.bytes(slot)))
        case .binary, .transformable, .undefined, .objectID: .data(Data.read(from: reader, slot: slot))
        }
    }

    /// Returns `true` if `write` accepts the value: it is of the attribute's kind and fits its width.
    package func accepts(_ value: ManagedValue) -> Bool {
        if value.isNull { return true }
        return switch type {
        case .integer16: Int16(managedValue: value) != nil
        case .integer32: Int32(managedValue: value) != nil
        case .integer64: Int64(managedValue: value) != nil
        case .boolean: Bool(managedValue: value) != nil
        case .double, .float: Double(managedValue: value) != nil
        case .date: Date(managedValue: value) != nil
        case .string: String(managedValue: value).map { !isCodable || CodableText.isValid($0) } ?? false
        case .uri: URL(managedValue: value) != nil
        // NaN is accepted here and refused by the save, like a double's.
        case .decimal: Decimal(managedValue: value).map { $0.isNaN || $0.isStorable } ?? false
        case .uuid: UUID(managedValue: value) != nil
        case .composite: acceptsElements(value)
        case .binary, .transformable, .undefined, .objectID: Data(managedValue: value) != nil
        }
    }

    private func acceptsElements(_ value: ManagedValue) -> Bool {
        guard case .dictionary(let values) = value else { return false }
        // A composite value is not checked again before it is saved.
        return values.allSatisfy { name, value in
            !value.isNotStorable && element(named: name)?.accepts(value) ?? false
        }
    }

    /// Writes a value that `accepts` has accepted.
    package func write(_ value: ManagedValue, to row: inout RowEditor) {
        switch type {
        case .integer16, .integer32, .integer64: put(as: Int64.self, value, to: &row)
        case .boolean: put(as: Bool.self, value, to: &row)
        case .double: put(as: Double.self, value, to: &row)
        case .float: put(as: Float.self, value, to: &row)
        case .date: put(as: Date.self, value, to: &row)
        case .string: put(as: String.self, value, to: &row)
        case .uri: put(as: URL.self, value, to: &row)
        case .decimal: put(as: Decimal.self, value, to: &row)
        case .uuid: put(as: UUID.self, value, to: &row)
        case .composite: putElements(value, to: &row)
        case .binary, .transformable, .undefined, .objectID: put(as: Data.self, value, to: &row)
        }
    }

    private func putElements(_ value: ManagedValue, to row: inout RowEditor) {
        guard case .dictionary(let values) = value, let bytes = CompositeValue.bytes(of: elements, in: values) else {
            return row.setNull(slot)
        }
        bytes.withUnsafeBytes { row.setBytes($0, at: slot) }
    }

    private func put<Value: ManagedAttribute>(as type: Value.Type, _ value: ManagedValue, to row: inout RowEditor) {
        if let value = Value(managedValue: value) {
            Value.write(value, to: &row, slot: slot)
        } else {
            row.setNull(slot)
        }
    }
}

extension ManagedValue {
    /// A Boolean value indicating whether no store can represent this number or date.
    var isNotStorable: Bool {
        switch self {
        case .double(let number): number.isNaN
        case .date(let date): !date.timeIntervalSinceReferenceDate.isFinite
        case .decimal(let number): !number.isStorable
        default: false
        }
    }
}
