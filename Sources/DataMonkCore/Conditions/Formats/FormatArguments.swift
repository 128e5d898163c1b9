/// **Value.** The arguments of a format string, consumed in order.
struct FormatArguments {
    private let values: [ManagedValue]
    private var count = 0

    init(_ values: [ManagedValue]) { self.values = values }

    mutating func next(_ placeholder: FormatPlaceholder, at offset: Int) throws(FetchError) -> ConditionExpression {
        guard count < values.count else {
            throw .format(
                "\(placeholder.name) is placeholder \(count + 1), but there are only \(values.count) arguments.",
                at: offset)
        }
        let value = values[count]
        count += 1
        switch (placeholder, value) {
        case (.value, _), (.integer, .int), (.integer, .bool), (.number, .double), (.number, .int), (.number, .decimal),
            (.text, .string):
            return .value(value)
        case (.keyPath, .string(let keyPath)):
            return .keyPath(keyPath)
        default:
            throw .format(
                "\(placeholder.name) requires \(placeholder.wanted), but argument \(count) is \(value.kind).",
                at: offset)
        }
    }

    /// Throws if there are more arguments than placeholders.
    func finish(at offset: Int) throws(FetchError) {
        guard count == values.count else {
            throw .format(
                """
                The format has \(count) placeholders, but there are \(values.count) arguments. (Inside quotes, %@ is \
                plain text.)
                """,
                at: offset)
        }
    }
}

extension FormatPlaceholder {
    fileprivate var wanted: String {
        switch self {
        case .value: "any value"
        case .keyPath: "a key path as a String"
        case .integer: "an integer"
        case .number: "a number"
        case .text: "a String"
        }
    }
}
