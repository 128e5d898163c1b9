import BenchKit
import DataMonk

/// What the main context does when others commit.
extension DataMonkPeer {
    func follow(_ plan: ImportPlan) throws -> ImportResult {
        let people = plan.held == 0 ? [] : try world.fetchAll(Person.self, options: .Limit(plan.held))
        let ages = people.map(\.age)
        let list = plan.kind == .rows ? try ShortList(in: world) : nil
        let result = try ImportResult { [world, stack] in
            switch plan.kind {
            case .changes: try await world.update { try Self.ageEverybody($0) }
            case .insertions: try await world.update { try Self.insert(plan.newPeople, $0) }
            case .rows: try await Self.importRows(plan.newPeople, stack)
            }
        }
        try list?.requireAll(plan.newPeople)
        if plan.kind == .changes, people.map(\.age) != ages.map({ $0 + 1 }) {
            throw BenchError("the main context has not followed")
        }
        return result
    }

    private nonisolated static func ageEverybody(_ update: Update) throws {
        for person in try update.fetchAll(Person.self) { person.age += 1 }
        try update.commit()
    }

    private nonisolated static func insert(_ people: [PersonInput], _ update: Update) throws {
        for start in stride(from: 0, to: people.count, by: ImportPlan.commitSize) {
            for person in people[start..<min(start + ImportPlan.commitSize, people.count)] {
                try update.create(Person.self).take(person)
            }
            try update.commit()
        }
    }

    private nonisolated static func importRows(_ people: [PersonInput], _ stack: Stack) async throws {
        var next = people.makeIterator()
        let rows = ImportRows(AsyncStream { next.next() }) { person, place in
            ImportRow(
                at: place,
                values: [
                    "name": .string(person.name), "age": .int(Int64(person.age)),
                    "location": person.location.map { .string($0) } ?? .null, "salary": .double(person.salary),
                    "created": .double(person.created), "friendID": person.friendID.map { .int($0) } ?? .null,
                ])
        }
        var options = ImportOptions()
        options.chunkSize = ImportPlan.commitSize
        let report = try await stack.importRows(Person.self, from: rows, options: options)
        if report.inserted != people.count { throw BenchError("\(report)") }
    }

    func openList() throws { list = try FollowedList(in: world) }

    func changeList(_ people: [PersonInput]) throws -> Int {
        guard let list else { throw BenchError("no list") }
        let changes = try people.map { (id: try id(of: $0.id), person: $0) }
        list.changeCount = 0
        try updater.beginUpdateAndWait { update in
            for change in changes {
                let person = try update.use(change.id)
                person.name = change.person.name
                person.location = change.person.location
            }
            try update.commit()
        }
        let deadline = now() + 10_000_000_000
        _ = Heart.beat { list.changeCount >= people.count || now() > deadline }
        return list.changeCount
    }
}

/// **Confined**, to the main actor. A list of the people of one age, of whom an import brings as many again.
@MainActor
private final class ShortList {
    private static let age = 30
    private let world: MainContext
    private let results: FetchedResults<Person>
    private let count: Int

    init(in world: MainContext) throws {
        self.world = world
        results = try world.fetchedResults(Person.self, %"age" == Self.age, orderBy: .Ascending("name"))
        count = results.objects.count
    }

    func requireAll(_ newPeople: [PersonInput]) throws {
        let expected = count + newPeople.count { $0.age == Self.age }
        let people = try world.fetchAll(Person.self, %"age" == Self.age, orderBy: .Ascending("name"))
        if results.objects.count != expected || results.objects.map(\.name) != people.map(\.name) {
            throw BenchError(
                "\(results.objects.count) people in the list, \(people.count) fetched, \(expected) expected")
        }
    }
}

/// **Confined**, to the main actor. A list of all people and what it has told.
@MainActor
final class FollowedList {
    let results: FetchedResults<Person>
    /// How many objects the differences have named.
    var changeCount = 0
    private var observation: ContextObservation?

    init(in world: MainContext) throws {
        results = try world.fetchedResults(
            Person.self, orderBy: .Ascending("location") | .Ascending("name"), sectionBy: %"location")
        observation = results.observeChanges { [weak self] in self?.changeCount += $0.objects.count }
    }
}
