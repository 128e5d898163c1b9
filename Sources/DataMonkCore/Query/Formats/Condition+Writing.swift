import Foundation

extension Condition {
    /// The condition as a format string. ``init(format:_:)`` reads it as an equal condition, with two exceptions: a part
    /// that stands alone in AND or OR comes back without it, and objects, which no text can stand for, do not come back.
    public var format: String { written(within: nil) }

    /// - Parameter outer: the operator whose operand this is, if any: decides about parentheses.
    fileprivate func written(within outer: FormatOperator?) -> String {
        switch self {
        case .constant(let isTrue): return isTrue ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): return comparison.format
        case .not(let inner):
            switch inner {
            case .not, .constant: return "NOT \(inner.written(within: nil))"
            default: return "NOT (\(inner.written(within: nil)))"
            }
        case .and(let parts): return Self.join(parts, .and, within: outer)
        case .or(let parts): return Self.join(parts, .or, within: outer)
        }
    }

    private static func join(_ parts: [Condition], _ joint: FormatOperator, within outer: FormatOperator?) -> String {
        switch parts.count {
        case 0: return joint == .and ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case 1: return parts[0].written(within: outer)
        default:
            let text = parts.map { $0.written(within: joint) }.joined(separator: joint == .and ? " AND " : " OR ")
            return outer == nil ? text : "(\(text))"
        }
    }
}

extension Condition: CustomStringConvertible {
    /// The condition as a format string, with its constants.
    public var description: String { format }
}

extension Condition.Comparison {
    /// The comparison as a format string.
    fileprivate var format: String {
        var letters = ""
        if options.contains(.caseInsensitive) { letters += "c" }
        if options.contains(.diacriticInsensitive) { letters += "d" }
        let option = letters.isEmpty ? "" : "[\(letters)]"
        let prefix =
            switch modifier {
            case .direct: ""
            case .any: "ANY "
            case .all: "ALL "
            case .none: "NONE "
            }
        return "\(prefix)\(left.format) \(operation.symbol)\(option) \(right.format)"
    }
}

extension ConditionExpression {
    /// The expression as a format string.
    public var format: String {
        switch self {
        case .keyPath(let keyPath): return FormatName.keyPath(keyPath)
        case .value(let value): return value.format
        case .object: return "SELF"
        case .variable(let name): return "$\(name)"
        case .path(let start, let keyPath):
            let text = start.isInfix ? "(\(start.format))" : start.format
            return "\(text).\(FormatName.keyPath(keyPath))"
        case .list(let elements): return "{\(elements.map(\.format).joined(separator: ", "))}"
        case .function(let function, let arguments): return function.format(arguments)
        case .element(let element, let collection):
            let text = collection.isInfix ? "(\(collection.format))" : collection.format
            return "\(text)[\(element.format)]"
        case .subquery(let collection, let variable, let condition):
            return "SUBQUERY(\(collection.format), $\(variable), \(condition.format))"
        case .conditional(let condition, let first, let second):
            return "TERNARY(\(condition.format), \(first.format), \(second.format))"
        }
    }

    fileprivate var isInfix: Bool {
        if case .function(let function, _) = self { function.infix != nil } else { false }
    }
}

extension ConditionExpression.Function {
    fileprivate func format(_ arguments: [ConditionExpression]) -> String {
        if let infix, arguments.count == 2 {
            let operands = arguments.map { $0.isInfix ? "(\($0.format))" : $0.format }
            return "\(operands[0]) \(infix) \(operands[1])"
        }
        return "\(rawValue)(\(arguments.map(\.format).joined(separator: ", ")))"
    }
}

extension ConditionExpression.Element {
    fileprivate var format: String {
        switch self {
        case .first: "FIRST"
        case .last: "LAST"
        case .size: "SIZE"
        case .at(let index): index.format
        }
    }
}

extension ManagedValue {
    /// The constant as a format string.
    fileprivate var format: String {
        switch self {
        case .null: "NIL"
        case .bool(let flag): flag ? "TRUE" : "FALSE"
        case .int(let number): String(number)
        case .double(let number): number.isFinite ? "\(number)" : cast("\(number)", .double)
        case .decimal(let number): cast("\(number)", .decimal)
        case .string(let text): FormatName.quoted(text)
        case .date(let date): "CAST(\(date.timeIntervalSinceReferenceDate), \"\(FormatCast.date.rawValue)\")"
        case .data(let data): cast(data.map { byte in Self.hexadecimal(byte) }.joined(), .data)
        case .uuid(let uuid): cast(uuid.uuidString, .uuid)
        case .url(let url): cast(url.absoluteString, .url)
        case .object(let id): "CAST(\(FormatName.quoted(id.uri.absoluteString)), \"NSManagedObjectID\")"
        case .list(let values): "{\(values.map(\.format).joined(separator: ", "))}"
        // Conditions compare elements; a whole composite value stands in none.
        case .dictionary: "NIL"
        }
    }

    private func cast(_ text: String, _ type: FormatCast) -> String {
        "CAST(\(FormatName.quoted(text)), \"\(type.rawValue)\")"
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
