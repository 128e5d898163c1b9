import BenchKit
import DataMonk

extension DataMonkPeer {
    func insert(_ people: [PersonInput]) throws {
        try updater.beginUpdateAndWait { update in
            for person in people { try update.create(Person.self).take(person) }
            try update.commit()
        }
    }

    func insertSeparately(_ people: [PersonInput]) throws {
        for person in people { try Self.insert(person, updater) }
    }

    func insertSeparately(_ people: [PersonInput], tasks: Int) throws {
        try runInTasks(tasks) { [updater] task in
            for index in stride(from: task, to: people.count, by: tasks) {
                try await updater.update { update in
                    try update.create(Person.self).take(people[index])
                    try update.commit()
                }
            }
        }
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
}
