public import Foundation

extension String: ManagedAttribute {
    @inlinable public static var attributeType: AttributeType { .string }
    @inlinable public static var fallback: String { "" }
    @inlinable public static func read(from row: RowReader, slot: Int) -> String { row.string(slot) }
    @inlinable public static func write(_ value: String, to row: inout RowEditor, slot: Int) {
        row.setString(value, slot)
    }
    public var managedValue: ManagedValue { .string(self) }
    public init?(managedValue: ManagedValue) {
        guard case .string(let value) = managedValue else { return nil }
        self = value
    }
}

/// Dates are kept as Core Data keeps them: seconds since 2001-01-01 00:00:00 UTC, a Double.
extension Date: ManagedAttribute {
    @inlinable public static var attributeType: AttributeType { .date }
    public static var fallback: Date { Date(timeIntervalSinceReferenceDate: 0) }
    @inlinable public static func read(from row: RowReader, slot: Int) -> Date {
        Date(timeIntervalSinceReferenceDate: row.double(slot))
    }
    @inlinable public static func write(_ value: Date, to row: inout RowEditor, slot: Int) {
        row.setDouble(value.timeIntervalSinceReferenceDate, slot)
    }
    public var managedValue: ManagedValue { .date(self) }
    public init?(managedValue: ManagedValue) {
        guard case .date(let value) = managedValue else { return nil }
        self = value
    }
}

extension Data: ManagedAttribute {
    @inlinable public static var attributeType: AttributeType { .binary }
    @inlinable public static var fallback: Data { Data() }
    @inlinable public static func read(from row: RowReader, slot: Int) -> Data { Data(row.bytes(slot)) }
    @inlinable public static func write(_ value: Data, to row: inout RowEditor, slot: Int) {
        value.withUnsafeBytes { row.setBytes($0, slot) }
    }
    public var managedValue: ManagedValue { .data(self) }
    public init?(managedValue: ManagedValue) {
        guard case .data(let value) = managedValue else { return nil }
        self = value
    }
}

/// A UUID is its 16 bytes.
extension UUID: ManagedAttribute {
    @inlinable public static var attributeType: AttributeType { .uuid }
    public static var fallback: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
    public static func read(from row: RowReader, slot: Int) -> UUID {
        let bytes = row.bytes(slot)
        return bytes.count == 16 ? UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)) : fallback
    }
    public static func write(_ value: UUID, to row: inout RowEditor, slot: Int) {
        withUnsafeBytes(of: value.uuid) { row.setBytes($0, slot) }
    }
    public var managedValue: ManagedValue { .uuid(self) }
    public init?(managedValue: ManagedValue) {
        guard case .uuid(let value) = managedValue else { return nil }
        self = value
    }
}

/// A URL is its absolute string. Text that is no URL reads as no value from an optional attribute, and as
/// `about:invalid` from a required one.
extension URL: ManagedAttribute {
    @inlinable public static var attributeType: AttributeType { .uri }
    // A constant that Foundation parses.
    public static let fallback = URL(string: "about:invalid").unsafelyUnwrapped
    public static func read(from row: RowReader, slot: Int) -> URL {
        URL(string: row.string(slot)) ?? fallback
    }
    public static func write(_ value: URL, to row: inout RowEditor, slot: Int) {
        row.setString(value.absoluteString, slot)
    }
    public var managedValue: ManagedValue { .url(self) }
    public init?(managedValue: ManagedValue) {
        guard case .url(let value) = managedValue else { return nil }
        self = value
    }
}

/// A decimal is its text in a row, so that none of its digits is lost in memory. (A Core Data file keeps a double.)
extension Decimal: ManagedAttribute {
    @inlinable public static var attributeType: AttributeType { .decimal }
    @inlinable public static var fallback: Decimal { Decimal(0) }
    public static func read(from row: RowReader, slot: Int) -> Decimal {
        Decimal(string: row.string(slot), locale: Locale(identifier: "en_US_POSIX")) ?? fallback
    }
    public static func write(_ value: Decimal, to row: inout RowEditor, slot: Int) {
        row.setString(value.description, slot)
    }
    public var managedValue: ManagedValue { .decimal(self) }
    public init?(managedValue: ManagedValue) {
        switch managedValue {
        case .decimal(let value): self = value
        case .int(let value): self = Decimal(value)
        case .double(let value): self = Decimal(value)
        default: return nil
        }
    }

    /// The nearest double.
    package var doubleValue: Double { NSDecimalNumber(decimal: self).doubleValue }

    /// The number as an integer; nil if it has a fraction or is too large.
    var exactInteger: Int64? {
        let whole = NSDecimalNumber(decimal: self).int64Value
        return Decimal(whole) == self ? whole : nil
    }
}
