import DataMonkCore
import DataMonkTesting
import Foundation
import Testing

/// Conditions that a program nests without end: each use answers or throws, and none needs a deep stack.
@Suite struct `Deep conditions` {
    private let model: ManagedObjectModel

    init() throws { model = try QueryModel.make() }

    private func expectTooDeep(_ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) {
        let error = #expect(throws: FetchError.self, sourceLocation: sourceLocation) { try body() }
        #expect(error?.code == .invalidRequest, sourceLocation: sourceLocation)
        #expect(error?.message.contains("100 levels") == true, sourceLocation: sourceLocation)
    }

    @Test(arguments: 0...2) func `are refused wherever they are used, and released`(way: Int) throws {
        let condition = Condition.deep(way)
        expectTooDeep { _ = try condition.evaluate(with: ["age": 4]) }
        expectTooDeep { _ = try condition.substituting([:]) }
        expectTooDeep { _ = try condition.equalities() }
        var request = FetchRequest(entityName: "Person", condition: condition)
        expectTooDeep { _ = try ResolvedFetch(request, model: model) }
        request.condition = nil
        request.resultType = .dictionaries
        request.propertiesToFetch = [.init("age")]
        request.propertiesToGroupBy = ["age"]
        request.havingCondition = condition
        expectTooDeep { _ = try ResolvedFetch(request, model: model) }
        #expect(condition.variableNames.isEmpty)
        #expect(throws: ModelError.self) {
            try ManagedObjectModel {
                EntityDescription("A") {
                    AttributeDescription(
                        "age", .integer64, validationPredicates: [ValidationPredicate(condition, warning: "")])
                }
            }
        }
    }

    @Test(arguments: 0...2) func `are equal, hashed and written as any other`(way: Int) throws {
        let (one, other) = (Condition.deep(way, 400), Condition.deep(way, 400))
        #expect((one == other) && one.hashValue == other.hashValue)
        #expect((one != Condition.deep(way, 399)))
        #expect(one.format.utf8.count > 400)
        let (deepest, equal) = (Condition.deep(way), Condition.deep(way))
        #expect((deepest == equal) && deepest.hashValue == equal.hashValue)
    }

    @Test func `are shared by trees that live on`() throws {
        var shared: Condition? = Condition.deep(0, 400)
        let trees = [Condition.not(try #require(shared)), .or([try #require(shared), .constant(true)])]
        shared = nil
        #expect(trees[0] == Condition.deep(0, 401))
        #expect((trees[1] != trees[0]))
    }

    @Test func `of 100 levels are used`() throws {
        #expect(try Condition.deep(0, 98).evaluate(with: ["age": 4]))
        #expect(try Condition.deep(0, 98).substituting([:]) == Condition.deep(0, 98))
        expectTooDeep { _ = try Condition.deep(0, 101).evaluate(with: ["age": 4]) }
    }
}
