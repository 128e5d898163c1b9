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
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case decimal(Decimal)
    case string(String)
    case date(Date)
    case data(Data)
    case uuid(UUID)
    case url(URL)
    /// A managed object, by its id.
    case object(AnyObjectID)
    /// Several values, as the right side of `IN` or `BETWEEN` takes them.
    case list([ManagedValue])

    /// Whether there is no value.
    public var isNull: Bool { self == .null }
}

extension ManagedValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .int(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: ManagedValue...) { self = .list(elements) }
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
        }
    }
}
