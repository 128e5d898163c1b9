extension Optional: ManagedAttribute where Wrapped: ManagedAttribute {
    /// Core Data's type of the attribute.
    @inlinable public static var attributeType: AttributeType { Wrapped.attributeType }
    /// A Boolean value indicating whether the attribute may have no value.
    @inlinable public static var isOptional: Bool { true }
    /// The value of a required attribute whose row has no value.
    @inlinable public static var fallback: Wrapped? { nil }
    /// Reads the value from a row.
    @inlinable public static func read(from row: RowReader, slot: Int) -> Wrapped? {
        row.isNull(slot) ? .none : Wrapped.read(from: row, slot: slot)
    }
    /// Writes the value into a row.
    @inlinable public static func write(_ value: Wrapped?, to row: inout RowEditor, slot: Int) {
        if let value { Wrapped.write(value, to: &row, slot: slot) } else { row.setNull(slot) }
    }
    /// The value in dynamic form.
    public var managedValue: ManagedValue { self?.managedValue ?? .null }
    /// Creates a value from its dynamic form, or returns `nil` if that is of another kind.
    @inlinable public init?(managedValue: ManagedValue) {
        if managedValue.isNull {
            // `nil` is a value here, not a failure of this initializer.
            self = nil as Wrapped?
        } else if let value = Wrapped(managedValue: managedValue) {
            self = value
        } else {
            return nil
        }
    }
}
