import BenchKit
import DataMonk

/// Large updates, and updates one at a time.
extension DataMonkPeer {
    func findOrCreate(_ people: [PersonInput]) throws {
        try updater.beginUpdateAndWait { update in
            for input in people {
                let person = try update.fetchOrCreate(Person.self, %"name" == input.name)
                if person.isInserted { person.take(input) } else { person.age = input.age }
            }
            try update.commit()
        }
    }

    func fetchPeople(friendIDs: [Int64], afterChanging keys: [Int64]) throws -> (Digest, Stopwatch) {
        let changed = keys.compactMap { ids[Int($0)] }
        return try updater.beginUpdateAndWait { update in
            for (index, person) in try update.use(changed).enumerated() {
                person.friendID = friendIDs[index % friendIDs.count]
            }
            var digest = Digest()
            var stopwatch = Stopwatch()
            try stopwatch.time {
                for friendID in friendIDs {
                    for person in try update.fetchAll(Person.self, %"friendID" == friendID) {
                        person.add(to: &digest)
                    }
                }
            }
            return (digest, stopwatch)
        }
    }

    func insertSerially(_ people: [PersonInput], tasks: Int) throws {
        let updater = try Context(stack: stack, updateTarget: .persistentStore, updateOrder: .serial)
        try runInTasks(tasks) { task in
            for index in stride(from: task, to: people.count, by: tasks) {
                try await updater.update { update in
                    try update.create(Person.self).take(people[index])
                    try update.commit()
                }
            }
        }
    }

    func deletePeople(below age: Int) throws {
        try updater.beginUpdateAndWait { update in
            try update.deleteAll(Person.self, %"age" < age)
            try update.commit()
        }
    }
}
