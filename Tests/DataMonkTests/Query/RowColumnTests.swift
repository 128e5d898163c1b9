import DataMonk
import Testing

@MainActor @Suite struct `Columns of a row` {
    private let World: MainContext

    init() throws {
        let stack = try Stack(Person.self)
        try stack.addInMemoryStore()
        World = try MainContext(stack: stack)
    }

    @Test func `are read as the types that are asked for`() async throws {
        try await World.update { update in
            for age in [40, 50] {
                let person = try update.create(Person.self)
                (person.age, person.location) = (age, "Taipei")
            }
            try update.commit()
        }
        let select: Select = .Select("location") | .Sum("age", alias: "age") | .Average("age", alias: "mean")
        let row = try #require(try World.query(Person.self, select, groupBy: %"location").first)
        #expect(try row["location", as: String.self] == "Taipei")
        #expect(try row["age", as: Int.self] == 90)
        #expect(try row["mean", as: Double.self] == 45)
        #expect(try World.query(Person.self, .Min("name", alias: "n"), %"age" > 99)[0]["n", as: String.self] == nil)
    }

    @Test func `that are missing or of another type are errors that name them`() throws {
        let row: [String: ManagedValue] = ["age": 40, "mean": .double(4.5)]
        let missing = #expect(throws: FetchError.self) { try row["ages", as: Int.self] }
        #expect(missing?.code == .unknownKey && missing?.message.contains("age, mean") == true)
        let other = #expect(throws: FetchError.self) { try row["age", as: String.self] }
        #expect(other?.code == .typeMismatch && other?.keyPath == "age")
        #expect(throws: FetchError.self) { try row["mean", as: Int.self] }
    }
}
