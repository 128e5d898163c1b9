/// **Value.** The values of single objects from which `RowComposer` makes rows.
protocol RowParts {
    /// One object, or several with the same values.
    associatedtype Member

    /// Returns the number of objects that a member stands for.
    func weight(of member: Member) -> Int
    /// Returns the value of a selection's expression, as its column shows it.
    func column(_ position: Int, of member: Member) throws(FetchError) -> ManagedValue
    /// Returns the value of a selection's expression, as its aggregate takes it.
    func operand(_ position: Int, of member: Member) throws(FetchError) -> ManagedValue
    /// Returns the value of one of the paths by which the fetch groups.
    func group(_ position: Int, of member: Member) -> ManagedValue
    /// Returns the value of a sort term that is a path.
    func sortKey(_ position: Int, at path: ResolvedPath, of member: Member) -> ManagedValue
}

/// **Confined.** The values of objects that are read one by one.
struct ReaderParts<Reader: PropertyReader>: RowParts {
    let fetch: ResolvedFetch
    /// Creates the ids of objects in columns.
    let makeID: (ObjectKey) -> AnyObjectID

    func weight(of reader: Reader) -> Int { 1 }

    func column(_ position: Int, of reader: Reader) throws(FetchError) -> ManagedValue {
        let selection = fetch.selections[position]
        let value = try value(of: selection.expression, of: reader)
        return selection.isAttribute ? value : selection.kind.column(value)
    }

    func operand(_ position: Int, of reader: Reader) throws(FetchError) -> ManagedValue {
        let selection = fetch.selections[position]
        let value = try value(of: selection.expression, of: reader)
        // Calculated values are already in storage form.
        return selection.isAttribute ? value : selection.expression.operandKind.operand(value)
    }

    func group(_ position: Int, of reader: Reader) -> ManagedValue { value(at: fetch.groups[position], of: reader) }

    func sortKey(_ position: Int, at path: ResolvedPath, of reader: Reader) -> ManagedValue {
        value(at: path, of: reader)
    }

    private func value(of expression: ResolvedExpression, of reader: Reader) throws(FetchError) -> ManagedValue {
        if case .path(let path) = expression { return value(at: path, of: reader) }
        return try expression.value(in: EvaluationScope(reader))
    }

    private func value(at path: ResolvedPath, of reader: Reader) -> ManagedValue {
        let scope = EvaluationScope(reader)
        guard case .object = path.terminal else { return scope.value(at: path) }
        return scope.key(at: path).map { .object(makeID($0)) } ?? .null
    }
}

@available(*, unavailable)
extension ReaderParts: Sendable {}

extension ResolvedSelection {
    /// A Boolean value indicating whether the values are an attribute's own, and not calculated.
    fileprivate var isAttribute: Bool { path?.attribute != nil }
}
