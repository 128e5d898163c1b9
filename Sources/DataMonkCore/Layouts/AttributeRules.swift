import Foundation

/// **Value.** The model's restrictions on an attribute's values, in addition to their type.
struct AttributeRules: Sendable {
    /// **Value.** A validation predicate, resolved for evaluation.
    struct Predicate: Sendable {
        let source: ValidationPredicate
        let condition: Result<ResolvedCondition, FetchError>
        /// A Boolean value indicating whether the condition is resolved anew for each value, with its length.
        let asksForLength: Bool
    }

    let attribute: Entity.Attribute
    let entity: Entity
    let predicates: [Predicate]

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
            Predicate(
                source: predicate,
                condition: Result { () throws(FetchError) in try predicate.resolved(for: attribute, of: entity) },
                asksForLength: predicate.asksForLength(of: attribute))
        }
    }

    /// Appends the problems of a value that is not null.
    func check(_ value: ManagedValue, of object: ManagedObject, _ problems: inout [ValidationProblem]) {
        checkBounds(value, of: object, &problems)
        checkPattern(value, of: object, &problems)
        for predicate in predicates { check(predicate, value, of: object, &problems) }
    }

    /// Returns whether the rules allow the value of a row that holds one. For rows without an object: a save of the
    /// object says what
    /// is wrong.
    func allow(_ row: UnsafeRawPointer, objectKey: ObjectKey) -> Bool {
        let value = attribute.value(in: row)
        do {
            for (bound, operation) in bounds where !bound.isNull {
                if try ValueComparison.compare(measure(of: value), operation, limit(bound)) { return false }
            }
            let candidate = CandidateValue(value: value, entity: entity, objectKey: objectKey)
            return try predicates.allSatisfy { try $0.condition.get().isTrue(of: candidate) }
        } catch {
            return false
        }
    }

    // MARK: Bounds

    /// The bounds, each with how it is exceeded: the smallest first.
    private var bounds: [(ManagedValue, Condition.Comparison.Operator)] {
        [(attribute.description.minimum, .lessThan), (attribute.description.maximum, .greaterThan)]
    }

    private func checkBounds(
        _ value: ManagedValue, of object: ManagedObject, _ problems: inout [ValidationProblem]
    ) {
        let measure = measure(of: value)
        for (bound, operation) in bounds where !bound.isNull {
            do {
                guard try ValueComparison.compare(measure, operation, limit(bound)) else { continue }
                problems.append(excess(value, over: bound, isMaximum: operation == .greaterThan, of: object))
            } catch {
                problems.append(ValidationProblem(error, of: object, key: attribute.name))
            }
        }
    }

    /// Returns the quantity that the bounds apply to: for a string its length, as Core Data counts it.
    private func measure(of value: ManagedValue) -> ManagedValue {
        if case .string(let text) = value { .int(Int64(text.utf16.count)) } else { value }
    }

    /// Returns a bound in the attribute's precision: a Float of 0.1 is not above 0.1.
    private func limit(_ bound: ManagedValue) -> ManagedValue {
        if attribute.type == .float, case .double(let number) = bound { .double(Double(Float(number))) } else { bound }
    }

    private func excess(
        _ value: ManagedValue, over bound: ManagedValue, isMaximum: Bool, of object: ManagedObject
    ) -> ValidationProblem {
        let name = isMaximum ? "maximum" : "minimum"
        let code: SaveError.Code
        let relation: String
        let limit: String
        switch attribute.type {
        case .string:
            code = isMaximum ? .stringTooLong : .stringTooShort
            relation = isMaximum ? "longer" : "shorter"
            limit = "length of \(bound.boundText) UTF-16 units"
        case .date:
            code = isMaximum ? .dateTooLate : .dateTooSoon
            relation = isMaximum ? "later" : "earlier"
            limit = "of \(bound.boundText)"
        default:
            code = isMaximum ? .numberTooLarge : .numberTooSmall
            relation = isMaximum ? "larger" : "smaller"
            limit = "of \(bound.boundText)"
        }
        return ValidationProblem(
            code, of: object, key: attribute.name, value: value,
            """
            \(object.entity.name).\(attribute.name) is \(relation) than the model's \(name) \(limit). Set another \
            value.
            """)
    }

    // MARK: Pattern and predicates

    private func checkPattern(
        _ value: ManagedValue, of object: ManagedObject, _ problems: inout [ValidationProblem]
    ) {
        guard let pattern = attribute.description.regularExpression, case .string(let text) = value else { return }
        do {
            if try RegularExpression.cached(pattern, []).matches(text) { return }
            problems.append(
                ValidationProblem(
                    .stringPatternMismatch, of: object, key: attribute.name, value: value,
                    """
                    \(object.entity.name).\(attribute.name) does not match the model's regular expression. Set \
                    another value.
                    """))
        } catch {
            problems.append(ValidationProblem(error, of: object, key: attribute.name))
        }
    }

    private func check(
        _ predicate: Predicate, _ value: ManagedValue, of object: ManagedObject,
        _ problems: inout [ValidationProblem]
    ) {
        do {
            let candidate = CandidateValue(value: value, entity: entity, objectKey: object.key)
            var condition = try predicate.condition.get()
            if predicate.asksForLength, case .string(let text) = value {
                condition = try predicate.source.resolved(for: attribute, of: entity, length: text.utf16.count)
            }
            if try condition.isTrue(of: candidate) { return }
            problems.append(
                ValidationProblem(
                    .validationFailed, of: object, key: attribute.name, value: value,
                    condition: predicate.source.condition, predicate.source.warning))
        } catch {
            problems.append(ValidationProblem(error, of: object, key: attribute.name))
        }
    }
}

extension ManagedValue {
    /// A bound of the model as text.
    fileprivate var boundText: String {
        switch self {
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .date(let date): "\(date)"
        default: kind
        }
    }
}

/// **Confined.** A value that its object may not have yet, as a condition reads it.
private struct CandidateValue: PropertyReader {
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
