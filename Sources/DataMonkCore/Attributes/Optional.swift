extension Optional: ManagedAttribute where Wrapped: ManagedAttribute {
    /// Core Data's type of such an attribute.
    @inlinable public static var attributeType: AttributeType { Wrapped.attributeType }
    /// Whether the attribute may hold no value.
    @inlinable public static var isOptional: Bool { true }
    /// What a required attribute without a value reads as.
    @inlinable public static var fallback: Wrapped? { nil }
    /// Reads the value out of a row.
    @inlinable public static func read(from row: RowReader, slot: Int) -> Wrapped? {
        row.isNull(slot) ? .none : Wrapped.read(from: row, slot: slot)
    }
    /// Writes the value into a row.
    @inlinable public static func write(_ value: Wrapped?, to row: inout RowEditor, slot: Int) {
        if let value { Wrapped.write(value, to: &row, slot: slot) } else { row.setNull(slot) }
    }
    /// The value in dynamic form.
    public var managedValue: ManagedValue { self?.managedValue ?? .null }
    /// The value of a dynamic one, nil for another kind.
    public init?(managedValue: ManagedValue) {
        if managedValue.isNull {
            // `nil` itself is a value here, not this initializer's failure.
            self = nil as Wrapped?
        } else if let value = Wrapped(managedValue: managedValue) {
            self = value
        } else {
            return nil
        }
    }
}
