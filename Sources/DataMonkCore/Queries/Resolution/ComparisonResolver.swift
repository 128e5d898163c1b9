/// **Value.** Resolves one comparison of two resolved sides: puts the path on the left, checks kinds, coerces constants,
/// and turns the modifier into a quantifier.
struct ComparisonResolver {
    let entity: Entity
    /// The comparison as it appears in the request.
    let source: Condition.Comparison

    private typealias Quantifier = ResolvedComparison.Quantifier

    func resolve(
        _ left: ResolvedExpression, against right: ResolvedExpression
    ) throws(FetchError) -> ResolvedCondition {
        // Of a value in JSON, these look at the elements.
        let left = source.modifier == .direct ? left : left.elementwise
        let right = source.operation == .isIn ? right.elementwise : right
        if source.operation == .isIn, source.modifier == .direct, right.isText {
            // `part IN text` means `text CONTAINS part`.
            var mirrored = source
            (mirrored.left, mirrored.operation, mirrored.right) = (source.right, .contains, source.left)
            return try ComparisonResolver(entity: entity, source: mirrored).resolve(right, against: left)
        }
        switch (left, right) {
        case (.constant(let one), .constant(let other)):
            return .constant(try compareConstants(one, other))
        case (.constant(let value), _) where !source.operation.isTextual:
            return try constantFirst(value, against: right)
        case (.constant(let value), _):
            guard case .list(let values) = value, source.operation == .contains else { break }
            return try quantified(right, by: source.modifier) { quantifier throws(FetchError) in
                try compare(right, by: .isIn, with: .constant(.list(values)), quantifier: quantifier)
            }
        default: break
        }
        if source.operation == .isIn, right.isCollection {
            return try compare(right, by: .equal, with: left, quantifier: .any)
        }
        if source.operation == .contains, left.isJSON, source.modifier == .direct {
            return try contains(right, in: left)
        }
        if source.operation == .contains, left.isCollection, source.modifier == .direct {
            return try compare(left, by: .equal, with: right, quantifier: .any)
        }
        guard !right.isCollection else { throw collectionOnTheRight }
        return try quantified(left, by: source.modifier) { quantifier throws(FetchError) in
            try compare(left, by: source.operation, with: right, quantifier: quantifier)
        }
    }

    /// A value in JSON contains its elements and, if it is a text, its parts.
    private func contains(
        _ right: ResolvedExpression, in left: ResolvedExpression
    ) throws(FetchError) -> ResolvedCondition {
        let element = try compare(left.elementwise, by: .equal, with: right, quantifier: .any)
        guard right.isText, !left.isCollection else { return element }
        return .or([element, try compare(left, by: .contains, with: right, quantifier: .direct)])
    }

    /// Rewrites `18 < age` as `age > 18`, and `object IN friends` as `ANY friends == object`.
    private func constantFirst(
        _ value: ManagedValue, against right: ResolvedExpression
    ) throws(FetchError) -> ResolvedCondition {
        guard source.modifier == .direct else { throw modifierNeedsKeyPath }
        if source.operation == .isIn, right.isCollection {
            return try compare(right, by: .equal, with: .constant(value), quantifier: .any)
        }
        guard let operation = source.operation.mirrored, !right.isCollection else {
            throw FetchError(
                .unsupportedCondition,
                "A constant cannot be the left operand of \(source.operation.symbol). Put the key path on the left.",
                entityName: entity.name)
        }
        return try compare(right, by: operation, with: .constant(value), quantifier: .direct)
    }

    /// Applies the modifier. ANY and ALL of a single value mean the comparison itself.
    private func quantified(
        _ subject: ResolvedExpression, by modifier: Condition.Comparison.Modifier,
        compare: (Quantifier) throws(FetchError) -> ResolvedCondition
    ) throws(FetchError) -> ResolvedCondition {
        switch modifier {
        case .direct:
            guard !subject.isCollection else { throw needsModifier }
            return try compare(.direct)
        case .any: return try compare(subject.isCollection ? .any : .direct)
        case .all: return try compare(subject.isCollection ? .all : .direct)
        case .none: return .not(try compare(subject.isCollection ? .any : .direct))
        }
    }

    private func compare(
        _ left: ResolvedExpression, by operation: Condition.Comparison.Operator, with right: ResolvedExpression,
        quantifier: Quantifier
    ) throws(FetchError) -> ResolvedCondition {
        if case .path(let path) = left, case .object = path.kind {
            return .identity(try identity(of: path, by: operation, with: right, quantifier: quantifier))
        }
        if case .path(let path) = right, case .object = path.kind {
            throw mismatch(of: left, with: path.kind.name)
        }
        let (left, right) = try wanting(left, by: operation, with: right)
        try checkOptions(of: left, and: right)
        let checked: ResolvedExpression
        if case .constant(let value) = right, let kind = left.kind {
            checked = .constant(try constant(value, by: operation, against: left, of: kind))
        } else {
            try checkKinds(of: left, by: operation, with: right)
            checked = right
        }
        return .comparison(
            ResolvedComparison(
                left: left, operation: operation, right: checked, quantifier: quantifier, options: source.options))
    }
}

extension ComparisonResolver {
    /// Lets values in JSON be of the type of the other side.
    private func wanting(
        _ left: ResolvedExpression, by operation: Condition.Comparison.Operator, with right: ResolvedExpression
    ) throws(FetchError) -> (ResolvedExpression, ResolvedExpression) {
        switch (left.isJSON, right) {
        case (true, .constant(.null)):
            guard operation == .equal || operation == .notEqual else {
                throw notComparable(left, of: .json, by: operation)
            }
            // The whole has no value if the attribute has none, whatever its text.
            return (left.stored, right)
        case (true, .constant(let value)):
            guard let constant = value.inJSON else { throw mismatch(of: left, with: value.kind) }
            return (left.wanting(constant.kind), .constant(constant.value))
        case (true, _):
            guard let kind = right.kind?.inJSON else { throw mismatch(of: left, with: right.kind?.name ?? "nil") }
            return (left.wanting(kind), right)
        case (false, _):
            guard right.isJSON else { return (left, right) }
            let kind = left.kind ?? left.constant.flatMap { ValueKind($0) }
            guard let kind = kind?.inJSON else { throw mismatch(of: right, with: kind?.name ?? "nil") }
            return (left, right.wanting(kind))
        }
    }

    private func constant(
        _ value: ManagedValue, by operation: Condition.Comparison.Operator, against left: ResolvedExpression,
        of kind: ValueKind
    ) throws(FetchError) -> ManagedValue {
        if kind == .opaque, !(value.isNull && (operation == .equal || operation == .notEqual)) {
            throw notComparable(left, of: kind, by: operation)
        }
        if operation.isOrdering, !kind.isOrdered { throw notComparable(left, of: kind, by: operation) }
        switch operation {
        case .isIn: return .list(try list(value, against: left, of: kind))
        case .between:
            let bounds = try list(value, against: left, of: kind)
            guard bounds.count == 2, !bounds.contains(.null) else {
                throw FetchError(
                    .invalidRequest, "BETWEEN requires exactly two bounds, neither of which is nil.",
                    entityName: entity.name,
                    keyPath: name(of: left))
            }
            return .list(bounds)
        case .contains, .beginsWith, .endsWith, .like, .matches, .containsWords:
            guard kind.takes(operation) else { throw notComparable(left, of: kind, by: operation) }
            let textual = kind == .data ? kind : .string
            guard let text = textual.coerce(value) else { throw mismatch(of: left, with: value.kind) }
            if operation == .matches, case .string(let pattern) = text { try RegularExpression.check(pattern) }
            return text
        default: return try coerced(value, against: left, to: kind)
        }
    }

    private func coerced(
        _ value: ManagedValue, against left: ResolvedExpression, to kind: ValueKind
    ) throws(FetchError) -> ManagedValue {
        if value.isNotANumber { throw mismatch(of: left, with: "NaN, which is not equal to any number,") }
        guard let coerced = kind.coerce(value) else { throw mismatch(of: left, with: value.kind) }
        return coerced
    }

    private func list(
        _ value: ManagedValue, against left: ResolvedExpression, of kind: ValueKind
    ) throws(FetchError) -> [ManagedValue] {
        guard case .list(let values) = value else {
            throw FetchError(
                .typeMismatch, "\(source.operation.symbol) requires a list, not \(value.kind).",
                entityName: entity.name,
                keyPath: name(of: left))
        }
        var coerced: [ManagedValue] = []
        coerced.reserveCapacity(values.count)
        for value in values {
            // Decimals are often given as text. Text is not a number, so it equals none.
            if kind == .decimal, source.operation == .isIn, case .string = value { continue }
            coerced.append(try self.coerced(value, against: left, to: kind))
        }
        return coerced
    }

    private func checkKinds(
        of left: ResolvedExpression, by operation: Condition.Comparison.Operator, with right: ResolvedExpression
    ) throws(FetchError) {
        // The right side is not a constant here; the left one may be, before a textual operator.
        guard let rightKind = right.kind else { return }
        // Only a textual operator can have a constant on the left.
        let leftKind = left.kind ?? left.constant.flatMap { ValueKind($0) } ?? rightKind
        if operation.isTextual {
            for (side, kind) in [(left, leftKind), (right, rightKind)] where !kind.takes(operation) {
                throw notComparable(side, of: kind, by: operation)
            }
            guard leftKind.isComparable(with: rightKind) else { throw mismatch(of: left, with: rightKind.name) }
            return
        }
        guard operation != .isIn, operation != .between else {
            throw FetchError(
                .unsupportedCondition, "\(operation.symbol) requires a list of constants on its right.",
                entityName: entity.name, keyPath: name(of: right))
        }
        guard leftKind.isComparable(with: rightKind) else { throw mismatch(of: left, with: rightKind.name) }
        if operation.isOrdering, !leftKind.isOrdered { throw notComparable(left, of: leftKind, by: operation) }
    }

    private func checkOptions(of left: ResolvedExpression, and right: ResolvedExpression) throws(FetchError) {
        guard !source.options.isEmpty else { return }
        for side in [left, right] {
            guard let kind = side.kind, kind != .string, kind != .dynamic, kind != .data else { continue }
            throw FetchError(
                .notComparable,
                "[c] and [d] can only be used with text and data, but \(describe(side)) is \(kind.name).",
                entityName: entity.name,
                keyPath: name(of: side))
        }
    }

    private func compareConstants(_ left: ManagedValue, _ right: ManagedValue) throws(FetchError) -> Bool {
        guard source.modifier == .direct else { throw modifierNeedsKeyPath }
        return try ValueComparison.compare(left, by: source.operation, with: right, options: source.options)
    }
}

extension ComparisonResolver {
    private func identity(
        of path: ResolvedPath, by operation: Condition.Comparison.Operator, with right: ResolvedExpression,
        quantifier: Quantifier
    ) throws(FetchError) -> ResolvedIdentity {
        guard operation == .equal || operation == .notEqual || operation == .isIn else {
            throw notComparable(.path(path), of: path.kind, by: operation)
        }
        let other: ResolvedIdentity.Other
        switch right {
        case .path(let otherPath):
            guard operation != .isIn, path.kind.isComparable(with: otherPath.kind) else {
                throw mismatch(of: .path(path), with: otherPath.kind.name)
            }
            other = .path(otherPath)
        case .constant(.list(let values)) where operation == .isIn:
            other = .keys(try values.map { value throws(FetchError) in try key(value, for: path) })
        case .constant(let value) where operation != .isIn:
            other = .keys([try key(value, for: path)])
        default:
            throw mismatch(of: .path(path), with: right.kind?.name ?? "a single object, because IN requires a list")
        }
        return ResolvedIdentity(path: path, isNegated: operation == .notEqual, other: other, quantifier: quantifier)
    }

    private func key(_ value: ManagedValue, for path: ResolvedPath) throws(FetchError) -> ObjectKey? {
        switch value {
        case .null: return nil
        case .object(let id):
            guard case .object(let expected) = path.kind else { return nil }
            let entities = id.directory.model.entities
            guard id.key.entityIndex < entities.count, entities[id.key.entityIndex].root === expected.root else {
                throw mismatch(of: .path(path), with: "a \(id.entityName)")
            }
            return id.key
        default: throw mismatch(of: .path(path), with: value.kind)
        }
    }
}

extension ComparisonResolver {
    private var needsModifier: FetchError {
        FetchError(
            .invalidKeyPath,
            "\(describe(source.left)) leads to many values. Use `.any` or `.all`, or count them with @count.",
            entityName: entity.name, keyPath: name(of: source.left))
    }

    private var modifierNeedsKeyPath: FetchError {
        FetchError(
            .unsupportedCondition, "ANY, ALL and NONE require a key path on the left.", entityName: entity.name)
    }

    private var collectionOnTheRight: FetchError {
        FetchError(
            .invalidKeyPath,
            """
            \(describe(source.right)) leads to many values, so it cannot be the right operand of \
            \(source.operation.symbol). Put it on the left, with `.any` or `.all`.
            """,
            entityName: entity.name, keyPath: name(of: source.right))
    }

    private func mismatch(of left: ResolvedExpression, with other: String) -> FetchError {
        let kind = left.kind?.name ?? "a constant"
        return FetchError(
            .typeMismatch,
            "\(describe(left)) is \(kind), so it cannot be compared with \(other) by \(source.operation.symbol).",
            entityName: entity.name, keyPath: name(of: left))
    }

    private func notComparable(
        _ side: ResolvedExpression, of kind: ValueKind, by operation: Condition.Comparison.Operator
    ) -> FetchError {
        FetchError(
            .notComparable, "\(describe(side)) is \(kind.name), which \(operation.symbol) cannot compare.",
            entityName: entity.name, keyPath: name(of: side))
    }

    /// Returns the side as the request spells it: `Person.age`.
    private func describe(_ expression: ConditionExpression) -> String {
        switch expression {
        case .keyPath(let keyPath): "\(entity.name).\(keyPath)"
        case .object: "The \(entity.name) itself"
        case .value(let value): "The constant, \(value.kind),"
        default: "`\(expression.outline)`"
        }
    }

    private func describe(_ side: ResolvedExpression) -> String {
        guard let keyPath = name(of: side) else { return "The \(entity.name) itself" }
        return "\(entity.name).\(keyPath)"
    }

    private func name(of expression: ConditionExpression) -> String? {
        if case .keyPath(let keyPath) = expression { keyPath } else { nil }
    }

    private func name(of side: ResolvedExpression) -> String? {
        switch side {
        case .path(let path): path.name
        default: name(of: source.left) ?? name(of: source.right)
        }
    }
}

extension ResolvedExpression {
    fileprivate var constant: ManagedValue? { if case .constant(let value) = self { value } else { nil } }

    fileprivate var isText: Bool {
        if case .constant(.string) = self { true } else { kind == .string && !isCollection }
    }
}

extension ValueKind {
    /// Returns `true` if a textual operator applies to values of the kind.
    fileprivate func takes(_ operation: Condition.Comparison.Operator) -> Bool {
        switch self {
        case .string, .dynamic: true
        case .data: operation != .matches && operation != .containsWords
        default: false
        }
    }
}
