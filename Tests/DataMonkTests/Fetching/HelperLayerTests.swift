import DataMonk
import Foundation
import Testing

@Suite @MainActor struct `Fetches as an application writes them` {
    private let folder: TemporaryFolder
    private let World: MainContext

    init() async throws {
        folder = try TemporaryFolder()
        let model = try ManagedObjectModel(
            classes: [Person.self],
            fetchRequestTemplates: [
                FetchRequestTemplate("olderThan", entityName: "Person", predicateFormat: "age > $AGE")
            ])
        let stack = Stack(model: model)
        try stack.addDatabaseStore(fileURL: folder.file("people.sqlite"))
        World = try MainContext(stack: stack)
        try await World.update { update in
            for number in 0..<50 {
                let person = try update.create(Person.self)
                person.name = "p\(number)"
                person.age = number
                person.location = number % 2 == 0 ? "Taipei" : "Tainan"
            }
            try update.commit()
        }
    }

    @Test func `a template is fetched by its name`() async throws {
        let old = try World.fetchAll(Person.self, template: "olderThan", ["AGE": 46], orderBy: .Ascending("age"))
        #expect(old.map(\.age) == [47, 48, 49])
        #expect(try World.count(Person.self, template: "olderThan", ["AGE": 46]) == 3)
        #expect(try World.fetchAllID(Person.self, template: "olderThan", ["AGE": 48]) == [old[2].objectID])
        let limited = try await World.read { reader in
            try reader.fetchAll(Person.self, template: "olderThan", ["AGE": 1], options: .Limit(2)).count
        }
        #expect(limited == 2)
    }

    @Test func `a template for another class is refused`() throws {
        let error = #expect(throws: FetchError.self) { try World.fetchAll(Person.self, template: "older", ["AGE": 4]) }
        #expect(error?.code == .unknownTemplate)
    }

    @Test func `batches come as arrays of faults, or as arrays that drop them`() throws {
        let people = try World.fetchAll(Person.self, orderBy: .Ascending("age"), options: .Batch(10))
        #expect(people.map(\.age) == Array(0..<50))
        let batched = try World.fetchBatched(
            Person.self, %"location" == "Taipei", orderBy: .Descending("age"), options: .Batch(10))
        #expect(batched.batchSize == 10 && batched.count == 25)
        #expect(batched.prefix(3).map(\.age) == [48, 46, 44])
        #expect(batched.lazy.filter { $0.age < 4 }.map(\.name).elementsEqual(["p2", "p0"]))
        #expect(batched.objectIDs[0] == batched[0].objectID)
    }

    @Test func `certain properties are read where a class asks for them`() throws {
        World.reset()
        let people = try World.fetchAll(Person.self, orderBy: .Ascending("age"), options: .PropertiesOnly(["age"]))
        #expect(people.map(\.age) == Array(0..<50))
        #expect(people.faultCount == people.count)
        #expect(people[3].name == "p3" && !people[3].isFault)
    }

    @Test func `a value comes in the type that was asked for`() throws {
        #expect(try World.queryValue(Person.self, .Max("age"), as: Int.self) == 49)
        #expect(try World.queryValue(Person.self, .Average("age"), as: Double.self) == 24.5)
        #expect(try World.queryValue(Person.self, .Min("name"), %"age" > 100, as: String.self) == nil)
        #expect(throws: FetchError.self) { try World.queryValue(Person.self, .Max("name"), as: Int.self) }
    }

    @Test func `expressions are columns`() throws {
        let rows = try World.query(
            Person.self, .Select("name") | .Expression("age * %d", 2, alias: "twice"), orderBy: .Descending("twice"),
            options: .Limit(1))
        #expect(rows == [["name": "p49", "twice": 98]])
    }

    @Test func `an option may change anything about a request but what its results are read as`() throws {
        let rows = try World.query(
            Person.self, .Select("location") | .Count("self", alias: "people"), groupBy: %"location",
            options: .PropertiesOnly(["age"])
                | .Tweak { $0.havingCondition = .compare("location", .equal, "Taipei") })
        #expect(rows == [["location": "Taipei", "people": 25]])
        let limited = try World.fetchAll(Person.self, options: .Tweak { $0.fetchLimit = 3 })
        #expect(limited.count == 3)
        for tweak in [
            QueryOptions.Tweak { $0.propertiesToFetch = [.init("name")] }, .Tweak { $0.resultType = .managedObjects },
        ] {
            let error = #expect(throws: FetchError.self) {
                try World.query(Person.self, .Select("age"), options: tweak)
            }
            #expect(error?.code == .invalidRequest)
        }
        let error = #expect(throws: FetchError.self) {
            try World.fetchAll(Person.self, options: .Tweak { $0.entityName = "Nobody" })
        }
        #expect(error?.code == .unknownEntity)
    }

    @Test func `a fetch and a query explain themselves`() throws {
        let fetch = try World.explain(Person.self, %"location" == "Taipei" && %"age" >= 18)
        #expect(fetch.suggestedDeclaration == #"#Index<Person>([\.location, \.age])"#)
        #expect(try World.explain(Person.self, results: .count).statement == "SELECT COUNT(*) FROM ZPERSON t0")
        let rows = try World.explain(Person.self, .Select("location") | .Average("age"), groupBy: %"location")
        #expect(rows.statement?.contains("GROUP BY t0.ZLOCATION") == true)
        #expect(rows.suggestedDeclaration == #"#Index<Person>([\.location])"#)
    }
}

extension `Fetches as an application writes them` {
    @Test func `an asynchronous fetch tells how far it is`() async throws {
        var told: [[Int]] = []
        let people = try await World.fetchAsynchronously(
            Person.self, %"age" < 45, orderBy: .Descending("age"), options: .Batch(20)
        ) { told.append([$0, $1]) }
        #expect(people.map(\.age) == (0..<45).reversed())
        #expect(told == [[20, 45], [40, 45], [45, 45]])
    }

    @Test func `an asynchronous fetch ends when its task is cancelled`() async throws {
        let World = World
        let task = Task { @MainActor in
            var turns = 0
            do {
                _ = try await World.fetchAsynchronously(Person.self, options: .Batch(10)) { _, _ in
                    turns += 1
                    withUnsafeCurrentTask { $0?.cancel() }
                }
                return -1
            } catch is CancellationError {
                return turns
            }
        }
        #expect(try await task.value == 1)
    }
}
