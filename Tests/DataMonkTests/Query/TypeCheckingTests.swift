import ApplicationCompiler
import Testing

/// A condition of ten terms costs the compiler little in every spelling. What is limited is the number of choices that
/// the type checker tries, which is the same on every machine.
///
/// In one `#Predicate` the choices multiply with each term, in Foundation's macro itself (seen with Swift 6.3: four terms in
/// 0.2 s, six in 6 s, ten not at all). Ten terms are several predicates, joined; where the closure's parameter has a type,
/// each needs a third of the choices.
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
            let name = #Predicate<Person> { (person: Person) -> Bool in
                person.age >= 18 && person.age < limit && person.name != "Monk"
            }
            let place = #Predicate<Person> { (person: Person) -> Bool in
                person.location == "Taipei" && person.height > 1.5
            }
            let age = #Predicate<Person> { (person: Person) -> Bool in person.friend?.age == 20 }
            let alone = #Predicate<Person> { (person: Person) -> Bool in person.friend == nil && person.born != nil }
            let apart = #Predicate<Person> { (person: Person) -> Bool in !(person.location == person.friend?.location) }
            let liked = #Predicate<Person> { (person: Person) -> Bool in person.friends.contains { $0.age > 40 } }
            return try World.fetchAll(
                Person.self, .Predicate(name) || .Predicate(place) && .Predicate(age)
                    || .Predicate(alone) && .Predicate(apart) && .Predicate(liked))
        }
        """,
    ]

    /// About three times of what each needs; one that grew with the power of its terms would need thousands of times.
    private static let scopes = [1_000, 3_000, 300, 3_000]

    @Test(arguments: zip(spellings, scopes))
    func `ten terms need few choices`(spelling: String, scopes: Int) throws {
        let errors = try Compiler().errors(
            in: Self.model + "@MainActor " + spelling, .nonisolated,
            frontendArguments: ["-solver-scope-threshold=\(scopes)"])
        #expect(errors.isEmpty, "\(errors)")
    }

    /// The same four terms need 12,610 choices where only Foundation is imported.
    @Test(arguments: ["import Foundation", "import DataMonk\nimport Foundation"])
    func `the operators of keys add no choices to Foundation's predicates`(imports: String) throws {
        let source = """
            \(imports)

            struct Monk { var name = ""; var age = 0; var height = 0.0 }

            func grown(_ limit: Int) -> Foundation.Predicate<Monk> {
                #Predicate<Monk> { $0.age >= 18 && $0.age < limit && $0.name != "Monk" && $0.height > 1.5 }
            }
            """
        let errors = try Compiler().errors(
            in: source, .nonisolated, frontendArguments: ["-solver-scope-threshold=14000"])
        #expect(errors.isEmpty, "\(errors)")
    }
}
