import DataMonkCore
import DataMonkTesting
import Foundation
import Testing

/// Conditions that a program nests without end: each use answers or throws, and none needs a deep stack.
@Suite struct `Deep conditions` {
    private let model: ManagedObjectModel

    init() throws { model = try QueryModel.make() }

    private static func depth(_ way: Int) -> Int { way == 0 ? 1_000_000 : 200_000 }

    /// - Parameter way: 0 by NOT, 1 by OR, 2 by AND.
    private func deep(_ way: Int, _ given: Int? = nil) -> Condition {
        let depth = given ?? Self.depth(way)
        var condition = Condition.compare("age", .greaterThan, 3)
        for _ in 0..<depth {
            switch way {
            case 0: condition = .not(condition)
            case 1: condition = .or([condition, .constant(false)])
            default: condition = .and([.constant(true), condition])
            }
        }
        return condition
    }

    private func expectTooDeep(_ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) {
        let error = #expect(throws: FetchError.self, sourceLocation: sourceLocation) { try body() }
        #expect(error?.code == .invalidRequest, sourceLocation: sourceLocation)
        #expect(error?.message.contains("100 levels") == true, sourceLocation: sourceLocation)
    }

    @Test(arguments: 0...2) func `are refused wherever they are used, and released`(way: Int) throws {
        let condition = deep(way)
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
        let (one, other) = (deep(way, 400), deep(way, 400))
        #expect((one == other) && one.hashValue == other.hashValue)
        #expect((one != deep(way, 399)))
        #expect(one.format.utf8.count > 400)
        // Far deeper than a recursive comparison on any stack.
        let (deepest, equal) = (deep(way), deep(way))
        #expect((deepest == equal) && deepest.hashValue == equal.hashValue)
    }

    /// Threads of updates have small stacks.
    @Test func `are released on threads with small stacks, several at a time`() async {
        await withTaskGroup(of: Void.self) { group in
            for way in 0..<6 { group.addTask { _ = self.deep(way % 3, 200_000) } }
        }
    }

    @Test func `are shared by trees that live on`() throws {
        var shared: Condition? = deep(0, 400)
        let trees = [Condition.not(try #require(shared)), .or([try #require(shared), .constant(true)])]
        shared = nil
        #expect(trees[0] == deep(0, 401))
        #expect((trees[1] != trees[0]))
    }

    @Test func `of 100 levels are used`() throws {
        #expect(try deep(0, 98).evaluate(with: ["age": 4]))
        #expect(try deep(0, 98).substituting([:]) == deep(0, 98))
        expectTooDeep { _ = try deep(0, 101).evaluate(with: ["age": 4]) }
    }
}
