extension Optional: ManagedAttribute where Wrapped: ManagedAttribute {
    @inlinable public static var attributeType: AttributeType { Wrapped.attributeType }
    @inlinable public static var isOptional: Bool { true }
    @inlinable public static var fallback: Wrapped? { nil }
    @inlinable public static func read(from row: RowReader, slot: Int) -> Wrapped? {
        row.isNull(slot) ? .none : Wrapped.read(from: row, slot: slot)
    }
    @inlinable public static func write(_ value: Wrapped?, to row: inout RowEditor, slot: Int) {
        if let value { Wrapped.write(value, to: &row, slot: slot) } else { row.setNull(slot) }
    }
    public var managedValue: ManagedValue { self?.managedValue ?? .null }
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
