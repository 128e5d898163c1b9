public import Foundation

/// **Value.** An attribute's value in dynamic form, as used by key-value access, conditions and query rows.
///
/// The properties of entity classes have Swift types; this enum is for code that learns names and types at run time.
///
///     let value: ManagedValue = "Taipei"          // literals work
///     let age: ManagedValue = .int(18)
///     let none: ManagedValue = nil
///
/// Integers of every width and `Bool` attributes read as `.int` and `.bool`; `Float` attributes as `.double`.
public enum ManagedValue: Hashable, Sendable {
    /// No value.
    case null
    /// A Boolean value.
    case bool(Bool)
    /// An integer of any width.
    case int(Int64)
    /// A floating-point number.
    case double(Double)
    /// A decimal number.
    case decimal(Decimal)
    /// A string.
    case string(String)
    /// A point in time.
    case date(Date)
    /// Bytes.
    case data(Data)
    /// A UUID.
    case uuid(UUID)
    /// A URL.
    case url(URL)
    /// A managed object, by its id.
    case object(AnyObjectID)
    /// A list of values, as the right side of `IN` or `BETWEEN`.
    case list([ManagedValue])
    /// Values by name, as in composite attributes. A missing name has no value.
    case dictionary([String: ManagedValue])

    /// Indicates whether there is no value.
    @inlinable public var isNull: Bool { if case .null = self { true } else { false } }
}

extension ManagedValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates `.null` from `nil`.
    public init(nilLiteral: ()) { self = .null }
    /// Creates a Boolean value from `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a value from an integer literal.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// Creates a value from a floating-point literal.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Creates a value from a string literal.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a list of values.
    public init(arrayLiteral elements: ManagedValue...) { self = .list(elements) }
    /// Creates a dictionary of values. If a name occurs twice, the last value counts.
    public init(dictionaryLiteral elements: (String, ManagedValue)...) {
        self = .dictionary(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}

extension ManagedValue {
    /// The kind of the value, in words for messages. Never contains the value itself.
    public var kind: String {
        switch self {
        case .null: "nil"
        case .bool: "a Bool"
        case .int: "an integer"
        case .double: "a Double"
        case .decimal: "a Decimal"
        case .string: "a String"
        case .date: "a Date"
        case .data: "Data"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .object: "an object"
        case .list: "a list"
        case .dictionary: "a dictionary"
        }
    }
}
