/// **Value.** Finds the index that would serve a fetch: first the properties compared for equality, then either the
/// property restricted to a range or those that the results are grouped or sorted by.
struct IndexSuggestion {
    private let fetch: ResolvedFetch
    private var equal: [String] = []
    private var ranged: [String] = []

    /// Returns the index, or `nil` if none could serve the fetch or the entity already has it.
    static func index(for fetch: ResolvedFetch) -> FetchIndexDescription? {
        var suggestion = IndexSuggestion(fetch: fetch)
        if let condition = fetch.condition { suggestion.add(condition) }
        let elements = suggestion.elements
        if elements.isEmpty || fetch.entity.hasIndex(beginningWith: elements) { return nil }
        let names = elements.compactMap(\.propertyName).map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return FetchIndexDescription("by\(names.joined(separator: "And"))", on: elements)
    }

    private var elements: [FetchIndexElementDescription] {
        var elements = equal.map { FetchIndexElementDescription(.property($0)) }
        func append(_ name: String, isAscending: Bool = true) {
            if elements.contains(where: { $0.propertyName == name }) { return }
            elements.append(FetchIndexElementDescription(.property(name), isAscending: isAscending))
        }
        let order = order
        // After a range an index provides no order, unless the order begins with the ranged property.
        if let range = ranged.first, order.first?.name != range {
            append(range)
            return elements
        }
        for term in order { append(term.name, isAscending: term.isAscending) }
        return elements
    }

    /// The properties that the results are grouped by, or else sorted by. Sort terms from the first one that no index can
    /// order are left out.
    private var order: [(name: String, isAscending: Bool)] {
        if !fetch.groups.isEmpty {
            let names = fetch.groups.map(\.indexableName)
            return names.contains(nil) ? [] : names.compactMap { name in name.map { ($0, true) } }
        }
        var order: [(String, Bool)] = []
        for term in fetch.sortTerms {
            guard term.comparator == .standard, let name = term.expression.path?.indexableName else { break }
            order.append((name, term.ascending))
        }
        // An index can be read in both directions.
        if let first = order.first, !first.1 { return order.map { ($0.0, !$0.1) } }
        return order
    }

    /// Adds the parts of a condition that must be true of every result.
    private mutating func add(_ condition: ResolvedCondition) {
        switch condition {
        case .and(let parts): for part in parts { add(part) }
        case .comparison(let comparison): add(comparison)
        case .identity(let identity):
            guard !identity.isNegated, identity.quantifier == .direct, case .keys = identity.other,
                let name = identity.path.indexableName
            else { return }
            note(name, in: \.equal)
        case .constant, .or, .not: return
        }
    }

    private mutating func add(_ comparison: ResolvedComparison) {
        guard comparison.quantifier == .direct, comparison.options.isEmpty,
            let name = comparison.left.path?.indexableName, case .constant = comparison.right
        else { return }
        switch comparison.operation {
        case .equal, .isIn: note(name, in: \.equal)
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .between, .beginsWith:
            note(name, in: \.ranged)
        case .notEqual, .contains, .endsWith, .like, .matches, .containsWords: return
        }
    }

    private mutating func note(_ name: String, in list: WritableKeyPath<IndexSuggestion, [String]>) {
        if !self[keyPath: list].contains(name) { self[keyPath: list].append(name) }
    }
}

extension ResolvedPath {
    /// The name of the path's property if it belongs to the fetched object and an index can hold it; otherwise `nil`.
    fileprivate var indexableName: String? {
        guard start == .object else { return nil }
        if steps.isEmpty, let attribute {
            return attribute.isTransient || attribute.position != nil || !kind.isOrdered ? nil : attribute.name
        }
        // The store has an index on each to-one; in an index with others, another one may serve.
        guard steps.count == 1, case .object = terminal, !steps[0].isToMany else { return nil }
        return steps[0].name
    }
}

extension Entity {
    fileprivate func hasIndex(beginningWith elements: [FetchIndexElementDescription]) -> Bool {
        var entity: Entity? = self
        while let current = entity {
            if current.description.indexes.contains(where: { $0.elements.starts(with: elements) }) { return true }
            entity = current.superentity
        }
        return false
    }
}
