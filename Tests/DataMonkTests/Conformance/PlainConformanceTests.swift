import DataMonk
import DataMonkFixtures
import Foundation
import Testing

/// Predicates of literal objects, as other implementations and their tests observed them.
@Suite(.requiresFixtures("conformance"))
struct PlainConformanceTests {
    @Test(
        arguments: [
            ("zeeql-qualifier", 39), ("winobjc-nspredicate", 19), ("cocotron-predicate", 16),
            ("coredataplus-expression", 3), ("swift-foundation-conversion", 24), ("predicatekit-fetch", 26),
        ])
    func `each predicate means what it meant there`(file: String, count: Int) throws {
        let samples = try ConformanceCase.all(in: "\(file).jsonl")
        #expect(samples.count == count)
        for sample in samples {
            let outcome = Result { try Self.outcome(of: sample) }
            if sample.expect == .string("throws") {
                #expect(throws: FetchError.self, "\(sample)") { try outcome.get() }
            } else {
                #expect(try outcome.get(), "\(sample): \(sample.expect)")
            }
        }
    }

    /// Whether the case is as it is expected.
    private static func outcome(of sample: ConformanceCase) throws -> Bool {
        let format = sample.format ?? ""
        let arguments = (sample.args ?? []).map { $0.constant() }
        let variables = (sample.vars ?? [:]).mapValues(\.plain)
        let object = sample.object?.plain ?? .null
        switch sample.kind {
        case "eval":
            let isTrue = try Condition(format: format, arguments: arguments)
                .evaluate(with: object, substitutionVariables: variables)
            return sample.expect == .bool(isTrue)
        case "filter":
            let condition = try Condition(format: format, arguments: arguments)
            let objects = (sample.objects ?? []).map(\.plain)
            let indices = try objects.indices.filter {
                try condition.evaluate(with: objects[$0], substitutionVariables: variables)
            }
            return sample.expect == .dictionary(["indices": .list(indices.map { .int(Int64($0)) })])
        case "expr":
            let expression = try ConditionExpression(format: format, arguments: arguments)
            let value = try expression.value(with: object, substitutionVariables: variables)
            // As numbers: 15 and 15.0 are equal.
            let isEqual = Condition.comparison(.init(.variable("a"), .equal, .variable("b")))
            return try isEqual.evaluate(
                with: .null, substitutionVariables: ["a": value, "b": sample.expect.plain])
        default:
            Issue.record("\(sample.kind) is an unknown kind of case")
            return false
        }
    }
}
