import Testing

/// A condition of ten terms costs the compiler little in every spelling. What is limited is the number of choices that
/// the type checker tries, which is the same on every machine.
@Suite struct `Type checking of conditions` {
    private static let model = """
        import DataMonk
        import Foundation

        @Entity final class Person: ManagedObject {
            var name: String = ""
            var age: Int = 0
            var height: Double = 0
            var location: String?
            var born: Date?
            @Relationship(inverse: \\Person.friends) var friend: Person?
            var friends: Set<Person>
        }

        """

    private static let spellings = [
        """
        func find(_ World: MainContext, _ limit: Int) throws -> [Person] {
            try World.fetchAll(Person.self, %"age" >= 18 && %"age" < limit && %"name" != "Monk" || %"location" == "Taipei"
                && %"height" > 1.5 && %"friend.age" > 20 || %"friend" == nil && %"born" != nil
                && !(%"location" == %"friend.location") && %"friends.age"%.any > 40,
                orderBy: .Ascending("name") | .Descending("age"), options: .Limit(100) | .Offset(20))
        }
        """,
        """
        func find(_ World: MainContext, _ limit: Int) throws -> [Person] {
            try World.fetchAll(Person.self, orderBy: .ascending(\\.name) | .descending(\\.friend.age), options: .Limit(100)) {
                $0.age >= 18 && $0.age < limit && $0.name != "Monk" || $0.location == "Taipei"
                    && $0.height > 1.5 && $0.friend.age * 2 + 1 > 20 || $0.friend == nil && $0.born != nil
                    && !($0.location == $0.friend.location) && $0.friends.any { $0.age > 40 }
            }
        }
        """,
        """
        func find(_ World: MainContext, _ limit: Int) throws -> [Person] {
            try World.fetchAll(Person.self, .Where(
                "age >= %d && age < %d && name != %@ || location == %@ && height > %f && friend.age > %d "
                    + "|| friend == nil && born != nil && !(location == friend.location) && ANY friends.age > %d",
                18, limit, "Monk", "Taipei", 1.5, 20, 40))
        }
        """,
        """
        func find(_ World: MainContext, _ limit: Int) throws -> [Person] {
            try World.fetchAll(Person.self, .Predicate(#Predicate<Person> {
                $0.age >= 18 && $0.age < limit && $0.name != "Monk" || $0.location == "Taipei"
                    && $0.height > 1.5 && $0.friend?.age == 20 || $0.friend == nil && $0.born != nil
                    && !($0.location == $0.friend?.location) && $0.friends.contains { $0.age > 40 }
            }))
        }
        """,
    ]

    /// Ten times of what the costliest needs; a spelling that grows with the power of its terms needs thousands of times.
    private static let scopes = 10_000

    @Test(arguments: spellings.indices)
    func `ten terms need few choices`(spelling: Int) throws {
        let errors = try Compiler().errors(
            in: Self.model + "@MainActor " + Self.spellings[spelling], .nonisolated,
            frontendArguments: ["-solver-scope-threshold=\(Self.scopes)"])
        #expect(errors.isEmpty, "\(errors)")
    }
}
