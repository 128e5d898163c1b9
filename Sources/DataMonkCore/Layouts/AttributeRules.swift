/// **Value.** The model's restrictions on an attribute's values, in addition to their type.
struct AttributeRules: Sendable {
    /// **Value.** A validation predicate, resolved for evaluation.
    struct ResolvedPredicate: Sendable {
        let source: ValidationPredicate
        let condition: Result<ResolvedCondition, FetchError>
        /// A Boolean value indicating whether the condition is resolved anew for each value, with its length.
        let asksForLength: Bool
    }

    let attribute: Entity.Attribute
    let entity: Entity
    let predicates: [ResolvedPredicate]

    /// Returns `nil` for an attribute without rules.
    init?(_ attribute: Entity.Attribute, of entity: Entity) {
        let description = attribute.description
        guard
            !description.minimum.isNull || !description.maximum.isNull || description.regularExpression != nil
                || !description.validationPredicates.isEmpty
        else { return nil }
        self.attribute = attribute
        self.entity = entity
        predicates = description.validationPredicates.map { predicate in
            ResolvedPredicate(
                source: predicate,
                condition: Result { () throws(FetchError) in try predicate.resolved(for: attribute, of: entity) },
                asksForLength: predicate.asksForLength(of: attribute))
        }
    }

    /// Returns whether the rules allow the value of a row that holds one. For rows without an object: a save of the
    /// object says what
    /// is wrong.
    func allow(_ row: UnsafeRawPointer, objectKey: ObjectKey) -> Bool {
        let value = attribute.value(in: row)
        do {
            for (bound, operation) in bounds where !bound.isNull {
                if try ValueComparison.compare(measure(of: value), by: operation, with: limit(bound)) { return false }
            }
            let candidate = CandidateValue(value: value, entity: entity, objectKey: objectKey)
            return try predicates.allSatisfy { try $0.condition.get().isTrue(of: candidate) }
        } catch {
            return false
        }
    }

    // MARK: Bounds

    /// The bounds, each with how it is exceeded: the smallest first.
    var bounds: [(ManagedValue, Condition.Comparison.Operator)] {
        [(attribute.description.minimum, .lessThan), (attribute.description.maximum, .greaterThan)]
    }

    /// Returns the quantity that the bounds apply to: for a string its length, as Core Data counts it.
    func measure(of value: ManagedValue) -> ManagedValue {
        if case .string(let text) = value { .int(Int64(text.utf16.count)) } else { value }
    }

    /// Returns a bound in the attribute's precision: a Float of 0.1 is not above 0.1.
    func limit(_ bound: ManagedValue) -> ManagedValue {
        if attribute.type == .float, case .double(let number) = bound { .double(Double(Float(number))) } else { bound }
    }
}

/// **Confined.** A value that its object may not have yet, as a condition reads it.
struct CandidateValue: PropertyReader {
    let value: ManagedValue
    let entity: Entity
    let objectKey: ObjectKey

    func value(at slot: Int) -> ManagedValue { value }
    func toOne(_ slot: Int) -> (any PropertyReader)? { nil }
    func toMany(_ slot: Int) -> [any PropertyReader] { [] }
}

extension ManagedObjectModel {
    /// Refuses invalid validation predicates.
    static func checkValidationPredicates(of entities: [Entity]) throws(ModelError) {
        var problems: [ModelError.Problem] = []
        for entity in entities {
            for attribute in entity.attributes where attribute.entity === entity {
                for predicate in AttributeRules(attribute, of: entity)?.predicates ?? [] {
                    guard case .failure(let error) = predicate.condition else { continue }
                    problems.append(
                        ModelError.Problem(
                            kind: .invalidValidationPredicate, entityName: entity.name, propertyName: attribute.name,
                            message: error.message))
                }
            }
        }
        if !problems.isEmpty { throw ModelError(problems: problems) }
    }
}
