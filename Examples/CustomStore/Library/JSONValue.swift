import DataMonk
import Foundation

/// **Value.** An attribute's value as JSON: an object with the name of the kind, such as `{ "text": "Ada" }`.
enum JSONValue: Codable, Sendable {
    case none
    case flag(Bool)
    case integer(Int64)
    /// The text of a number: JSON has no infinity, and readers round.
    case number(String)
    case decimal(String)
    case text(String)
    /// Seconds since 2001, as text.
    case date(String)
    case data(Data)
    case uuid(UUID)
    case url(String)
    case list([JSONValue])
    case group([String: JSONValue])

    init(_ value: ManagedValue) {
        self =
            switch value {
            case .bool(let value): .flag(value)
            case .int(let value): .integer(value)
            case .double(let value): .number("\(value)")
            case .decimal(let value): .decimal("\(value)")
            case .string(let value): .text(value)
            case .date(let value): .date("\(value.timeIntervalSinceReferenceDate)")
            case .data(let value): .data(value)
            case .uuid(let value): .uuid(value)
            case .url(let value): .url(value.absoluteString)
            case .list(let values): .list(values.map(JSONValue.init))
            case .dictionary(let values): .group(values.mapValues(JSONValue.init))
            case .null, .object: .none
            }
    }

    /// A text that is no number becomes no value, which the engine refuses where one is required.
    var value: ManagedValue {
        switch self {
        case .none: .null
        case .flag(let value): .bool(value)
        case .integer(let value): .int(value)
        case .number(let text): Double(text).map(ManagedValue.double) ?? .null
        case .decimal(let text): Decimal(string: text).map(ManagedValue.decimal) ?? .null
        case .text(let text): .string(text)
        case .date(let text): Double(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) } ?? .null
        case .data(let value): .data(value)
        case .uuid(let value): .uuid(value)
        case .url(let text): URL(string: text).map(ManagedValue.url) ?? .null
        case .list(let values): .list(values.map(\.value))
        case .group(let values): .dictionary(values.mapValues(\.value))
        }
    }
}
