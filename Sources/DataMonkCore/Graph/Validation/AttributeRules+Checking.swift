import Foundation

extension AttributeRules {
    /// Appends the problems of a value that is not null.
    func check(_ value: ManagedValue, of object: ManagedObject, into problems: inout [ValidationProblem]) {
        checkBounds(value, of: object, into: &problems)
        checkPattern(value, of: object, into: &problems)
        for predicate in predicates { check(predicate, on: value, of: object, into: &problems) }
    }

    // MARK: Bounds

    private func checkBounds(
        _ value: ManagedValue, of object: ManagedObject, into problems: inout [ValidationProblem]
    ) {
        let measure = measure(of: value)
        for (bound, operation) in bounds where !bound.isNull {
            do {
                guard try ValueComparison.compare(measure, by: operation, with: limit(bound)) else { continue }
                problems.append(excess(value, over: bound, isMaximum: operation == .greaterThan, of: object))
            } catch {
                problems.append(ValidationProblem(error, of: object, key: attribute.name))
            }
        }
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
            message: """
                \(object.entity.name).\(attribute.name) is \(relation) than the model's \(name) \(limit). Set another \
                value.
                """)
    }

    // MARK: Pattern and predicates

    private func checkPattern(
        _ value: ManagedValue, of object: ManagedObject, into problems: inout [ValidationProblem]
    ) {
        guard let pattern = attribute.description.regularExpression, case .string(let text) = value else { return }
        do {
            if try RegularExpression.cached(pattern, options: []).matches(text) { return }
            problems.append(
                ValidationProblem(
                    .stringPatternMismatch, of: object, key: attribute.name, value: value,
                    message: """
                        \(object.entity.name).\(attribute.name) does not match the model's regular expression. Set \
                        another value.
                        """))
        } catch {
            problems.append(ValidationProblem(error, of: object, key: attribute.name))
        }
    }

    private func check(
        _ predicate: ResolvedPredicate, on value: ManagedValue, of object: ManagedObject,
        into problems: inout [ValidationProblem]
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
                    condition: predicate.source.condition, message: predicate.source.warning))
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
