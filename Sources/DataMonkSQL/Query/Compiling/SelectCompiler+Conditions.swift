import DataMonkCore

// Conditions as SQL: true where the condition is true, false or NULL where it is not.

extension SelectCompiler {
    /// Appends a condition.
    ///
    /// - Parameter isOperand: Whether the condition is an operand of AND, OR or a test, so that AND and OR inside it need
    ///   parentheses.
    mutating func append(
        _ condition: ResolvedCondition, to text: inout SQLText, isOperand: Bool
    ) throws(FetchError) {
        switch condition {
        case .constant(let isTrue): text.append(isTrue ? "1" : "0")
        case .comparison(let comparison): try append(comparison, to: &text)
        case .identity(let identity): try append(identity, to: &text)
        case .and(let parts): try append(parts[...], joinedBy: " AND ", to: &text, isOperand: isOperand)
        case .or(let parts): try append(parts[...], joinedBy: " OR ", to: &text, isOperand: isOperand)
        case .not(let inner):
            text.append("(")
            try inside(1) { compiler throws(FetchError) in try compiler.append(inner, to: &text, isOperand: false) }
            text.append(") IS NOT TRUE")
        }
    }

    /// SQLite counts each AND as a level of nesting and refuses a thousand of them. Long lists therefore become balanced
    /// trees.
    private static let maximumRun = 64

    private mutating func append(
        _ parts: ArraySlice<ResolvedCondition>, joinedBy operation: SQLFragment, to text: inout SQLText,
        isOperand: Bool
    ) throws(FetchError) {
        guard let first = parts.first else { return }
        if parts.count == 1 { return try append(first, to: &text, isOperand: isOperand) }
        if isOperand { text.append("(") }
        try inside(3) { compiler throws(FetchError) in try compiler.append(parts, joinedBy: operation, to: &text) }
        if isOperand { text.append(")") }
    }

    private mutating func append(
        _ parts: ArraySlice<ResolvedCondition>, joinedBy operation: SQLFragment, to text: inout SQLText
    ) throws(FetchError) {
        if parts.count <= Self.maximumRun {
            for (index, part) in parts.enumerated() {
                if index > 0 { text.append(operation) }
                try append(part, to: &text, isOperand: true)
            }
        } else {
            let middle = parts.startIndex + parts.count / 2
            try append(parts[..<middle], joinedBy: operation, to: &text, isOperand: true)
            text.append(operation)
            try append(parts[middle...], joinedBy: operation, to: &text, isOperand: true)
        }
    }

    private mutating func append(_ comparison: ResolvedComparison, to text: inout SQLText) throws(FetchError) {
        // EXISTS adds nine more.
        let words = comparison.quantifier == .direct ? 4 : 13
        try inside(words) { compiler throws(FetchError) in try compiler.append(compared: comparison, to: &text) }
    }

    private mutating func append(compared comparison: ResolvedComparison, to text: inout SQLText) throws(FetchError) {
        try refuseDynamic(comparison.left)
        try refuseDynamic(comparison.right)
        // Before a SELECT for the left side opens: the right side belongs to the enclosing one.
        let right: SQLText? =
            if case .constant = comparison.right { nil } else { try comparable(comparison.right) }
        guard comparison.quantifier != .direct, case .path(let path) = comparison.left else {
            let left: SQLText? = if case .constant = comparison.left { nil } else { try comparable(comparison.left) }
            return try append(comparison, left: left, right: right, to: &text)
        }
        if comparison.quantifier == .all { text.append("NOT ") }
        if let member = path.member, member.form == .elements {
            return try append(comparison, ofElementsOf: member, at: path, right: right, to: &text)
        }
        let isAlone = if right == nil { try startsAtValues(comparison, of: path) } else { false }
        try exists(path, isAlone: isAlone, to: &text) { compiler, value, inner throws(FetchError) in
            if comparison.quantifier == .any {
                try compiler.append(comparison, left: SQLText(compiled: value), right: right, to: &inner)
            } else {
                inner.append("(")
                try compiler.append(comparison, left: SQLText(compiled: value), right: right, to: &inner)
                inner.append(") IS NOT TRUE")
            }
        }
    }

    /// Returns `true` if the values that meet a comparison are found first, and then the objects that they belong to: if an
    /// index finds the values, or if the comparison is all that the fetch asks, so that each object would be looked at.
    ///
    /// Otherwise the values of an object are looked at when all else is known of it. A comparison that may throw does not
    /// look at the values of other objects.
    private func startsAtValues(_ comparison: ResolvedComparison, of path: ResolvedPath) throws(FetchError) -> Bool {
        if comparison.quantifier != .any { return false }
        // Many objects may have no value.
        if case .constant(.null) = comparison.right { return false }
        switch comparison.operation {
        case .equal where comparison.options.isEmpty, .isIn where comparison.options.isEmpty:
            if let attribute = path.attribute, try schema.isIndexed(attribute) { return true }
        case .containsWords:
            if let attribute = path.attribute, try schema.textIndex(of: attribute) != nil { return true }
        case .notEqual, .matches, .like: return false
        default: break
        }
        if case .comparison? = fetch.condition { return fetch.limit == nil }
        return false
    }

    private func refuseDynamic(_ expression: ResolvedExpression) throws(FetchError) {
        guard case .path(let path) = expression, path.kind == .dynamic, let attribute = path.attribute else { return }
        _ = try column(attribute)
    }

    private mutating func append(_ identity: ResolvedIdentity, to text: inout SQLText) throws(FetchError) {
        let other: String? = if case .path(let path) = identity.other { try column(path) } else { nil }
        guard identity.quantifier != .direct else {
            let key = try column(identity.path)
            append(identity, key: key, other: other, to: &text)
            return
        }
        if identity.quantifier == .all { text.append("NOT ") }
        // Keys are indexed.
        let isAlone =
            if case .keys(let keys) = identity.other, !keys.contains(nil) {
                identity.quantifier == .any && !identity.isNegated
            } else {
                false
            }
        try exists(identity.path, isAlone: isAlone, to: &text) { compiler, key, inner throws(FetchError) in
            if identity.quantifier == .any {
                compiler.append(identity, key: key, other: other, to: &inner)
            } else {
                inner.append("(")
                compiler.append(identity, key: key, other: other, to: &inner)
                inner.append(") IS NOT TRUE")
            }
        }
    }

    private func append(_ identity: ResolvedIdentity, key: String, other: String?, to text: inout SQLText) {
        if let other {
            text.append(compiled: identity.isNegated ? "\(key) IS NOT \(other)" : "\(key) IS \(other)")
            return
        }
        guard case .keys(let keys) = identity.other else { return }
        guard keys.count == 1, let single = keys.first else {
            return append(
                oneOf: keys.map { $0.map { binding($0) } ?? .null }, SQLText(compiled: key), collation: "", to: &text)
        }
        text.append(compiled: key)
        switch (single, identity.isNegated) {
        case (nil, false): text.append(" IS NULL")
        case (nil, true): text.append(" IS NOT NULL")
        case (let single?, let isNegated):
            text.append(isNegated ? " IS NOT " : " = ")
            text.bind(binding(single))
        }
    }

    /// Returns the primary key of an object or, for an object of another store, a number that is not a key.
    private func binding(_ key: ObjectKey) -> SQLBinding {
        .integer(key.storeIndex == storeIndex ? key.primaryKey : -1)
    }
}
