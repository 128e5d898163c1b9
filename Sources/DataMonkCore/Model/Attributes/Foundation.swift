public import Foundation

extension String: ManagedAttribute {
    /// Core Data's type of the attribute.
    @inlinable public static var attributeType: AttributeType { .string }
    /// The value of a required attribute whose row has no value.
    @inlinable public static var fallback: String { "" }
    /// Reads the value from a row.
    @inlinable public static func read(from row: RowReader, slot: Int) -> String { row.string(slot) }
    /// Writes the value into a row.
    @inlinable public static func write(_ value: String, to row: inout RowEditor, slot: Int) {
        row.setString(value, at: slot)
    }
    /// The value in dynamic form.
    public var managedValue: ManagedValue { .string(self) }
    /// Creates a value from its dynamic form, or returns `nil` if that is of another kind.
    @inlinable public init?(managedValue: ManagedValue) {
        guard case .string(let value) = managedValue else { return nil }
        self = value
    }
}

/// Dates are stored as by Core Data: seconds since 2001-01-01 00:00:00 UTC, as a Double.
extension Date: ManagedAttribute {
    /// Core Data's type of the attribute.
    @inlinable public static var attributeType: AttributeType { .date }
    /// The value of a required attribute whose row has no value.
    public static var fallback: Date { Date(timeIntervalSinceReferenceDate: 0) }
    /// Reads the value from a row.
    @inlinable public static func read(from row: RowReader, slot: Int) -> Date {
        Date(timeIntervalSinceReferenceDate: row.double(slot))
    }
    /// Writes the value into a row.
    @inlinable public static func write(_ value: Date, to row: inout RowEditor, slot: Int) {
        row.setDouble(value.timeIntervalSinceReferenceDate, at: slot)
    }
    /// The value in dynamic form.
    public var managedValue: ManagedValue { .date(self) }
    /// Creates a value from its dynamic form, or returns `nil` if that is of another kind.
    @inlinable public init?(managedValue: ManagedValue) {
        guard case .date(let value) = managedValue else { return nil }
        self = value
    }
}

extension Data: ManagedAttribute {
    /// Core Data's type of the attribute.
    @inlinable public static var attributeType: AttributeType { .binary }
    /// The value of a required attribute whose row has no value.
    @inlinable public static var fallback: Data { Data() }
    /// Reads the value from a row.
    @inlinable public static func read(from row: RowReader, slot: Int) -> Data {
        row.isReference(slot) ? row.externalData(slot) : Data(row.bytes(slot))
    }
    /// Writes the value into a row.
    @inlinable public static func write(_ value: Data, to row: inout RowEditor, slot: Int) {
        value.withUnsafeBytes { row.setBytes($0, at: slot) }
    }
    /// The value in dynamic form.
    public var managedValue: ManagedValue { .data(self) }
    /// Creates a value from its dynamic form, or returns `nil` if that is of another kind.
    @inlinable public init?(managedValue: ManagedValue) {
        guard case .data(let value) = managedValue else { return nil }
        self = value
    }
}

/// A UUID is stored as its 16 bytes. Any other number of bytes is a failed read: the property reads as zeros, and throwing
/// accesses throw.
extension UUID: ManagedAttribute {
    /// Core Data's type of the attribute.
    @inlinable public static var attributeType: AttributeType { .uuid }
    /// The value of a required attribute whose row has no value.
    public static var fallback: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
    /// Reads the value from a row.
    public static func read(from row: RowReader, slot: Int) -> UUID {
        if let value = UUID(stored: row.bytes(slot)) { return value }
        if !row.isNull(slot) { row.noteDamage(slot) }
        return fallback
    }
    /// Creates the UUID that a store holds as bytes, or returns `nil` if they are not a UUID.
    init?(stored bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
    /// Writes the value into a row.
    public static func write(_ value: UUID, to row: inout RowEditor, slot: Int) {
        withUnsafeBytes(of: value.uuid) { row.setBytes($0, at: slot) }
    }
    /// The value in dynamic form.
    public var managedValue: ManagedValue { .uuid(self) }
    /// Creates a value from its dynamic form, or returns `nil` if that is of another kind.
    @inlinable public init?(managedValue: ManagedValue) {
        guard case .uuid(let value) = managedValue else { return nil }
        self = value
    }
}

/// A URL is stored as its absolute string. Text that is not a URL is a failed read: the property reads as `about:invalid`,
/// and throwing accesses throw.
extension URL: ManagedAttribute {
    /// Core Data's type of the attribute.
    @inlinable public static var attributeType: AttributeType { .uri }
    // A constant that Foundation parses.
    /// The value of a required attribute whose row has no value.
    public static let fallback = URL(string: "about:invalid").unsafelyUnwrapped
    /// Reads the value from a row.
    public static func read(from row: RowReader, slot: Int) -> URL {
        if let value = URL(string: row.string(slot)) { return value }
        if !row.isNull(slot) { row.noteDamage(slot) }
        return fallback
    }
    /// Writes the value into a row.
    public static func write(_ value: URL, to row: inout RowEditor, slot: Int) {
        row.setString(value.absoluteString, at: slot)
    }
    /// The value in dynamic form.
    public var managedValue: ManagedValue { .url(self) }
    /// Creates a value from its dynamic form, or returns `nil` if that is of another kind.
    @inlinable public init?(managedValue: ManagedValue) {
        guard case .url(let value) = managedValue else { return nil }
        self = value
    }
}

/// A decimal is rounded when it is set to a number that a Core Data file can hold: 64-bit integers are exact, and all
/// others have the digits of the nearest double, 15 to 17. The object, every store and every condition therefore have the
/// same number. Beyond ±1e100 a decimal is refused; closer to zero than 1e-100 it becomes zero.
///
///     item.price = Decimal(string: "0.12345678901234567890")!
///     print(item.price)  // 0.12345678901234568
extension Decimal: ManagedAttribute {
    /// Core Data's type of the attribute.
    @inlinable public static var attributeType: AttributeType { .decimal }
    /// The value of a required attribute whose row has no value.
    @inlinable public static var fallback: Decimal { Decimal(0) }
    /// Reads the value from a row.
    public static func read(from row: RowReader, slot: Int) -> Decimal {
        Decimal(digits: row.bytes(slot))
            ?? Decimal(string: row.string(slot), locale: Locale(identifier: "en_US_POSIX")) ?? fallback
    }
    /// Writes the value into a row.
    public static func write(_ value: Decimal, to row: inout RowEditor, slot: Int) {
        row.setString(value.storedText, at: slot)
    }
    /// Writes a value that a store held, and that needs no rounding.
    package static func writeStored(_ value: Decimal, to row: inout RowEditor, slot: Int) {
        row.setString(value.description, at: slot)
    }
    /// The value in dynamic form.
    public var managedValue: ManagedValue { .decimal(self) }
    /// Creates a value from its dynamic form, or returns `nil` if that is of another kind.
    public init?(managedValue: ManagedValue) {
        switch managedValue {
        case .decimal(let value): self = value
        case .int(let value): self = Decimal(value)
        case .double(let value):
            // `Decimal(value)` traps beyond a decimal's range.
            guard let decimal = Decimal(representing: value) else { return nil }
            self = decimal
        default: return nil
        }
    }

    /// The nearest double. Foundation's own conversion divides by ten for each digit and rounds each time: 0.07 becomes
    /// 0.06999999999999999 (seen with Swift 6.3).
    @usableFromInline package var doubleValue: Double { Double(description) ?? .nan }

    /// The number as an integer, or `nil` if it has a fraction or is too large.
    @usableFromInline var exactInteger: Int64? {
        let whole = NSDecimalNumber(decimal: self).int64Value
        return Decimal(whole) == self ? whole : nil
    }
}
