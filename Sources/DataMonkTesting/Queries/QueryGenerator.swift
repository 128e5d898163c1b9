package import DataMonkCore
import Foundation

/// **Value.** Generates conditions and requests over ``QueryModel``, determined by a seed. Not all of them resolve: an
/// invalid condition is refused, and the caller takes the next one.
package struct QueryGenerator {
    package var generator: SeededGenerator
    let graph: [AnyObjectID]

    typealias Comparison = Condition.Comparison

    /// The operators between keys. Text that is not a valid regular expression would throw in one implementation and not in
    /// the other, or never be evaluated.
    static let operatorsOfKeys = Comparison.Operator.allCases.filter { $0 != .matches }

    package init(seed: UInt64, ids: [AnyObjectID]) {
        generator = SeededGenerator(seed: seed)
        graph = ids
    }

    static let attributes: [(path: String, type: AttributeType)] = [
        ("name", .string), ("location", .string), ("age", .integer64), ("level", .integer16), ("points", .integer64),
        ("height", .double), ("score", .float), ("salary", .decimal), ("isActive", .boolean), ("born", .date),
        ("tag", .uuid), ("site", .uri), ("photo", .binary), ("friend.photo", .binary), ("friend.name", .string),
        ("friend.age", .integer64), ("friend.friend.age", .integer64), ("friend.tag", .uuid), ("friend.site", .uri),
        ("friend.born", .date), ("friend.score", .float), ("friend.isActive", .boolean), ("friend.points", .integer64),
        ("department.title", .string), ("department.parent.title", .string), ("queuedAt.title", .string),
        ("department.budget", .double), ("entity", .string), ("friend.entity.name", .string), ("self.name", .string),
        ("friends.@count", .integer64), ("mentors.@count", .integer64), ("teams.@count", .integer64),
        ("friend.friends.@count", .integer64), ("friends.@sum.age", .integer64), ("friends.@sum.points", .integer64),
        ("friends.@avg.height", .double), ("friends.@avg.salary", .double), ("friends.@max.age", .integer64),
        ("friends.@max.points", .integer64), ("teams.@min.size", .integer64), ("friends.@sum.salary", .decimal),
        ("friends.@max.department.title", .string), ("mentors.@min.born", .date), ("friends.@max.tag", .uuid),
        ("mentors.@max.photo", .binary), ("friends.@sum.isActive", .integer64), ("queuedAt.queue.@count", .integer64),
        ("friends.@sum.score", .double), ("name.length", .integer64), ("friend.name.length", .integer64),
        ("facts", .string), ("facts.n", .integer64), ("facts.r", .double), ("facts.t", .string), ("facts.b", .boolean),
        ("facts.n", .date), ("facts.r", .decimal), ("facts.deep.it's", .string), ("friend.facts.deep.n", .integer64),
        ("facts.list.@count", .integer64), ("friend.facts.t", .string), ("facts.@json", .string),
        ("facts.list", .string),
    ]
    static let collections: [(path: String, type: AttributeType)] = [
        ("friends.name", .string), ("friends.age", .integer64), ("teams.title", .string), ("teams.size", .integer32),
        ("friends.friend.name", .string), ("friends.friends.age", .integer64), ("friend.friends.name", .string),
        ("department.members.age", .integer64), ("teams.members.name", .string), ("friends.department.title", .string),
        ("department.parent.members.height", .double), ("mentors.name", .string), ("mentors.mentors.age", .integer64),
        ("pupils.salary", .decimal), ("queuedAt.queue.born", .date), ("friends.photo", .binary), ("friends.tag", .uuid),
        ("mentors.site", .uri), ("friends.entity", .string), ("teams.members.entity", .string),
        ("friends.score", .float), ("friends.isActive", .boolean), ("friends.points", .integer64),
        ("facts", .string), ("facts.list", .string), ("facts.list", .integer64), ("friend.facts.list", .double),
        ("facts.deep", .boolean), ("friends.facts.n", .integer64), ("friends.facts.list", .string),
        ("teams.members.facts.deep.n", .double), ("facts.n", .date), ("friends.facts.list.@count", .integer64),
    ]
    static let objects = ["self", "friend", "department", "friend.friend", "friend.department", "queuedAt"]
    static let objectCollections = [
        "friends", "teams", "friends.department", "teams.members", "friends.teams", "mentors", "friends.mentors",
        "queuedAt.queue",
    ]

    /// Returns a condition on people, nested at most `depth` levels.
    package mutating func condition(depth: Int = 3) -> Condition {
        switch depth == 0 ? 9 : int(13) {
        case 0, 1: return .and((0..<int(4)).map { _ in condition(depth: depth - 1) })
        case 2, 3: return .or((0..<int(4)).map { _ in condition(depth: depth - 1) })
        case 4, 5: return .not(condition(depth: depth - 1))
        case 6: return .comparison(quantified())
        case 7: return .comparison(identity())
        case 8: return .constant(int(2) == 0)
        default: return .comparison(comparison())
        }
    }

    private mutating func comparison() -> Comparison {
        switch int(8) {
        case 0, 1: return calculated()
        case 2: return ofElement()
        case 3: return textInText()
        default: break
        }
        let left = pick(Self.attributes)
        if int(4) == 0 {
            let right = pick(Self.attributes.filter { $0.type == left.type })
            return Comparison(
                .keyPath(left.path), pick(Self.operatorsOfKeys), .keyPath(right.path), options: options(left.type))
        }
        let operation = pick(Comparison.Operator.allCases)
        let value = constant(for: operation, type: left.type)
        if operation != .matches, int(8) == 0 {
            return Comparison(.value(value), operation, .keyPath(left.path), options: options(left.type))
        }
        return Comparison(.keyPath(left.path), operation, .value(value), options: options(left.type))
    }

    private mutating func quantified() -> Comparison {
        let left = pick(Self.collections)
        let operation = pick(Comparison.Operator.allCases)
        let modifier: Comparison.Modifier = pick([.any, .all, .none])
        if int(4) == 0 {
            let right = pick(Self.attributes.filter { $0.type == left.type || left.type == .integer32 })
            return Comparison(.keyPath(left.path), pick(Self.operatorsOfKeys), .keyPath(right.path), modifier: modifier)
        }
        if int(6) == 0 {
            // A value among the collection's, without a modifier.
            return int(2) == 0
                ? Comparison(.keyPath(left.path), .contains, .value(value(left.type)))
                : Comparison(.value(value(left.type)), .isIn, .keyPath(left.path))
        }
        return Comparison(
            .keyPath(left.path), operation, .value(constant(for: operation, type: left.type)), modifier: modifier,
            options: options(left.type))
    }

    private mutating func identity() -> Comparison {
        let operation: Comparison.Operator = pick([.equal, .notEqual, .isIn])
        let isCollection = int(2) == 0
        let path = isCollection ? pick(Self.objectCollections) : pick(Self.objects)
        let modifier: Comparison.Modifier = isCollection ? pick([.any, .all, .none]) : .direct
        switch int(8) {
        case 0: return Comparison(.keyPath(pick(Self.objects)), .isIn, .keyPath(pick(Self.objectCollections)))
        case 1: return Comparison(.value(id()), .isIn, .keyPath(pick(Self.objectCollections)))
        case 2: return Comparison(.keyPath(pick(Self.objectCollections)), .contains, .object)
        case 3:
            let sets = (0..<2).map { _ in
                ConditionExpression.keyPath(pick(["friends", "mentors", "pupils", "teams.members"]))
            }
            return Comparison(
                .keyPath(pick(["self", "friend"])), .isIn, .function(pick([.union, .intersection, .difference]), sets))
        case 4: return Comparison(.keyPath(path), operation, .keyPath(pick(Self.objects)), modifier: modifier)
        default:
            let value: ManagedValue = operation == .isIn ? .list((0..<int(4)).map { _ in id() }) : id()
            return Comparison(.keyPath(path), operation, .value(value), modifier: modifier)
        }
    }

    /// Returns terms to sort people by.
    package mutating func sortTerms() -> [SortTerm] {
        (0..<int(3)).map { _ in
            let attribute = pick(Self.attributes)
            let comparator: SortTerm.Comparator =
                attribute.type == .string && int(3) == 0 ? .caseInsensitive : .standard
            return SortTerm(attribute.path, ascending: int(2) == 0, comparator: comparator)
        }
    }

    /// Returns a request for rows of values about people: columns, or aggregates of groups.
    package mutating func rowsRequest() -> FetchRequest {
        var request = FetchRequest(entityName: "Person")
        request.resultType = .dictionaries
        if int(2) == 0 { request.condition = condition(depth: 1) }
        let paths = Self.attributes.map(\.path)
        let groups = (0..<int(3)).map { _ in pick(paths) }
        request.propertiesToGroupBy = groups
        let aggregates = FetchRequest.Selection.Function.allCases
        for column in 0...int(3) {
            let aggregate = pick(aggregates)
            let isAggregate = !groups.isEmpty || int(2) == 0
            var path = pick(paths + Self.objects)
            // SQL's own mean of integers adds up doubles.
            if aggregate == .average, path.hasSuffix("points") { path = "age" }
            if isAggregate, int(5) == 0 {
                request.propertiesToFetch.append(.init(of: aggregateCalculation(), alias: "c\(column)"))
                continue
            }
            let expression = int(5) == 0 ? calculation() : .keyPath(path)
            request.propertiesToFetch.append(
                FetchRequest.Selection(isAggregate ? aggregate : nil, of: expression, alias: "c\(column)"))
        }
        for (place, path) in groups.enumerated() where int(2) == 0 {
            request.propertiesToFetch.append(FetchRequest.Selection(path, alias: "g\(place)"))
        }
        if !groups.isEmpty, int(2) == 0 {
            let type = pick(Self.attributes).type
            let key = int(3) == 0 ? pick(groups + ["@count", "@sum.age", "@max.height"]) : "c0"
            request.havingCondition = .compare(key, pick(Self.operatorsOfKeys), value(type))
        }
        request.returnsDistinctResults = int(4) == 0
        if int(2) == 0 { addPage(to: &request) }
        return request
    }

    /// Sorts by every column, so that a page is unique. Aggregates whose last digits depend on the order of their values do
    /// not provide such an order.
    private mutating func addPage(to request: inout FetchRequest) {
        let columns = request.propertiesToFetch
        for column in columns where Self.isRounded(column) { return }
        request.sortTerms = columns.map { SortTerm($0.alias, ascending: int(2) == 0) }
        request.fetchLimit = int(2) == 0 ? int(8) : 0
        request.fetchOffset = int(2) == 0 ? int(4) : 0
    }

    private static func isRounded(_ column: FetchRequest.Selection) -> Bool {
        switch column.function {
        case nil, .count, .minimum, .maximum: false
        case .sum, .average, .median, .standardDeviation: true
        }
    }

    /// Returns a calculation of any kind, for a column.
    private mutating func calculation() -> ConditionExpression {
        switch int(6) {
        case 0: text(depth: 1)
        case 1: date()
        case 2: .conditional(condition(depth: 0), then: flag(), else: flag())
        case 3: .conditional(condition(depth: 0), then: number(depth: 1), else: number(depth: 0))
        default: number(depth: 2)
        }
    }

    /// Returns a calculation with aggregates of the fetched objects.
    private mutating func aggregateCalculation() -> ConditionExpression {
        let operands = (0..<2).map { _ -> ConditionExpression in
            let path = pick(["age", "level", "points", "height", "score", "salary", "friend.age"])
            return switch int(4) {
            case 0: .keyPath("@count")
            case 1: .keyPath("@\(pick(["sum", "avg", "min", "max"])).\(path)")
            case 2: .function(pick([.sum, .average, .minimum, .maximum, .count]), [.keyPath(path)])
            default: number(depth: 0)
            }
        }
        return .function(pick([.add, .subtract, .multiply, .divide]), operands)
    }

    private mutating func flag() -> ConditionExpression {
        int(2) == 0 ? .value(.bool(int(2) == 0)) : .keyPath(pick(["isActive", "friend.isActive"]))
    }

    /// Returns a number below `bound`.
    package mutating func int(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    /// Returns a random element.
    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &generator)]
    }
}

// MARK: Constants

extension QueryGenerator {
    private mutating func id() -> ManagedValue { int(5) == 0 ? .null : .object(pick(graph)) }

    mutating func constant(for operation: Comparison.Operator, type: AttributeType) -> ManagedValue {
        switch operation {
        case .isIn: return .list((0..<int(5)).map { _ in value(type) })
        case .between: return .list([value(type), value(type)])
        case .contains, .beginsWith, .endsWith: return type == .string ? .string(part()) : value(type)
        case .like: return type == .binary || int(8) == 0 ? value(type) : .string(pattern())
        case .matches:
            return .string(pick(["[A-Z].*", "mon.|Knight", ".*é.*", "", "(?s).*", "[^a-z]+", "\\p{L}\\p{M}?.*"]))
        case .containsWords: return type == .string ? .string(words()) : value(type)
        default: return value(type)
        }
    }

    /// Returns words to search for, beginnings and phrases among them, with what separates them.
    private mutating func words() -> String {
        (0...int(2)).map { _ in
            let text = int(2) == 0 ? part() : pick(QueryValues.texts)
            return pick(["", "\"", "", "-"]) + text + pick(["", "*", "\"", "\"*", " *", "!"])
        }.joined(separator: pick([" ", "", "\n"]))
    }

    mutating func value(_ type: AttributeType) -> ManagedValue {
        if type.isNumeric, int(4) == 0 {
            return pick([
                .int(18), .double(17.5), .decimal(0.1), .bool(true), .int(.max), .double(0x1p63), .double(-1e300),
            ])
        }
        if type == .string, int(6) == 0 { return pick(["Person", "Monk", .string(part())]) }
        return QueryValues.random(type, using: &generator)
    }

    private mutating func part() -> String { QueryValues.part(of: pick(QueryValues.texts), using: &generator) }

    private mutating func pattern() -> String {
        (0...int(3)).map { _ in pick(["*", "?", "\\", part()]) }.joined()
    }

    mutating func options(_ type: AttributeType) -> Comparison.Options {
        guard type == .string || type == .binary, int(2) == 0 else { return [] }
        return pick([.caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]])
    }

    /// Returns a condition on text inside a constant or inside another text.
    private mutating func textInText() -> Comparison {
        let text = ConditionExpression.keyPath(pick(["name", "location", "friend.name", "entity"]))
        let other: ConditionExpression =
            switch int(3) {
            case 0: .keyPath(pick(["name", "location", "department.title"]))
            case 1: .function(pick([.uppercase, .lowercase, .canonical]), [.keyPath("location")])
            default: .value(value(.string))
            }
        let operation: Comparison.Operator = pick([.isIn, .contains, .beginsWith, .endsWith, .like, .equal, .lessThan])
        let sides = int(2) == 0 ? (text, other) : (other, text)
        return Comparison(sides.0, operation, sides.1, options: options(.string))
    }
}
