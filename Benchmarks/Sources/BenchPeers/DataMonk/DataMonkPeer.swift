import BenchKit
import DataMonk
import Foundation

/// **Confined**, to the main actor. DataMonk as an application uses it: a main context reads, updates write.
final class DataMonkPeer: Peer {
    static let name = "datamonk"
    static let schema = Schema.coreData

    private let stack: Stack
    private let world: MainContext
    private let updater: Context
    /// What the application shows, and so keeps: W2w and W7w find it registered.
    private var shown: [Person] = []
    /// By key.
    private var ids: [ObjectID<Person>?] = []

    static func makeTemplate(_ template: Template, at path: String, dataset: Dataset) throws {
        try DataMonkTemplate.make(template, at: path, dataset: dataset)
    }

    init(path: String, durability: Durability) throws {
        stack = try Stack(Person.self, Department.self, Employee.self)
        try stack.addDatabaseStore(
            fileURL: URL(fileURLWithPath: path), synchronous: durability == .full ? .full : .normal)
        world = try MainContext(stack: stack)
        updater = try Context(stack: stack, updateTarget: .persistentStore)
    }

    func close() throws {
        try reset()
        try stack.close()
    }

    func prepare(_ dataset: Dataset) throws {
        ids = Array(repeating: nil, count: dataset.count + 1)
        for id: ObjectID<Person> in try world.fetchAllID(Person.self) {
            guard let key = Int(id.uri.lastPathComponent.dropFirst()) else { throw BenchError("no key in \(id)") }
            ids[key] = id
        }
    }

    func reset() throws {
        shown = []
        world.reset()
    }

    // MARK: Reading

    func fetchAllPeople() throws -> Digest {
        shown = try world.fetchAll(Person.self)
        return digest(of: shown)
    }

    func fetchPeople(minimumAge: Int, location: String, limit: Int) throws -> Digest {
        shown = try world.fetchAll(
            Person.self, %"age" >= minimumAge && %"location" == location, orderBy: .Ascending("name"),
            options: .Limit(limit))
        return digest(of: shown)
    }

    func aggregate(minimumAge: Int) throws -> Digest {
        var digest = Digest()
        digest.add(try world.count(Person.self, %"age" >= minimumAge))
        let rows = try world.query(
            Person.self, .Select("location") | .Count("salary", alias: "count") | .Average("salary", alias: "mean"),
            groupBy: %"location")
        for row in rows {
            guard case .int(let count) = row["count"], case .decimal(let mean) = row["mean"] else {
                throw BenchError("unexpected row \(row)")
            }
            digest.row()
            digest.add(count)
            digest.addMean(NSDecimalNumber(decimal: mean).doubleValue)
        }
        return digest
    }

    func lookUp(ids keys: [Int64]) throws -> Digest {
        var digest = Digest()
        var people: [Person] = []
        for key in keys {
            guard let id = ids[Int(key)] else { throw BenchError("no person \(key)") }
            let person = try world.use(id)
            person.add(to: &digest)
            people.append(person)
        }
        shown = people
        return digest
    }

    /// An update for each, which begins with nothing.
    func lookUpSeparately(ids keys: [Int64]) throws -> Digest {
        var digest = Digest()
        for key in keys {
            guard let id = ids[Int(key)] else { throw BenchError("no person \(key)") }
            digest.add(
                try updater.beginUpdateAndWait { update in
                    var digest = Digest()
                    try update.use(id).add(to: &digest)
                    return digest
                })
        }
        return digest
    }

    func readDepartmentNames() throws -> Digest {
        departmentNames(of: try world.fetchAll(Employee.self, options: .Prefetch(["department"])))
    }

    func readDepartmentNamesLazily() throws -> Digest {
        departmentNames(of: try world.fetchAll(Employee.self))
    }

    // MARK: Writing

    func insert(_ people: [PersonInput]) throws {
        try updater.beginUpdateAndWait { update in
            for person in people { try update.create(Person.self).take(person) }
            try update.commit()
        }
    }

    func insertSeparately(_ people: [PersonInput]) throws {
        for person in people { try Self.insert(person, updater) }
    }

    func loadAndAgeTenth() throws {
        try updater.beginUpdateAndWait { update in
            let people = try update.fetchAll(Person.self)
            // Unordered people come in the order of their keys.
            for index in stride(from: 9, to: people.count, by: 10) { people[index].age += 1 }
            try update.commit()
        }
    }

    func delete(ids keys: [Int64]) throws {
        let people = keys.compactMap { ids[Int($0)] }
        try updater.beginUpdateAndWait { update in
            try update.delete(people)
            try update.commit()
        }
    }

    func readWhileWriting(seconds: Double, people: [PersonInput], greatestID: Int64) throws -> ConcurrentResult {
        try runConcurrently(seconds: seconds, greatestID: greatestID) { key in
            let page = ids[Int(key)..<Int(key) + 100].compactMap { $0 }
            let people = try world.fetch(Person.self, page)
            precondition(digest(of: people).rows == 100)
        } write: { [updater] index in
            try Self.insert(people[index], updater)
        }
    }

    private nonisolated static func insert(_ person: PersonInput, _ updater: Context) throws {
        try updater.beginUpdateAndWait { update in
            try update.create(Person.self).take(person)
            try update.commit()
        }
    }

    private func digest(of people: [Person]) -> Digest {
        var digest = Digest()
        for person in people { person.add(to: &digest) }
        return digest
    }

    private func departmentNames(of employees: [Employee]) -> Digest {
        var digest = Digest()
        for employee in employees {
            digest.row()
            digest.add(employee.name)
            digest.add(employee.title)
            digest.add(employee.salary)
            digest.add(employee.department?.name)
        }
        return digest
    }
}
