/// **Confined.** Resolves a batch update into the form that stores execute, or throws if it is invalid.
struct BatchUpdateResolver {
    let request: BatchUpdateRequest
    let model: ManagedObjectModel
    /// Validates constants, and holds them.
    let rows: BatchRowMaker

    /// Returns one update for each group of entities that derive the same attributes from their own values.
    func resolve() throws -> [ResolvedBatchUpdate] {
        let entity = rows.layout.entity
        let groups: [(entity: Entity, withSubentities: Bool)]
        let family = request.includesSubentities ? entity.family : [entity]
        let derivations = family.map { rows.layout(of: $0).ownDerivations.count }
        if derivations.allSatisfy({ $0 == derivations.first }) {
            groups = [(entity, request.includesSubentities)]
        } else {
            groups = family.filter { !$0.isAbstract }.map { ($0, false) }
        }
        return try groups.map { try resolve($0.entity, withSubentities: $0.withSubentities) }
    }

    private func resolve(_ entity: Entity, withSubentities: Bool) throws -> ResolvedBatchUpdate {
        var fetchRequest = FetchRequest(entityName: entity.name, condition: request.condition)
        fetchRequest.includesSubentities = withSubentities
        let fetch = try ResolvedFetch(fetchRequest, model: model)
        if request.propertiesToUpdate.isEmpty { throw FetchError.nothingToUpdate(entity) }
        var expressions: [Int: ResolvedExpression] = [:]
        var constants: [String: ManagedValue] = [:]
        for (name, expression) in request.propertiesToUpdate.sorted(by: { $0.key < $1.key }) {
            let resolved = try ConditionResolver(entity: entity, isForStore: true).resolve(expression)
            if case .constant(let value) = resolved {
                constants[name] = value
            } else {
                let attribute = try computedAttribute(name, by: resolved, of: entity)
                expressions[attribute.slot] = resolved
            }
        }
        let row = try rows.constants(constants, of: entity)
        var slots = Set(expressions.keys).union(constants.keys.compactMap { entity.propertiesByName[$0]?.slot })
        derive(entity, expressions: &expressions, slots: &slots)
        return ResolvedBatchUpdate(
            fetch: fetch,
            assignments: slots.sorted().map {
                .init(property: entity.properties[$0], expression: expressions[$0])
            }, constants: row)
    }

    /// Returns the attribute that an expression sets.
    private func computedAttribute(
        _ name: String, by expression: ResolvedExpression, of entity: Entity
    ) throws -> Entity.Attribute {
        guard let property = entity.propertiesByName[name] else { throw FetchError.noProperty(name, of: entity) }
        guard let attribute = property.attribute else { throw FetchError.expressionForRelationship(name, of: entity) }
        try rows.requireSettable(attribute)
        let isJSON = expression.path?.holdsJSON ?? false
        guard !expression.isCollection, let kind = expression.kind, ValueKind(attribute).holds(kind),
            !attribute.isCodable || isJSON
        else {
            throw FetchError.unfitExpression(for: attribute, kind: expression.kind)
        }
        return attribute
    }

    /// Adds the attributes that are derived from assigned ones.
    private func derive(_ entity: Entity, expressions: inout [Int: ResolvedExpression], slots: inout Set<Int>) {
        for derivation in rows.layout(of: entity).ownDerivations {
            switch derivation.source {
            // The row of constants contains the time at which it was created.
            case .now: slots.insert(derivation.attribute.slot)
            case .own(let source, let form):
                guard slots.contains(source.slot) else { continue }
                slots.insert(derivation.attribute.slot)
                if let expression = expressions[source.slot] {
                    expressions[derivation.attribute.slot] = form.applied(to: expression)
                }
            case .related: continue
            }
        }
    }
}

@available(*, unavailable)
extension BatchUpdateResolver: Sendable {}

extension Derivation.Form {
    fileprivate func applied(to expression: ResolvedExpression) -> ResolvedExpression {
        let function: ConditionExpression.Function
        switch self {
        case .itself: return expression
        case .canonical: function = .canonical
        case .uppercase: function = .uppercase
        case .lowercase: function = .lowercase
        }
        return .calculation(ResolvedCalculation(function: function, operands: [expression], kind: .string))
    }
}

extension ValueKind {
    /// Returns `true` if an attribute of this kind can hold every value of another kind, in memory and in a database alike.
    fileprivate func holds(_ other: ValueKind) -> Bool {
        switch (self, other) {
        case (.integer, .boolean): true
        // A calculated value is a Double, which a database would not round to a Float.
        case (.floating(let isSingle), _) where other.isNumeric: !isSingle || self == other
        case (.decimal, _): other.isNumeric
        case (.dynamic, _), (.opaque, _), (.object, _), (.json, _): false
        default: self == other
        }
    }
}

extension FetchError {
    fileprivate static func nothingToUpdate(_ entity: Entity) -> FetchError {
        FetchError(
            .invalidRequest, "The batch update does not set any property. Add at least one to propertiesToUpdate.",
            entityName: entity.name)
    }

    fileprivate static func expressionForRelationship(_ name: String, of entity: Entity) -> FetchError {
        FetchError(
            .typeMismatch,
            "\(entity.name).\(name) is a relationship. A batch update can only set it to an object's id or to nil.",
            entityName: entity.name, keyPath: name)
    }

    fileprivate static func unfitExpression(for attribute: Entity.Attribute, kind: ValueKind?) -> FetchError {
        FetchError(
            .typeMismatch,
            """
            \(attribute.entity.name).\(attribute.name) holds \(attribute.type), but the expression's type is \
            \(kind?.name ?? "unknown"), and a batch update does not convert values. Use an expression \
            of the attribute's type.
            """, entityName: attribute.entity.name, keyPath: attribute.name)
    }
}
