import Foundation

/// **Value.** The condition that decides which related objects a derived attribute counts or aggregates:
/// `SUBQUERY(articles, $a, $a.isRead == NO).@count`.
///
/// The store's triggers evaluate it, whichever program writes the store. It is therefore limited to what SQL alone means as
/// DataMonk does: comparisons of stored attributes of the objects themselves with constants, joined by AND and OR.
package struct DerivationFilter: Sendable {
    /// The condition, over the keys of one of the objects.
    package let condition: Condition
    /// The attributes that it compares.
    package let attributes: [Entity.Attribute]
    private let resolved: ResolvedCondition

    /// Parses a subquery.
    ///
    /// - Returns: The path of the same derivation without the condition, such as `articles.@count`, and the condition.
    static func parse(
        _ text: String, of entity: Entity
    ) throws(Derivation.Refusal) -> (path: String, filter: DerivationFilter) {
        do {
            guard
                case .path(.subquery(.keyPath(let name), let variable, let condition), let keyPath) =
                    try ConditionExpression(format: text),
                case .relationship(let relationship)? = entity.propertiesByName[name], relationship.isToMany
            else { throw malformed }
            return (
                "\(name).\(keyPath)",
                try DerivationFilter(condition, on: variable, of: relationship.destination)
            )
        } catch let error as Derivation.Refusal {
            throw error
        } catch let error as FetchError {
            throw Derivation.Refusal(message: error.message)
        } catch {
            throw malformed
        }
    }

    private init(_ condition: Condition, on variable: String, of member: Entity) throws {
        var attributes: [Entity.Attribute] = []
        self.condition = try Self.plain(condition, on: variable, of: member, attributes: &attributes)
        self.attributes = attributes
        resolved = try ConditionResolver(entity: member, isForStore: true).resolve(self.condition)
    }

    private static func plain(
        _ condition: Condition, on variable: String, of member: Entity, attributes: inout [Entity.Attribute]
    ) throws -> Condition {
        switch condition {
        case .and(let parts):
            return .and(try parts.map { try plain($0, on: variable, of: member, attributes: &attributes) })
        case .or(let parts):
            return .or(try parts.map { try plain($0, on: variable, of: member, attributes: &attributes) })
        case .comparison(let comparison):
            guard comparison.modifier == .direct, comparison.options.isEmpty,
                case .path(.variable(variable), let name) = comparison.left, case .value(let value) = comparison.right,
                let attribute = member.attribute(named: name),
                let constant = attribute.comparedAlike(with: value, by: comparison.operation)
            else { throw unsupported }
            attributes.append(attribute)
            return .comparison(.init(.keyPath(name), comparison.operation, .value(constant)))
        case .constant, .not: throw unsupported
        }
    }

    /// Returns the count or the aggregate at the end of a path, of the objects that satisfy the condition.
    func value(at path: ResolvedPath, of object: any PropertyReader) throws(FetchError) -> ManagedValue {
        let (function, inner): (FetchRequest.Selection.Function, ResolvedPath?) =
            if case .aggregate(let function, let inner) = path.terminal { (function, inner) } else { (.count, nil) }
        var accumulator = AggregateAccumulator(function)
        for member in path.objects(of: object) where try resolved.isTrue(of: member) {
            accumulator.add(inner?.value(of: member) ?? .int(1))
        }
        return accumulator.operatorValue.storageForm
    }

    private static var malformed: Derivation.Refusal {
        Derivation.Refusal(
            message: """
                A filtered derivation has the form SUBQUERY(articles, $a, $a.isRead == NO).@count: a to-many relationship of \
                the entity, a variable, a condition, and @count, @sum, @avg, @min or @max.
                """)
    }

    private static var unsupported: Derivation.Refusal {
        Derivation.Refusal(
            message: """
                The condition of a derivation's SUBQUERY can only compare stored attributes of the counted objects with \
                constants, joined by AND and OR: Booleans, integers, doubles and dates by ==, !=, <, <=, > and >=, texts by == \
                and !=, all without [c] and [d]. Maintain the value yourself for any other condition.
                """)
    }
}

extension Entity.Attribute {
    /// Returns a constant in the form that SQL and DataMonk compare alike with the attribute, or `nil` if there is none.
    fileprivate func comparedAlike(
        with constant: ManagedValue, by operation: Condition.Comparison.Operator
    ) -> ManagedValue? {
        if isTransient || isCodable || isDerivedFromOthers { return nil }
        let isEquality = operation == .equal || operation == .notEqual
        if constant.isNull { return isEquality ? constant : nil }
        guard isEquality || operation.isOrdering, isEquality || type != .string else { return nil }
        switch (type, ValueKind(self).coerce(constant)) {
        case (.integer16, .int(let number)?), (.integer32, .int(let number)?), (.integer64, .int(let number)?),
            (.boolean, .int(let number)?):
            return type == .boolean && number != 0 && number != 1 ? nil : .int(number)
        case (.double, .double(let number)?): return number.isFinite ? .double(number) : nil
        case (.date, .date(let date)?): return date.timeIntervalSinceReferenceDate.isFinite ? .date(date) : nil
        case (.string, .string(let text)?): return text.contains("\0") ? nil : .string(text)
        default: return nil
        }
    }
}
