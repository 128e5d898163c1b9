import DataMonkCore
import DataMonkTesting
import Foundation

/// **Value.** Makes conditions of every form that a format string can stand for, as a seed determines.
struct RandomTree {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func condition(depth: Int) -> Condition {
        switch depth == 0 ? 9 : int(10) {
        case 0, 1: return .and(parts(depth))
        case 2, 3: return .or(parts(depth))
        case 4: return .not(condition(depth: depth - 1))
        case 5: return .constant(int(2) == 0)
        default:
            return .comparison(
                .init(
                    expression(depth: depth), pick(Condition.Comparison.Operator.allCases), expression(depth: depth),
                    modifier: pick([.direct, .direct, .any, .all, .none]),
                    options: Condition.Comparison.Options(rawValue: UInt8(int(4)))))
        }
    }

    /// Two at least: one alone comes back without the AND around it.
    private mutating func parts(_ depth: Int) -> [Condition] {
        (0..<(2 + int(3))).map { _ in condition(depth: depth - 1) }
    }

    mutating func expression(depth: Int) -> ConditionExpression {
        guard depth > 0 else { return leaf() }
        switch int(12) {
        case 0:
            let function = pick(ConditionExpression.Function.allCases)
            return .function(function, (0..<function.argumentCount).map { _ in expression(depth: depth - 1) })
        case 1: return .list([.keyPath(keyPath()), expression(depth: depth - 1)])
        case 2: return .path(start(depth: depth), keyPath())
        case 3: return .element(element(depth: depth), of: expression(depth: depth - 1))
        case 4: return .subquery(expression(depth: depth - 1), variable: name(), condition(depth: depth - 1))
        case 5:
            return .conditional(
                condition(depth: depth - 1), then: expression(depth: depth - 1), else: expression(depth: depth - 1))
        default: return leaf()
        }
    }

    /// What a path can start at without becoming one path with it.
    private mutating func start(depth: Int) -> ConditionExpression {
        switch int(3) {
        case 0: .variable(name())
        case 1: .subquery(.keyPath(keyPath()), variable: name(), condition(depth: depth - 1))
        default: .element(element(depth: depth), of: .keyPath(keyPath()))
        }
    }

    private mutating func element(depth: Int) -> ConditionExpression.Element {
        pick([.first, .last, .size, .at(expression(depth: depth - 1))])
    }

    private mutating func leaf() -> ConditionExpression {
        switch int(6) {
        case 0: .object
        case 1: .variable(name())
        case 2, 3: .keyPath(keyPath())
        default: .value(value())
        }
    }

    private mutating func keyPath() -> String { (0...int(3)).map { _ in name() }.joined(separator: ".") }

    private mutating func name() -> String {
        pick([
            "name", "age", "_x", "été", "名前", "AND", "like", "first", "SELF", "self", "nil", "a b", "", "\"'\\", "1st",
            "$x",
            "%@", "#", "@count", "@", "a\u{301}", "\u{301}", "\0", "\n", "Ünï", "cast", "\u{1F600}", "x;DROP", "any",
        ])
    }

    private mutating func value() -> ManagedValue {
        switch int(14) {
        case 0: .null
        case 1: .bool(int(2) == 0)
        case 2: .int(pick([.min, .max, 0, -1, 5]))
        case 3: .double(pick([0, -0.0, 0.1, -1e-300, 1e300, 5, .infinity, -.infinity, .leastNonzeroMagnitude, 1 / 3]))
        case 4:
            .decimal(pick([0, Decimal(string: "-12345678901234567890.125") ?? 0, Decimal.greatestFiniteMagnitude, 7]))
        case 5: .date(Date(timeIntervalSinceReferenceDate: pick([0, -1e10, 0.1, .infinity])))
        case 6: .data(Data(pick([[], [0], [255, 0, 16]])))
        case 7: .uuid(UUID(uuid: (UInt8(int(256)), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)))
        case 8: URL(string: pick(["https://a.example/?b=c#d", "x:y", "%20"])).map { .url($0) } ?? .null
        case 9: .list((0..<int(4)).map { _ in value() })
        default: .string(name())
        }
    }

    private mutating func int(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &generator)]
    }
}
