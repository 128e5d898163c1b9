/// **Value.** Data that is no managed object and of which conditions can be evaluated all the same: what JSON, settings
/// and tables hold.
///
/// ```swift
/// let monk: PlainValue = ["name": "Monk", "age": 41, "friends": [["name": "Abbot"], ["name": "Cook"]]]
/// try Condition(format: "age > 18 AND ANY friends.name BEGINSWITH 'A'").evaluate(with: monk)
/// ```
/// A key that a dictionary does not have is nil; a key of a list yields the values of its elements. Everything else
/// means what it means of objects.
public indirect enum PlainValue: Sendable, Hashable {
    /// A single value.
    case value(ManagedValue)
    /// Several, in order.
    case list([PlainValue])
    /// Several, each with a key.
    case dictionary([String: PlainValue])

    /// A value; a list of values becomes a list.
    public init(_ value: ManagedValue) {
        if case .list(let values) = value { self = .list(values.map { PlainValue($0) }) } else { self = .value(value) }
    }

    /// No value.
    public static let null = PlainValue.value(.null)

    /// The value as it is compared; nil for dictionaries and what holds them.
    public var managedValue: ManagedValue? {
        switch self {
        case .value(let value): return value
        case .list(let elements):
            let values = elements.compactMap(\.managedValue)
            return values.count == elements.count ? .list(values) : nil
        case .dictionary: return nil
        }
    }

    /// What kind of value it is, in words for messages. Never the value itself.
    public var kind: String {
        switch self {
        case .value(let value): value.kind
        case .list: "a list"
        case .dictionary: "a dictionary"
        }
    }
}

extension PlainValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// No value.
    public init(nilLiteral: ()) { self = .null }
    /// `true` and `false`.
    public init(booleanLiteral value: Bool) { self = .value(.bool(value)) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .value(.int(value)) }
    /// A number with a point.
    public init(floatLiteral value: Double) { self = .value(.double(value)) }
    /// Text in quotes.
    public init(stringLiteral value: String) { self = .value(.string(value)) }
    /// A list.
    public init(arrayLiteral elements: PlainValue...) { self = .list(elements) }
    /// A dictionary; of equal keys the last counts.
    public init(dictionaryLiteral elements: (String, PlainValue)...) {
        self = .dictionary(Dictionary(elements) { _, last in last })
    }
}
