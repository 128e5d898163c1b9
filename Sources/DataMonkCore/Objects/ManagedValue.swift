public import Foundation

/// **Value.** An attribute's value in dynamic form: what key-value access, conditions and query rows speak.
///
/// The properties of your classes have Swift types; this enum is for code that learns names and types at run time.
///
///     let value: ManagedValue = "Taipei"          // literals work
///     let age: ManagedValue = .int(18)
///     let none: ManagedValue = nil
///
/// Integers of every width and `Bool` attributes read as `.int` and `.bool`; `Float` attributes as `.double`.
public enum ManagedValue: Hashable, Sendable {
    /// No value.
    case null
    /// A truth value.
    case bool(Bool)
    /// A whole number, of whatever width.
    case int(Int64)
    /// A floating point number.
    case double(Double)
    /// A decimal number.
    case decimal(Decimal)
    /// Text.
    case string(String)
    /// A moment.
    case date(Date)
    /// Bytes.
    case data(Data)
    /// A UUID.
    case uuid(UUID)
    /// A URL.
    case url(URL)
    /// A managed object, by its id.
    case object(AnyObjectID)
    /// Several values, as the right side of `IN` or `BETWEEN` takes them.
    case list([ManagedValue])
    /// Several values by name, as composite attributes hold them. A name that is missing has no value.
    case dictionary([String: ManagedValue])

    /// Whether there is no value.
    public var isNull: Bool { self == .null }
}

extension ManagedValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// `nil` is `.null`.
    public init(nilLiteral: ()) { self = .null }
    /// `true` and `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// A number with a point.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Text in quotes.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A list of values.
    public init(arrayLiteral elements: ManagedValue...) { self = .list(elements) }
    /// Values by name. Of a name that occurs twice the last value counts.
    public init(dictionaryLiteral elements: (String, ManagedValue)...) {
        self = .dictionary(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}

extension ManagedValue {
    /// What kind of value this is, in words for messages. Never the value itself.
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
