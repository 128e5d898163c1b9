/// An enum (or another raw-representable type) is stored as its raw value.
extension ManagedAttribute where Self: RawRepresentable, RawValue: ManagedAttribute {
    /// Core Data's type of the attribute.
    @inlinable public static var attributeType: AttributeType { RawValue.attributeType }
    /// Reads the value from a row.
    @inlinable public static func read(from row: RowReader, slot: Int) -> Self {
        Self(rawValue: RawValue.read(from: row, slot: slot)) ?? fallback
    }
    /// Writes the value into a row.
    @inlinable public static func write(_ value: Self, to row: inout RowEditor, slot: Int) {
        RawValue.write(value.rawValue, to: &row, slot: slot)
    }
    /// The value in dynamic form.
    public var managedValue: ManagedValue { rawValue.managedValue }
    /// Creates a value from its dynamic form, or returns `nil` if that is of another kind.
    @inlinable public init?(managedValue: ManagedValue) {
        guard let raw = RawValue(managedValue: managedValue) else { return nil }
        self.init(rawValue: raw)
    }
}

extension ManagedAttribute where Self: RawRepresentable & CaseIterable, RawValue: ManagedAttribute {
    /// The first case.
    public static var fallback: Self {
        guard let first = allCases.first else {
            stopProgram("\(Self.self) has no cases, so it has no value to read.")
        }
        return first
    }
}
