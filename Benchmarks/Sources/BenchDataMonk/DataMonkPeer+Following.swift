import BenchKit
import DataMonk

/// What the main context does when others commit.
extension DataMonkPeer {
    func follow(_ plan: ImportPlan) throws -> ImportResult {
        let people = plan.held == 0 ? [] : try world.fetchAll(Person.self, options: .Limit(plan.held))
        let ages = people.map(\.age)
        let result = try ImportResult { [world] in
            try await world.update { update in
                switch plan.kind {
                case .changes: try Self.ageEverybody(update)
                case .insertions: try Self.insert(plan.newPeople, update)
                }
            }
        }
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
