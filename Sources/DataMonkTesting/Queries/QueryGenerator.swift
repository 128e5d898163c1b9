package import DataMonkCore
import Foundation

/// **Value.** Makes conditions and requests over ``QueryModel`` that a seed determines. Not all of them resolve: a
/// condition that means nothing is refused, and the caller takes the next one.
package struct QueryGenerator {
    package var generator: SeededGenerator
    private let graph: [AnyObjectID]

    private typealias Comparison = Condition.Comparison

    /// Between keys: text that happens to be no regular expression throws in one place or the other, or is never looked at.
    private static let operatorsOfKeys = Comparison.Operator.allCases.filter { $0 != .matches }

    package init(seed: UInt64, ids: [AnyObjectID]) {
        generator = SeededGenerator(seed: seed)
        graph = ids
    }

    private static let attributes: [(path: String, type: AttributeType)] = [
        ("name", .string), ("location", .string), ("age", .integer64), ("level", .integer16), ("height", .double),
        ("score", .float), ("salary", .decimal), ("isActive", .boolean), ("born", .date), ("tag", .uuid),
        ("site", .uri),
        ("photo", .binary), ("friend.name", .string), ("friend.age", .integer64), ("friend.friend.age", .integer64),
        ("department.title", .string), ("department.parent.title", .string), ("friends.@count", .integer64),
        ("teams.@count", .integer64), ("friend.friends.@count", .integer64), ("friends.@sum.age", .integer64),
        ("friends.@avg.height", .double), ("friends.@max.age", .integer64), ("teams.@min.size", .integer64),
        ("friends.@sum.salary", .decimal), ("friends.@max.department.title", .string),
    ]
    private static let collections: [(path: String, type: AttributeType)] = [
        ("friends.name", .string), ("friends.age", .integer64), ("teams.title", .string), ("teams.size", .integer32),
        ("friends.friend.name", .string), ("friends.friends.age", .integer64), ("friend.friends.name", .string),
        ("department.members.age", .integer64), ("teams.members.name", .string), ("friends.department.title", .string),
        ("department.parent.members.height", .double),
    ]
    private static let objects = ["self", "friend", "department", "friend.friend", "friend.department"]
    private static let objectCollections = ["friends", "teams", "friends.department", "teams.members", "friends.teams"]

    /// A condition on people, nested at most `depth` levels.
    package mutating func condition(depth: Int = 3) -> Condition {
        switch depth == 0 ? 9 : int(12) {
        case 0, 1: return .and((0..<int(4)).map { _ in condition(depth: depth - 1) })
        case 2, 3: return .or((0..<int(4)).map { _ in condition(depth: depth - 1) })
        case 4, 5: return .not(condition(depth: depth - 1))
        case 6: return quantified()
        case 7: return identity()
        default: return comparison()
        }
    }

    private mutating func comparison() -> Condition {
        if int(4) == 0 { return calculated() }
        let left = pick(Self.attributes)
        if int(4) == 0 {
            let right = pick(Self.attributes.filter { $0.type == left.type })
            return .comparison(
                Comparison(
                    .keyPath(left.path), pick(Self.operatorsOfKeys), .keyPath(right.path),
                    options: options(left.type)))
        }
        let operation = pick(Comparison.Operator.allCases)
        return .compare(left.path, operation, constant(operation, left.type), options: options(left.type))
    }

    private mutating func quantified() -> Condition {
        let left = pick(Self.collections)
        let operation = pick(Comparison.Operator.allCases)
        let modifier: Comparison.Modifier = pick([.any, .all, .none])
        if int(4) == 0 {
            let right = pick(Self.attributes.filter { $0.type == left.type || left.type == .integer32 })
            return .comparison(
                Comparison(.keyPath(left.path), pick(Self.operatorsOfKeys), .keyPath(right.path), modifier: modifier))
        }
        return .compare(
            left.path, operation, constant(operation, left.type), modifier: modifier, options: options(left.type))
    }

    /// A comparison of something that is worked out.
    private mutating func calculated() -> Condition {
        let operation: Comparison.Operator = pick([.equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan])
        switch int(5) {
        case 0:
            let text: ConditionExpression = pick([.keyPath("name"), .keyPath("location"), .keyPath("friend.name")])
            let function: ConditionExpression.Function = pick([.uppercase, .lowercase, .canonical, .length])
            let isNumber = function == .length
            return .comparison(
                Comparison(
                    .function(function, [text]), operation, .value(value(isNumber ? .integer64 : .string))))
        case 1: return subquery(operation)
        case 2:
            return .comparison(
                Comparison(
                    .conditional(condition(depth: 0), then: number(depth: 1), else: number(depth: 1)), operation,
                    number(depth: 1)))
        case 3:
            return .comparison(
                Comparison(number(depth: 1), pick([.between, .isIn]), .list([number(depth: 1), number(depth: 0)])))
        default: return .comparison(Comparison(number(depth: 2), operation, number(depth: 1)))
        }
    }

    private mutating func number(depth: Int) -> ConditionExpression {
        guard depth > 0 else {
            if int(3) == 0 { return .value(pick([.int(2), .int(-3), .int(0), .double(0.5), .int(41), .null])) }
            return .keyPath(pick(["age", "level", "height", "salary", "isActive", "friend.age", "friends.@count"]))
        }
        let functions: [ConditionExpression.Function] = [
            .add, .subtract, .multiply, .divide, .remainder, .absolute, .floor, .ceiling, .truncate, .maximum, .sum,
        ]
        let function = pick(functions)
        if function == .maximum || function == .sum {
            return .function(function, [.list([number(depth: 0), number(depth: 0), number(depth: 0)])])
        }
        return .function(function, (0..<function.argumentCount).map { _ in number(depth: depth - 1) })
    }

    private mutating func subquery(_ operation: Comparison.Operator) -> Condition {
        let member = ConditionExpression.variable("x")
        let test: Condition =
            switch int(4) {
            case 0: .comparison(Comparison(.path(member, "age"), operation, .keyPath("age")))
            case 1: .comparison(Comparison(.path(member, "friend"), .equal, .object))
            case 2: .comparison(Comparison(.path(member, "friends.age"), operation, .value(18), modifier: .any))
            default: .comparison(Comparison(.path(member, "name"), .beginsWith, .value("m"), options: .caseInsensitive))
            }
        let members = ConditionExpression.subquery(
            .keyPath(pick(["friends", "friend.friends", "department.members"])), variable: "x", test)
        switch int(4) {
        case 0: return .comparison(Comparison(.object, .isIn, members))
        case 1:
            return .comparison(
                Comparison(
                    .path(members, "age"), operation, .value(value(.integer64)), modifier: pick([.any, .all, .none])))
        case 2:
            return .comparison(
                Comparison(.path(members, pick(["@sum.age", "@max.name", "@avg.height"])), operation, .value(.null)))
        default: return .comparison(Comparison(.path(members, "@count"), operation, .value(pick([0, 1, 2]))))
        }
    }

    private mutating func identity() -> Condition {
        let operation: Comparison.Operator = pick([.equal, .notEqual, .isIn])
        let isCollection = int(2) == 0
        let path = isCollection ? pick(Self.objectCollections) : pick(Self.objects)
        let modifier: Comparison.Modifier = isCollection ? pick([.any, .all, .none]) : .direct
        if operation != .isIn, int(3) == 0 {
            return .comparison(Comparison(.keyPath(path), operation, .keyPath(pick(Self.objects)), modifier: modifier))
        }
        let value: ManagedValue = operation == .isIn ? .list((0..<int(4)).map { _ in id() }) : id()
        return .compare(path, operation, value, modifier: modifier)
    }

    private mutating func id() -> ManagedValue { int(5) == 0 ? .null : .object(pick(graph)) }

    private mutating func constant(_ operation: Comparison.Operator, _ type: AttributeType) -> ManagedValue {
        switch operation {
        case .isIn: return .list((0..<int(5)).map { _ in value(type) })
        case .between: return .list([value(type), value(type)])
        case .like: return .string(pick(["*", "?", "mon*", "*n*k*", "M?nk", "a\\*b", "*é*", "", "*\u{1F600}"]))
        case .matches: return .string(pick(["[A-Z].*", "mon.|Knight", ".*é.*", ""]))
        default: return value(type)
        }
    }

    private mutating func value(_ type: AttributeType) -> ManagedValue {
        if type.isNumeric, int(4) == 0 { return pick([.int(18), .double(17.5), .decimal(0.1), .bool(true)]) }
        return QueryValues.random(type, using: &generator)
    }

    private mutating func options(_ type: AttributeType) -> Comparison.Options {
        guard type == .string, int(2) == 0 else { return [] }
        return pick([.caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]])
    }

    /// Some terms to sort people by.
    package mutating func sortTerms() -> [SortTerm] {
        (0..<int(3)).map { _ in
            let attribute = pick(Self.attributes)
            let comparator: SortTerm.Comparator =
                attribute.type == .string && int(3) == 0 ? .caseInsensitive : .standard
            return SortTerm(attribute.path, ascending: int(2) == 0, comparator: comparator)
        }
    }

    /// A request for rows of values about people: columns, or figures of groups.
    package mutating func rowsRequest() -> FetchRequest {
        var request = FetchRequest(entityName: "Person")
        request.resultType = .dictionaries
        if int(2) == 0 { request.condition = condition(depth: 1) }
        let groups = (0..<int(3)).map { _ in pick(Self.attributes).path }
        request.propertiesToGroupBy = groups
        let figures = FetchRequest.Selection.Function.allCases
        for column in 0...int(3) {
            let path = pick(Self.attributes.map(\.path) + Self.objects)
            let isFigure = !groups.isEmpty || int(2) == 0
            let expression = int(5) == 0 ? number(depth: 2) : .keyPath(path)
            request.propertiesToFetch.append(
                FetchRequest.Selection(isFigure ? pick(figures) : nil, of: expression, alias: "c\(column)"))
        }
        for (place, path) in groups.enumerated() where int(2) == 0 {
            request.propertiesToFetch.append(FetchRequest.Selection(path, alias: "g\(place)"))
        }
        if !groups.isEmpty, int(2) == 0 {
            let type = pick(Self.attributes).type
            let key = int(3) == 0 ? pick(groups) : "c0"
            request.havingCondition = .compare(key, pick(Self.operatorsOfKeys), value(type))
        }
        request.returnsDistinctResults = int(4) == 0
        if int(2) == 0 { addPage(to: &request) }
        return request
    }

    /// Sorts by every column, so that a page is one page alone. Figures that depend on the order of their values in the last
    /// digits give no such order.
    private mutating func addPage(to request: inout FetchRequest) {
        let exact: [FetchRequest.Selection.Function?] = [nil, .count, .minimum, .maximum]
        let columns = request.propertiesToFetch
        for column in columns {
            guard exact.contains(column.function), case .keyPath(let path) = column.expression, !path.contains("@avg")
            else { return }
        }
        request.sortTerms = columns.map { SortTerm($0.alias, ascending: int(2) == 0) }
        request.fetchLimit = int(2) == 0 ? int(8) : 0
        request.fetchOffset = int(2) == 0 ? int(4) : 0
    }

    /// A number below `bound`.
    package mutating func int(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    /// One of some elements.
    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &generator)]
    }
}
