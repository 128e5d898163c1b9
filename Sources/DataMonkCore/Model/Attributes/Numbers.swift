extension Bool: ManagedAttribute {
    /// Core Data's type of the attribute.
    @inlinable public static var attributeType: AttributeType { .boolean }
    /// The value of a required attribute whose row has no value.
    @inlinable public static var fallback: Bool { false }
    /// Reads the value from a row.
    @inlinable public static func read(from row: RowReader, slot: Int) -> Bool { row.int64(slot) != 0 }
    /// Writes the value into a row.
    @inlinable public static func write(_ value: Bool, to row: inout RowEditor, slot: Int) {
        row.setInt64(value ? 1 : 0, at: slot)
    }
    /// The value in dynamic form.
    public var managedValue: ManagedValue { .bool(self) }
    /// Creates a value from its dynamic form, or returns `nil` if that is of another kind.
    @inlinable public init?(managedValue: ManagedValue) {
        switch managedValue {
        case .bool(let value): self = value
        case .int(let value): self = value != 0
        default: return nil
        }
    }
}

/// The common implementation of the integer types. Values of a narrower type are checked when they are written; a larger
/// value written by another program is truncated to the width.
public protocol ManagedInteger: ManagedAttribute, FixedWidthInteger {}

extension ManagedInteger {
    /// The value of a required attribute whose row has no value.
    @inlinable public static var fallback: Self { 0 }
    /// Reads the value from a row.
    @inlinable public static func read(from row: RowReader, slot: Int) -> Self {
        let value = row.int64(slot)
        if let value = Self(exactly: value) { return value }
        row.noteDamage(slot)
        return Self(truncatingIfNeeded: value)
    }
    /// Writes the value into a row.
    @inlinable public static func write(_ value: Self, to row: inout RowEditor, slot: Int) {
        row.setInt64(Int64(truncatingIfNeeded: value), at: slot)
    }
    /// The value in dynamic form.
    public var managedValue: ManagedValue { .int(Int64(truncatingIfNeeded: self)) }
    /// Creates a value from its dynamic form, or returns `nil` if that is of another kind.
    @inlinable public init?(managedValue: ManagedValue) {
        switch managedValue {
        case .int(let value): self.init(exactly: value)
        case .bool(let value): self.init(value ? 1 : 0)
        case .double(let value): self.init(exactly: value)
        case .decimal(let value):
            // Sums and averages in queries are decimals.
            guard let whole = value.exactInteger else { return nil }
            self.init(exactly: whole)
        default: return nil
        }
    }
}

extension Int: ManagedInteger {
    /// Core Data's type of the attribute.
    @inlinable public static var attributeType: AttributeType { .integer64 }
}
extension Int64: ManagedInteger {
    /// Core Data's type of the attribute.
    @inlinable public static var attributeType: AttributeType { .integer64 }
}
extension Int32: ManagedInteger {
    /// Core Data's type of the attribute.
    @inlinable public static var attributeType: AttributeType { .integer32 }
}
extension Int16: ManagedInteger {
    /// Core Data's type of the attribute.
    @inlinable public static var attributeType: AttributeType { .integer16 }
}

extension Double: ManagedAttribute {
    /// Core Data's type of the attribute.
    @inlinable public static var attributeType: AttributeType { .double }
    /// The value of a required attribute whose row has no value.
    @inlinable public static var fallback: Double { 0 }
    /// Reads the value from a row.
    @inlinable public static func read(from row: RowReader, slot: Int) -> Double { row.double(slot) }
    /// Writes the value into a row.
    @inlinable public static func write(_ value: Double, to row: inout RowEditor, slot: Int) {
        row.setDouble(value, at: slot)
    }
    /// The value in dynamic form.
    public var managedValue: ManagedValue { .double(self) }
    /// Creates a value from its dynamic form, or returns `nil` if that is of another kind.
    @inlinable public init?(managedValue: ManagedValue) {
        switch managedValue {
        case .double(let value): self = value
        case .int(let value): self = Double(value)
        case .decimal(let value): self = value.doubleValue
        default: return nil
        }
    }
}

extension Float: ManagedAttribute {
    /// Core Data's type of the attribute.
    @inlinable public static var attributeType: AttributeType { .float }
    /// The value of a required attribute whose row has no value.
    @inlinable public static var fallback: Float { 0 }
    /// Reads the value from a row.
    @inlinable public static func read(from row: RowReader, slot: Int) -> Float { Float(row.double(slot)) }
    /// Writes the value into a row.
    @inlinable public static func write(_ value: Float, to row: inout RowEditor, slot: Int) {
        row.setDouble(Double(value), at: slot)
    }
    /// The value in dynamic form.
    public var managedValue: ManagedValue { .double(Double(self)) }
    /// Creates a value from its dynamic form, or returns `nil` if that is of another kind.
    @inlinable public init?(managedValue: ManagedValue) {
        guard let value = Double(managedValue: managedValue) else { return nil }
        self.init(value)
    }
}
