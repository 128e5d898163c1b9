import DataMonkCore
import Foundation

// Comparisons of calculated values.

extension QueryGenerator {
    mutating func calculated() -> Comparison {
        let operation: Comparison.Operator = pick([
            .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
        ])
        switch int(8) {
        case 0:
            let function: ConditionExpression.Function = pick([.uppercase, .lowercase, .canonical, .length])
            let isNumber = function == .length
            return Comparison(
                .function(function, [text(depth: 1)]), operation, .value(value(isNumber ? .integer64 : .string)),
                options: isNumber ? [] : options(.string))
        case 1, 2: return subquery(operation)
        case 3:
            return Comparison(
                .conditional(condition(depth: 0), then: number(depth: 1), else: number(depth: 1)), operation,
                number(depth: 1))
        case 4:
            return Comparison(number(depth: 1), pick([.between, .isIn]), .list([number(depth: 1), number(depth: 0)]))
        case 5:
            return Comparison(
                .keyPath("name"), pick([.between, .isIn]), .list([text(depth: 1), text(depth: 0)]),
                options: options(.string))
        case 6: return Comparison(date(), operation, int(3) == 0 ? .value(value(.double)) : date())
        default: return Comparison(number(depth: 2), operation, number(depth: 1))
        }
    }

    mutating func text(depth: Int) -> ConditionExpression {
        guard depth > 0 else {
            return int(3) == 0
                ? .value(value(.string))
                : .keyPath(pick(["name", "location", "friend.name", "entity", "friends.@max.name"]))
        }
        if int(4) == 0 {
            return .conditional(condition(depth: 0), then: text(depth: 0), else: text(depth: 0))
        }
        return .function(pick([.uppercase, .lowercase, .canonical]), [text(depth: depth - 1)])
    }

    mutating func date() -> ConditionExpression {
        let path = ConditionExpression.keyPath(pick(["born", "friend.born", "mentors.@min.born"]))
        switch int(4) {
        case 0: return .function(.add, [path, number(depth: 0)])
        case 1: return .function(.subtract, [path, int(2) == 0 ? .keyPath("born") : .value(.double(1.5))])
        case 2: return .function(.now, [])
        default: return path
        }
    }

    mutating func number(depth: Int) -> ConditionExpression {
        guard depth > 0 else {
            if int(3) == 0 {
                return .value(
                    pick([
                        .int(2), .int(-3), .int(0), .double(0.5), .int(41), .null, .int(.max), .int(.min),
                        .decimal(0.1), .decimal(Decimal(sign: .plus, exponent: -2, significand: 7)), .double(0x1p63),
                        .bool(true),
                    ]))
            }
            return .keyPath(
                pick([
                    "age", "level", "points", "height", "score", "salary", "isActive", "friend.age", "friends.@count",
                    "friend.salary", "friends.@sum.salary", "friends.@avg.height",
                ]))
        }
        let function = pick(Self.numeric)
        if function.argumentCount == 1, Self.ofLists.contains(function) {
            return .function(function, [.list([number(depth: 0), number(depth: 0), number(depth: 0)])])
        }
        return .function(function, (0..<function.argumentCount).map { _ in number(depth: depth - 1) })
    }

    private static let ofLists: [ConditionExpression.Function] = [
        .maximum, .minimum, .sum, .count, .average, .median, .standardDeviation,
    ]
    private static let numeric: [ConditionExpression.Function] =
        ofLists + [
            .add, .subtract, .multiply, .divide, .remainder, .power, .absolute, .floor, .ceiling, .truncate,
            .squareRoot,
            .logarithm, .naturalLogarithm, .exponential, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft, .shiftRight,
            .onesComplement, .add, .subtract, .multiply, .divide,
        ]

    // MARK: Subqueries

    private mutating func subquery(_ operation: Comparison.Operator) -> Comparison {
        let member = ConditionExpression.variable("x")
        let members = ConditionExpression.subquery(
            .keyPath(
                pick([
                    "friends", "friend.friends", "department.members", "mentors", "queuedAt.queue", "teams.members",
                    "friends.friend", "mentors.friend",
                ])),
            variable: "x", test(of: member, operation, depth: 1))
        switch int(5) {
        case 0: return Comparison(.object, .isIn, members)
        case 1:
            return Comparison(
                .path(members, "age"), operation, .value(value(.integer64)), modifier: pick([.any, .all, .none]))
        case 2:
            return Comparison(
                .path(members, pick(["@sum.age", "@max.name", "@avg.height", "@min.born", "@sum.points"])), operation,
                .value(.null))
        case 3: return Comparison(members, pick([.equal, .notEqual]), .object, modifier: pick([.any, .all]))
        default: return Comparison(.path(members, "@count"), operation, .value(pick([0, 1, 2])))
        }
    }

    /// Returns the condition of a subquery on its object.
    private mutating func test(
        of member: ConditionExpression, _ operation: Comparison.Operator, depth: Int
    ) -> Condition {
        switch int(depth > 0 ? 9 : 7) {
        case 0: return .comparison(Comparison(.path(member, "age"), operation, .keyPath("age")))
        case 1: return .comparison(Comparison(.path(member, "friend"), .equal, .object))
        case 2: return .comparison(Comparison(.path(member, "friends.age"), operation, .value(18), modifier: .any))
        case 3: return .comparison(Comparison(member, pick([.equal, .notEqual]), .keyPath("friend")))
        case 4:
            return .comparison(
                Comparison(.path(.element(.first, of: .path(member, "mentors")), "age"), operation, .keyPath("age")))
        case 5: return .comparison(Comparison(.path(member, "entity"), .equal, .keyPath("entity")))
        case 6:
            return .comparison(Comparison(.path(member, "name"), .beginsWith, .value("m"), options: .caseInsensitive))
        case 7: return .and([condition(depth: 0), test(of: member, operation, depth: 0)])
        default:
            let inner = ConditionExpression.variable("y")
            let nested = ConditionExpression.subquery(
                .path(member, pick(["friends", "mentors", "teams.members"])), variable: "y",
                .and([
                    .comparison(Comparison(.path(inner, "age"), operation, .path(member, "age"))),
                    test(of: inner, operation, depth: 0),
                ]))
            return .comparison(Comparison(.path(nested, "@count"), .greaterThan, .value(pick([0, 1]))))
        }
    }

    // MARK: Elements

    /// Returns a comparison of an element of an ordered to-many, or of the number of elements.
    mutating func ofElement() -> Comparison {
        let collection = ConditionExpression.keyPath(
            pick(["mentors", "friend.mentors", "department.queue", "queuedAt.queue"]))
        let place: ConditionExpression.Element = pick([
            .first, .last, .at(.value(0)), .at(.value(1)), .at(.value(2)), .at(.value(7)),
        ])
        let element = ConditionExpression.element(place, of: collection)
        switch int(6) {
        case 0:
            return Comparison(
                .element(.size, of: collection), pick([.equal, .lessThan, .greaterThan]), .value(value(.integer64)))
        case 1: return Comparison(element, pick([.equal, .notEqual]), .keyPath(pick(["self", "friend"])))
        case 2: return Comparison(element, pick([.equal, .notEqual]), .value(.object(pick(graph))))
        case 3:
            let nested = ConditionExpression.element(.first, of: .path(element, "mentors"))
            return Comparison(.path(nested, "age"), pick([.equal, .notEqual]), .keyPath("age"))
        case 4:
            return Comparison(
                .path(element, "friends.age"), pick(Self.operatorsOfKeys), .value(value(.integer64)),
                modifier: pick([.any, .all, .none]))
        default:
            let attribute = pick(Self.attributes)
            let operation = pick(Comparison.Operator.allCases)
            return Comparison(
                .path(element, attribute.path), operation, .value(constant(for: operation, type: attribute.type)),
                options: options(attribute.type))
        }
    }
}
