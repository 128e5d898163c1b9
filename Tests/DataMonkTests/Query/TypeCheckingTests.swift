import Testing

/// A condition of ten terms costs the compiler little in every spelling. What is limited is the number of choices that
/// the type checker tries, which is the same on every machine.
///
/// In one `#Predicate` the choices grow five times with each term, whatever the terms are (seen with Swift 6.3: four terms
/// in 0.2 s, six in 6 s, ten not at all): ten terms are several predicates, joined.
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
            let name = #Predicate<Person> { $0.age >= 18 && $0.age < limit && $0.name != "Monk" }
            let place = #Predicate<Person> { $0.location == "Taipei" && $0.height > 1.5 }
            let age = #Predicate<Person> { $0.friend?.age == 20 }
            let alone = #Predicate<Person> { $0.friend == nil && $0.born != nil }
            let friends = #Predicate<Person> {
                !($0.location == $0.friend?.location) && $0.friends.contains { $0.age > 40 }
            }
            return try World.fetchAll(
                Person.self, .Predicate(name) || .Predicate(place) && .Predicate(age)
                    || .Predicate(alone) && .Predicate(friends))
        }
        """,
    ]

    /// About three times of what each needs; one that grew with the power of its terms would need thousands of times.
    private static let scopes = [1_000, 3_000, 300, 30_000]

    @Test(arguments: zip(spellings, scopes))
    func `ten terms need few choices`(spelling: String, scopes: Int) throws {
        let errors = try Compiler().errors(
            in: Self.model + "@MainActor " + spelling, .nonisolated,
            frontendArguments: ["-solver-scope-threshold=\(scopes)"])
        #expect(errors.isEmpty, "\(errors)")
    }
}
