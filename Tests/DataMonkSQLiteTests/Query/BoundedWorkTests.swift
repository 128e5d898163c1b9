import DataMonkCore
import DataMonkSQL
import DataMonkTesting
import Testing

/// What somebody may ask for costs in proportion to what was asked. Steps are counted: they are the same on every machine.
@Suite struct `Work of large queries in SQL` {
    /// The steps of a condition over some people.
    private func steps(_ condition: Condition, people: Int) throws -> Int {
        var generator = SeededGenerator(seed: 5)
        let graph = try QueryGraph(people: people, using: &generator)
        return try QueryDatabase(graph).steps(
            ResolvedFetch(FetchRequest(entityName: "Person", condition: condition), model: graph.model))
    }

    /// Texts and whole numbers are passed as JSON, doubles as parameters.
    @Test(arguments: ["location", "age", "height"])
    func `a long list is read once, not once a row`(path: String) throws {
        let count = path == "height" ? 30_000 : 100_000
        let values = (0..<count).map { number -> ManagedValue in
            switch path {
            case "location": .string("nobody \(number)")
            case "age": .int(Int64(number) + 1_000)
            default: .double(Double(number) + 0.25)
            }
        }
        let condition = Condition.compare(path, .isIn, .list(values))
        let few = try steps(condition, people: 10)
        let many = try steps(condition, people: 110)
        #expect(few < count * 20)
        #expect(many - few < 100 * 50)
    }

    @Test func `10,000 terms cost a few steps each`() throws {
        let terms = (0..<10_000).map { Condition.compare("age", .notEqual, .int(Int64($0) + 1_000)) }
        #expect(try steps(.and(terms), people: 10) < 10 * 10_000 * 10)
        let alternatives = (0..<10_000).map { Condition.compare("age", .equal, .int(Int64($0) + 1_000)) }
        #expect(try steps(.or(alternatives), people: 10) < 10 * 10_000 * 10)
    }

    @Test func `a negation of a negation costs nothing`() throws {
        let leaf = Condition.compare("age", .equal, 18)
        let deep = (0..<98).reduce(leaf) { tree, _ in .not(tree) }
        #expect(try steps(deep, people: 20) == steps(leaf, people: 20))
    }
}
