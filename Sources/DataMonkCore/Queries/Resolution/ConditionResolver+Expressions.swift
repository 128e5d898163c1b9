extension ConditionResolver {
    /// Resolves an expression to one over properties. A constant stays as it is.
    func resolve(_ expression: ConditionExpression) throws(FetchError) -> ResolvedExpression {
        try parts.add(of: entity)
        switch expression {
        // The most common cases first: nothing is nested in them.
        case .value(let value): return .constant(value)
        case .object:
            let path = ResolvedPath(entity: entity, steps: [], terminal: .object)
            // A group has no object of its own, unless it is a group of that object.
            return try columns?.resolve(path, name: "SELF") ?? .path(path)
        case .keyPath(let keyPath):
            if let columns { return try columns.resolve(keyPath) }
            if let aggregates, let aggregate = try expression.fetchedAggregate(of: entity) {
                return try aggregates.expression(aggregate)
            }
            return try path(keyPath, from: entity, start: .object)
        case .variable(let name):
            let (entity, start) = try variable(name)
            return .path(ResolvedPath(entity: entity, steps: [], terminal: .object, start: start))
        case .path(.variable(let name), let keyPath):
            let (entity, start) = try variable(name)
            return try path(keyPath, from: entity, start: start)
        default: return try deeper().resolveNested(expression)
        }
    }

    private func resolveNested(_ expression: ConditionExpression) throws(FetchError) -> ResolvedExpression {
        switch expression {
        case .path(.subquery(let collection, let variable, let condition), let keyPath):
            return try subquery(collection, variable: variable, satisfying: condition, keyPath: keyPath)
        case .path(.element(let element, let collection), let keyPath):
            let start = try self.element(element, of: collection, source: expression)
            return try path(keyPath, from: start.member, start: .element(start.element))
        case .path(let start, "length"):
            return try calculation(.length, arguments: [start], source: expression)
        case .function(let function, let arguments):
            return try self.function(function, arguments: arguments, source: expression)
        case .element(.size, let collection):
            return try resolve(.path(collection, "@count").joined)
        case .element(let element, let collection):
            let start = try self.element(element, of: collection, source: expression)
            return .path(
                ResolvedPath(entity: start.member, steps: [], terminal: .object, start: .element(start.element)))
        case .conditional(let condition, let first, let second):
            return try conditional(condition, then: first, else: second, source: expression)
        default: throw unsupported(expression)
        }
    }

    // MARK: Elements

    /// Returns one object of an ordered collection, and its entity.
    private func element(
        _ element: ConditionExpression.Element, of collection: ConditionExpression, source: ConditionExpression
    ) throws(FetchError) -> (element: ResolvedElement, member: Entity) {
        guard columns == nil, case .path(let path) = try resolve(collection), case .object(let member) = path.kind,
            let last = path.steps.last, last.isOrdered, path.steps.dropLast().allSatisfy({ !$0.isToMany })
        else {
            if let constant = source.constantStart { throw startsAtConstant(constant) }
            throw FetchError(
                .unsupportedCondition,
                "`\(source.outline)` requires an ordered to-many relationship, but `\(collection.outline)` is not one.",
                entityName: entity.name)
        }
        return (ResolvedElement(collection: path, place: try place(of: element, source: source)), member)
    }

    private func place(
        of element: ConditionExpression.Element, source: ConditionExpression
    ) throws(FetchError) -> ResolvedElement.Place {
        switch element {
        case .first: return .first
        case .last: return .last
        case .at(let index):
            if case .constant(.int(let index)) = try resolve(index), let position = Int(exactly: index), position >= 0 {
                return .at(position)
            }
        case .size: break
        }
        throw FetchError(
            .unsupportedCondition, "The index in `\(source.outline)` must be an integer that is not negative.",
            entityName: entity.name)
    }

    /// Resolves a path. `length` after a text is a function of it.
    private func path(
        _ keyPath: String, from entity: Entity, start: ResolvedPath.Start
    ) throws(FetchError) -> ResolvedExpression {
        let resolver = PathResolver(entity: entity, start: start)
        if keyPath.hasSuffix(".length") {
            let path = try resolver.resolve(String(keyPath.dropLast(".length".count)))
            if isForStore { try path.refuseTransient(keyPath, from: entity) }
            if path.kind == .string, !path.isCollection {
                return .calculation(ResolvedCalculation(function: .length, operands: [.path(path)], kind: .integer))
            }
        }
        let path = try resolver.resolve(keyPath)
        if isForStore { try path.refuseTransient(keyPath, from: entity) }
        return .path(path)
    }

    private func variable(_ name: String) throws(FetchError) -> (Entity, ResolvedPath.Start) {
        guard let depth = variables.lastIndex(where: { $0.name == name }) else {
            throw FetchError(
                .unsupportedCondition, "The variable $\(name) has no value. Substitute one before the fetch.",
                entityName: entity.name)
        }
        return (variables[depth].entity, .variable(depth))
    }

    // MARK: Subqueries

    private func subquery(
        _ collection: ConditionExpression, variable name: String, satisfying condition: Condition, keyPath: String
    ) throws(FetchError) -> ResolvedExpression {
        guard columns == nil, case .path(let path) = try resolve(collection), case .object(let member) = path.kind,
            path.isCollection
        else {
            throw FetchError(
                .unsupportedCondition,
                "SUBQUERY requires a to-many relationship, but `\(collection.outline)` is not one.",
                entityName: entity.name)
        }
        var inner = self
        inner.aggregates = nil
        inner.variables.append(Variable(name: name, entity: member))
        let resolved = try inner.resolve(condition)
        let (aggregate, value) = try inner.aggregate(keyPath, of: member)
        return .subquery(
            ResolvedSubquery(
                collection: path, depth: variables.count, condition: resolved, aggregate: aggregate, value: value,
                kind: value.map { aggregate.collectionKind(of: $0.kind) } ?? .integer))
    }

    /// Returns the aggregate for a collection operator after a subquery.
    private func aggregate(
        _ keyPath: String, of member: Entity
    ) throws(FetchError) -> (FetchRequest.Selection.Function, ResolvedPath?) {
        if keyPath == "@count" { return (.count, nil) }
        let names = keyPath.split(separator: ".", maxSplits: 1)
        guard let name = names.first, let aggregate = PathResolver.collectionOperators[name], names.count == 2 else {
            throw FetchError(
                .unsupportedCondition,
                """
                SUBQUERY(…) must be followed by @count, or by @sum, @avg, @min or @max with a key. To compare each \
                object's value, write ANY, ALL or NONE before it.
                """,
                entityName: entity.name, keyPath: keyPath)
        }
        let value = try PathResolver(entity: member, start: .member).resolve(String(names[1]))
        let isLegal = aggregate == .minimum || aggregate == .maximum ? value.kind.isOrdered : value.kind.isNumeric
        guard !value.isCollection, isLegal, value.attribute != nil else {
            throw FetchError(
                .notComparable, "\(name) cannot be computed for \(member.name).\(names[1]).", entityName: entity.name,
                keyPath: keyPath)
        }
        return (aggregate, value)
    }

    // MARK: Functions

    private func function(
        _ function: ConditionExpression.Function, arguments: [ConditionExpression], source: ConditionExpression
    ) throws(FetchError) -> ResolvedExpression {
        if function == .now { return .constant(Calculation.now) }
        guard function.aggregate != nil else { return try calculation(function, arguments: arguments, source: source) }
        if let aggregates, let aggregate = try source.fetchedAggregate(of: entity) {
            return try aggregates.expression(aggregate)
        }
        switch arguments.first {
        case .list(let elements): return try calculation(function, arguments: elements, source: source)
        case .value(.list(let values)):
            return try calculation(function, arguments: values.map { .value($0) }, source: source)
        case .keyPath(let keyPath)? where columns == nil:
            guard let name = function.collectionOperator else { throw unsupported(source) }
            let collection = try PathResolver(entity: entity).resolve(keyPath)
            guard collection.isCollection else { throw FetchError.fetchedAggregate(source.outline, of: entity) }
            guard let attribute = collection.attribute else { return try resolve(.keyPath("\(keyPath).@count")) }
            let path = keyPath.dropLast(attribute.name.count)
            return try resolve(.keyPath(name == "@count" ? "\(path)@count" : "\(path)\(name).\(attribute.name)"))
        case .object?, .function?, .conditional?: throw FetchError.fetchedAggregate(source.outline, of: entity)
        default: throw unsupported(source)
        }
    }

    private func calculation(
        _ function: ConditionExpression.Function, arguments: [ConditionExpression], source: ConditionExpression
    ) throws(FetchError) -> ResolvedExpression {
        var operands: [ResolvedExpression] = []
        var kinds: [ValueKind?] = []
        for argument in arguments {
            let operand = try resolve(argument)
            guard !operand.isCollection else {
                throw FetchError(
                    .invalidKeyPath,
                    "`\(argument.outline)` leads to many values, but `\(source.outline)` requires a single one.",
                    entityName: entity.name)
            }
            operands.append(operand)
            kinds.append(operand.kind ?? ValueKind(constant: operand))
        }
        guard let kind = function.kind(of: kinds) else {
            throw FetchError(
                .notComparable,
                "`\(source.outline)` cannot be computed: \(function.rawValue) does not accept "
                    + kinds.map { $0?.name ?? "nil" }.joined(separator: " and ") + ".",
                entityName: entity.name)
        }
        let constants = operands.compactMap { operand in
            if case .constant(let value) = operand { value } else { nil }
        }
        if constants.count == operands.count { return .constant(Calculation.value(of: function, constants)) }
        return .calculation(ResolvedCalculation(function: function, operands: operands, kind: kind))
    }

    private func conditional(
        _ condition: Condition, then first: ConditionExpression, else second: ConditionExpression,
        source: ConditionExpression
    ) throws(FetchError) -> ResolvedExpression {
        let test = try resolve(condition)
        let (one, other) = (try resolve(first), try resolve(second))
        if case .constant(let isTrue) = test { return isTrue ? one : other }
        let kinds = [one, other].compactMap { $0.kind ?? ValueKind(constant: $0) }
        guard let kind = kinds.first, kinds.allSatisfy({ $0.isComparable(with: kind) }), !one.isCollection,
            !other.isCollection, !kinds.contains(where: \.isObject)
        else { throw unsupported(source) }
        return .conditional(test, one, other, kinds.reduce(kind) { $0.common(with: $1) })
    }

    private func unsupported(_ expression: ConditionExpression) -> FetchError {
        if let constant = expression.constantStart { return startsAtConstant(constant) }
        return FetchError(
            .unsupportedCondition, "`\(expression.outline)` does not have a value that can be compared.",
            entityName: entity.name)
    }
}

extension ConditionResolver {
    private func startsAtConstant(_ constant: ManagedValue) -> FetchError {
        FetchError(
            .unsupportedCondition,
            """
            A constant, \(constant.kind), has no keys, elements or operators such as @count. Start at a key of \
            \(entity.name), or compute the value before the fetch.
            """, entityName: entity.name)
    }
}

extension ConditionExpression {
    /// The constant at which a path or an element starts, or `nil` if it starts elsewhere.
    fileprivate var constantStart: ManagedValue? {
        switch self {
        case .path(.value(let value), _), .element(_, of: .value(let value)): value
        case .path(let start, _), .element(_, of: let start): start.constantStart
        default: nil
        }
    }

    /// The expression with a path after a path joined into one.
    var joined: ConditionExpression {
        switch self {
        case .path(.keyPath(let start), let keyPath): .keyPath("\(start).\(keyPath)")
        case .path(.path(let start, let first), let second): .path(start, "\(first).\(second)")
        default: self
        }
    }
}

extension ConditionExpression.Function {
    /// The equivalent collection operator of a path, or `nil` if there is none.
    fileprivate var collectionOperator: String? {
        switch self {
        case .count: "@count"
        case .sum: "@sum"
        case .average: "@avg"
        case .minimum: "@min"
        case .maximum: "@max"
        default: nil
        }
    }

    /// Returns the kind of the function's result, or `nil` if it does not accept such operands. A `nil` operand fits every
    /// kind.
    func kind(of operands: [ValueKind?]) -> ValueKind? {
        let known = operands.compactMap(\.self)
        if let aggregate {
            let isLegal =
                aggregate == .minimum || aggregate == .maximum
                ? known.allSatisfy(\.isOrdered) : known.allSatisfy(\.isNumeric)
            guard aggregate == .count || isLegal, let first = known.first else {
                return aggregate == .count ? .integer : nil
            }
            guard known.allSatisfy({ $0.isComparable(with: first) }) else { return nil }
            return aggregate.collectionKind(of: known.reduce(first) { $0.common(with: $1) })
        }
        if known.contains(.dynamic) { return .dynamic }
        switch self {
        case .uppercase, .lowercase, .canonical: return known.allSatisfy { $0 == .string } ? .string : nil
        case .length: return known.allSatisfy { $0 == .string } ? .integer : nil
        case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft, .shiftRight, .onesComplement:
            return known.allSatisfy { $0 == .integer || $0 == .boolean } ? .integer : nil
        case .squareRoot, .logarithm, .naturalLogarithm, .exponential:
            return known.allSatisfy(\.isNumeric) ? .floating(isSingle: false) : nil
        case .add, .subtract:
            if known.contains(.date) { return dateKind(of: operands) }
        default: break
        }
        guard known.allSatisfy(\.isNumeric) else { return nil }
        return known.reduce(.integer) { $0.common(with: $1) }
    }

    /// Returns the kind of a calculation with dates: a date moved by seconds is a date, and the difference of two dates is
    /// in seconds.
    private func dateKind(of operands: [ValueKind?]) -> ValueKind? {
        switch (operands[0], operands[1]) {
        case (.date?, .date?): self == .subtract ? .floating(isSingle: false) : nil
        case (.date?, let other): other.map(\.isNumeric) ?? true ? .date : nil
        case (let other, .date?): self == .add && other.map(\.isNumeric) ?? true ? .date : nil
        default: nil
        }
    }
}

extension ValueKind {
    /// Returns the kind of a constant, or `nil` if the constant is `nil`.
    fileprivate init?(constant: ResolvedExpression) {
        guard case .constant(let value) = constant else { return nil }
        self.init(value)
    }

    /// Returns the kind of a value, or `nil` if the value is `nil`.
    init?(_ value: ManagedValue) {
        switch value {
        case .null: return nil
        case .bool: self = .boolean
        case .int: self = .integer
        case .double: self = .floating(isSingle: false)
        case .decimal: self = .decimal
        case .string: self = .string
        case .date: self = .date
        case .data: self = .data
        case .uuid: self = .uuid
        case .url: self = .url
        case .object, .list, .dictionary: self = .opaque
        }
    }

    /// Returns the kind that holds values of both kinds, which must both be numbers, or the same.
    fileprivate func common(with other: ValueKind) -> ValueKind {
        switch (self, other) {
        case (.dynamic, _), (_, .dynamic): .dynamic
        case (.floating, _), (_, .floating): isNumeric ? .floating(isSingle: false) : self
        case (.decimal, _), (_, .decimal): isNumeric ? .decimal : self
        case (.boolean, .integer): .integer
        default: self
        }
    }
}
