import ApplicationCompiler
import Testing

/// The compiler takes every form of a call with typed keys, and refuses wrong names and types.
@Suite struct `Forms of calls with typed keys` {
    private static let model = """
        import DataMonk
        import Foundation

        @Entity class Being: ManagedObject {
            var name: String = ""
            var code: Int = 0
        }

        @Entity final class Person: Being {
            var age: Int = 0
            var height: Double = 0
            var location: String?
            var born: Date?
            private(set) var secret: String = ""
            @Relationship(inverse: \\Person.friends) var friend: Person?
            var friends: Set<Person>
            @Relationship(inverse: \\House.people) var house: House?
            var isGrown: Bool { age >= 18 }
        }

        @Entity final class House: ManagedObject {
            var title: String = ""
            var people: [Person]
        }


        """

    /// Calls that a main context, a draft, a reader and an update have.
    private static let reading = """
            let isUp = limit > 3
            let kept: TypedOrder<Person> = .ascending(\\.name)
            let ofClass = TypedOrder<Person>.ascending(\\Person.name) | .descending(\\.friend.name)
            let some: OrderBy? = nil
            _ = try source.fetch(Person.self, orderBy: .ascending(\\.name))
            _ = try source.fetch(Person.self, orderBy: .ascending(\\Person.name))
            _ = try source.fetch(Person.self, %"age" > 3, orderBy: .descending(\\.friend.age), options: .Offset(1))
            _ = try source.fetch(Person.self, orderBy: kept) { $0.age > limit }
            _ = try source.fetch(Person.self, orderBy: nil)
            let monk: Person = try source.fetch(Person.self)
            _ = try source.fetchAll(Person.self, orderBy: some)
            _ = try source.fetchAll(Person.self, orderBy: nil)
            _ = try source.fetchAll(Person.self, orderBy: nil) { $0.age > limit }
            _ = try source.fetchAll(Person.self, orderBy: .ascending(\\.name) | .descending(\\.age))
            _ = try source.fetchAll(Person.self, orderBy: .ascending(\\Person.name) | .descending(\\Person.born))
            _ = try source.fetchAll(Person.self, orderBy: .descending(\\Person.location, comparator: .caseInsensitive))
            _ = try source.fetchAll(Person.self, orderBy: isUp ? .ascending(\\.name) : .descending(\\.name))
            _ = try source.fetchAll(Person.self, orderBy: isUp ? .ascending(\\Person.name) : .descending(\\Person.name))
            _ = try source.fetchAll(Person.self, orderBy: ofClass, options: .Limit(3))
            _ = try source.fetchAll(Person.self, orderBy: .ascending(\\.friend.house.title) | kept) { $0.in([monk]) }
            _ = try source.fetchAll(Being.self, orderBy: .ascending(\\.name)).first?.name
            _ = try source.fetchAll(House.self, orderBy: .ascending(\\.title)) { $0.people.count > 3 }.map(\\.title)
            let first = try source.first(Person.self, orderBy: .ascending(\\.name))
            _ = try source.first(Person.self)?.name
            _ = try source.first(Person.self, %"name"%.in(["Monk"]))?.name ?? first?.name
            if let old = try source.first(Person.self, orderBy: .descending(\\.age), where: { $0.age > 3 }) { _ = old }
            guard try source.exists(Person.self), try source.exists(Person.self, %"age" > limit) else { return }
            _ = try source.exists(Person.self) { $0.age > limit } && !source.exists(Person.self, where: { $0 == monk })
            _ = try source.fetchBatched(Person.self, orderBy: .ascending(\\.name), options: .Batch(3)).count
            _ = try source.fetchBatched(Person.self, options: .Batch(3)) { $0.age > limit }.first?.name
            _ = try source.fetchBatched(Person.self)
            _ = try source.fetchID(Person.self, orderBy: .ascending(\\.name))
            _ = try source.fetchAllID(Person.self, %"age" > limit, orderBy: .ascending(\\.name))
            _ = try source.fetchAll(Person.self, template: "old", ["AGE": 3], orderBy: .ascending(\\.name))
            _ = try source.explain(Person.self, orderBy: .ascending(\\.name)).plans
            _ = try source.explain(Person.self) { $0.age > limit }
            _ = try source.query(Person.self, .select(\\.name), orderBy: .ascending(\\.name))
            _ = try source.query(Person.self, .select(\\.name), .count, orderBy: .descending(.count), groupBy: .key(\\.name))
            _ = try source.query(Person.self, .Select("name"), orderBy: .Ascending("name"))
            _ = try source.fetchAll(Person.self).sorted(using: .ascending(\\.name) | .descending(\\Person.age))
            _ = try source.fetchAll(Person.self).sorted(using: .Ascending("name"))
            _ = try source.fetchAll(Person.self) {
                $0.location.in(["Rome", nil]) || $0.age.in([17, 18]) || $0.age.in([1, nil]) && $0.friend.age.in(Set([3]))
            }
            _ = try source.fetchAll(Person.self, %"age"%.in([17, 18]) && !(%"location"%.in(["Rome", nil])))
            _ = try source.fetchAll(Person.self, %"friend"%.in([monk]) || %"friend"%.in([monk.objectID]))
            _ = try source.fetchAll(Person.self, %"friends.age"%.any.in([limit, 41]))
            _ = try source.fetchAll(Person.self, %"self"%.in(Set([monk.objectID.erased])) && %"age"%.between(17...30))
            _ = try source.fetchAll(Person.self, (%"height").between(1.5...2) && (%"name").in(["a", "b"].lazy.map { $0 }))
            _ = try source.exists(Person.self, %"age"%.in(17...30) || %"age"%.in(0..<limit))
            _ = try source.exists(Person.self) { $0.age.in(17...30) || $0.friend.age.in(0..<limit) }

        """

    private static let lists = """
            _ = try World.fetchedResults(Person.self, orderBy: .Ascending("name"), sectionBy: %"name")
            _ = try World.fetchedResults(Person.self, orderBy: .ascending(\\.name))
            _ = try World.fetchedResults(Person.self, %"age" > limit, orderBy: .ascending(\\Person.name)).count
            _ = try World.fetchedResults(Person.self, orderBy: .ascending(\\.location) | .ascending(\\.name), sectionBy: \\.location)
            _ = try World.fetchedResults(
                Person.self, %"age" > limit, orderBy: .ascending(\\.friend.name), sectionBy: \\.friend.name)
            _ = try World.fetchedResults(Person.self, orderBy: .ascending(\\.name)) { $0.age > limit }
            let list: FetchedResults<Person> = try World.fetchedResults(
                Person.self, orderBy: .ascending(\\.age), sectionBy: \\.age, options: .Batch(3)
            ) { $0.age > limit && $0.friend.age < 3 }
            _ = list
            _ = try await World.fetchAsynchronously(Person.self, orderBy: .ascending(\\.name))
            _ = try await World.fetchAsynchronously(Person.self, orderBy: .ascending(\\.name)) { $0.age > limit }
            _ = try await World.fetchAsynchronously(Person.self, %"age" > limit) { done, total in print(done, total) }
            _ = try await World.fetchAsynchronously(Person.self, where: { $0.age > limit }) { done, total in
                print(done, total)
            }
            _ = try await World.fetchAsynchronously(Person.self) { $0.age > limit } progress: { print($0, $1) }

        """

    private static let batches = """
            try update.batchUpdate(Person.self, set: ["age": 3, "location": nil])
            try update.batchUpdate(Person.self, set: [:])
            try update.batchUpdate(Person.self, set: [.set(\\.age, to: 3)])
            try update.batchUpdate(Person.self, set: [.set(\\Person.age, to: limit), .set(\\.name, to: "Monk")])
            try update.batchUpdate(Person.self, %"age" > 3, set: [.set(\\.age) { $0.age + 1 }, .set(\\.location, to: nil)])
            try update.batchUpdate(Person.self, set: [.set(\\.location, to: "Rome"), .set(\\.born, to: Date())]) {
                $0.friend.age > limit
            }
            try update.batchUpdate(Person.self, set: [.set(\\.location) { $0.name }, .set(\\.name) { $0.location ?? "" }])
            try update.batchUpdate(Person.self, set: [.set(\\.born) { $0.born + 60 }, .set(\\.height) { $0.height * 2 }])
            let house: House? = try update.first(House.self)
            try update.batchUpdate(Person.self, set: [.set(\\.house, to: house)])
            try update.batchUpdate(Person.self, set: [.set(\\.house, to: nil)])
            if let house { try update.batchUpdate(Person.self, set: [.set(\\.house, to: house.objectID)]) { $0.age == 3 } }
            let kept: [TypedAssignment<Person>] = [.set(\\.age, to: 3), TypedAssignment.set(\\Person.name, to: "a")]
            let count: Int = try update.batchUpdate(Person.self, set: kept)
            _ = count
            try update.batchDelete(Person.self)
            try update.batchDelete(Person.self, %"age" > limit)
            try update.batchDelete(Person.self) { $0.age > limit }

        """

    private static var program: String {
        """
        \(model)
        @MainActor func read(_ source: MainContext, _ limit: Int) throws {
        \(reading)
        }
        @MainActor func read(_ source: Draft, _ limit: Int) throws {
        \(reading)
        }
        func read(_ source: Reader, _ limit: Int) throws {
        \(reading)
        }
        @MainActor func list(_ World: MainContext, _ limit: Int) async throws {
        \(lists)
        }
        func change(_ update: Update, _ limit: Int) throws {
        \(batches)
        }
        """
    }

    @Test(arguments: [5, 6], IsolationMode.allCases)
    func `every form compiles`(languageMode: Int, mode: IsolationMode) throws {
        let found = try Compiler().diagnostics(in: Self.program, mode, languageMode: languageMode)
        #expect(found.isEmpty, "\(found)")
    }

    /// About three times of what the dearest call needs.
    @Test func `no form needs many choices`() throws {
        let errors = try Compiler().errors(
            in: Self.program, .nonisolated, frontendArguments: ["-solver-scope-threshold=700"])
        #expect(errors.isEmpty, "\(errors)")
    }

    private static let wrong = [
        #"_ = try source.fetch(Person.self, orderBy: .ascending(\.nam))"#,
        #"_ = try source.fetch(Person.self, orderBy: .ascending(\.title))"#,
        #"_ = try source.fetch(Person.self, orderBy: .ascending(\House.title))"#,
        #"_ = try source.fetchAll(Person.self, orderBy: .ascending(\.friends))"#,
        #"_ = try source.fetchAll(Person.self, orderBy: .ascending(\.friend))"#,
        #"_ = try source.fetchAll(House.self, orderBy: TypedOrder<Person>.ascending(\.name))"#,
        #"_ = try source.fetchBatched(Person.self) { $0.name > 3 }"#,
        #"_ = try source.first(Person.self) { $0.nam == "Monk" }"#,
        #"_ = try source.exists(Person.self) { $0.age == "Monk" }"#,
        #"_ = try source.exists(Person.self) { $0.age.in(["Monk"]) }"#,
        #"_ = try source.exists(Person.self, %"age"%.in([source]))"#,
        #"_ = try source.exists(Person.self, %"height"%.in(1.5...2))"#,
        #"_ = try source.fetchedResults(Person.self, orderBy: .ascending(\.name), sectionBy: \.title)"#,
        #"_ = try source.fetchedResults(Person.self, orderBy: .ascending(\.name), sectionBy: \.friends)"#,
        #"_ = try source.fetchedResults(Person.self, orderBy: .ascending(\.title)) { $0.age > 3 }"#,
        #"try update.batchUpdate(Person.self, set: [.set(\.nam, to: "Monk")])"#,
        #"try update.batchUpdate(Person.self, set: [.set(\.age, to: "Monk")])"#,
        #"try update.batchUpdate(Person.self, set: [.set(\.age, to: nil)])"#,
        #"try update.batchUpdate(Person.self, set: [.set(\.age) { $0.name }])"#,
        #"try update.batchUpdate(Person.self, set: [.set(\.age) { $0.height * 2 }])"#,
        #"try update.batchUpdate(Person.self, set: [.set(\.isGrown, to: true)])"#,
        #"try update.batchUpdate(Person.self, set: [.set(\.secret, to: "Monk")])"#,
        #"try update.batchUpdate(Person.self, set: [.set(\.friend?.name, to: "Monk")])"#,
        #"try update.batchUpdate(Person.self, set: [.set(\.friends, to: [])])"#,
        #"try update.batchUpdate(Person.self, set: [.set(\.house, to: monk)])"#,
        #"try update.batchUpdate(Person.self, set: [.set(\House.title, to: "Monk")])"#,
        #"try update.batchUpdate(Person.self, set: [.set(\.age, to: 3)]) { $0.nam == "Monk" }"#,
        #"try update.batchDelete(Person.self) { $0.age == "Monk" }"#,
    ]

    /// All in one file, each under a name of its own.
    @Test func `wrong names and types are refused`() throws {
        let program = Self.wrong.enumerated().map { number, line in
            """
            #sourceLocation(file: "Wrong\(number)", line: 1)
            @MainActor func wrong\(number)(_ source: MainContext, _ update: Update, _ monk: Person) throws {
            \(line)
            }
            #sourceLocation()
            """
        }.joined(separator: "\n")
        let errors = try Compiler().errors(in: Self.model + program, .nonisolated)
        let files = Set(errors.map(\.file))
        for (number, line) in Self.wrong.enumerated() {
            #expect(files.contains("Wrong\(number)"), "this compiles: \(line)")
        }
        #expect(files.count == Self.wrong.count, "\(errors.filter { !$0.file.hasPrefix("Wrong") })")
    }
}
