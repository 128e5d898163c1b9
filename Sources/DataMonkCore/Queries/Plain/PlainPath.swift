/// **Value.** A key path that is followed through plain data.
struct PlainPath {
    private let keyPath: String
    private let names: [Substring]
    /// The maximum depth of nested lists: each level takes a stack frame.
    private static let maximumDepth = 200

    init(_ keyPath: String) {
        self.keyPath = keyPath
        names = keyPath.split(separator: ".", omittingEmptySubsequences: false)
    }

    /// Returns the value at the path.
    func value(of start: ManagedValue) throws(FetchError) -> ManagedValue { try value(of: start, names[...]) }

    private func value(of start: ManagedValue, _ names: ArraySlice<Substring>) throws(FetchError) -> ManagedValue {
        var current = start
        var rest = names
        while let name = rest.popFirst() {
            if name == "self" || name == "SELF" { continue }
            if name.first == "@" { return try aggregate(name, about: current, rest: rest) }
            current = try value(at: name, of: current, depth: 0)
        }
        return current
    }

    private func value(
        at name: Substring, of object: ManagedValue, depth: Int
    ) throws(FetchError) -> ManagedValue {
        if let elements = object.elements {
            if depth == Self.maximumDepth {
                throw FetchError(
                    .invalidKeyPath,
                    """
                    "\(keyPath)": The data contains lists nested more than \(Self.maximumDepth) levels deep. Flatten \
                    them.
                    """,
                    keyPath: keyPath)
            }
            var values: [ManagedValue] = []
            for element in elements {
                // Lists within a list are flattened into one.
                let value = try value(at: name, of: element, depth: depth + 1)
                if let inner = value.elements { values += inner } else { values.append(value) }
            }
            return .list(values)
        }
        switch object {
        case .dictionary(let values): return values[String(name)] ?? .null
        case .null: return .null
        case .string(let text) where name == "length": return .int(Int64(text.count))
        default:
            throw FetchError(
                .unknownKey, "\"\(keyPath)\": \(object.kind) has no key \"\(name)\".", keyPath: keyPath)
        }
    }

    private func aggregate(
        _ name: Substring, about collection: ManagedValue, rest: ArraySlice<Substring>
    ) throws(FetchError) -> ManagedValue {
        if collection.isNull { return .null }
        guard let elements = collection.elements else {
            throw FetchError(
                .invalidKeyPath, "\"\(keyPath)\": \(name) must follow a list, not \(collection.kind).", keyPath: keyPath
            )
        }
        if name == "@count", rest.isEmpty { return .int(Int64(elements.count)) }
        guard let function = PathResolver.collectionOperators[name] else {
            throw FetchError(
                .invalidKeyPath,
                name == "@count"
                    ? "\"\(keyPath)\": @count ends a key path. Remove the keys that follow it."
                    : "\"\(keyPath)\": There is no operator \(name). Use @count, @sum, @avg, @min or @max.",
                keyPath: keyPath)
        }
        var accumulator = AggregateAccumulator(function)
        let isOrdering = function == .minimum || function == .maximum
        for element in elements {
            let value = try value(of: element, rest)
            guard let kind = value.isNull ? .integer : ValueKind(value),
                isOrdering ? kind.isOrdered : kind.isNumeric
            else {
                throw FetchError(
                    .notComparable, "\"\(keyPath)\": \(name) cannot be applied to \(value.kind).", keyPath: keyPath)
            }
            accumulator.add(value)
        }
        return accumulator.operatorValue
    }
}
