import BenchKit
import GRDB

/// Large transactions.
extension GRDBRecordPeer {
    func findOrCreate(_ people: [PersonInput]) throws {
        try pool.write { database in
            for input in people {
                if var person = try Person.filter(Column("name") == input.name).fetchOne(database) {
                    person.age = input.age
                    try person.update(database, columns: ["age"])
                } else {
                    try Person(input).insert(database)
                }
            }
        }
    }

    func fetchPeople(friendIDs: [Int64], afterChanging ids: [Int64]) throws -> (Digest, Stopwatch) {
        var digest = Digest()
        var stopwatch = Stopwatch()
        try pool.writeInTransaction { database in
            for (index, id) in ids.enumerated() {
                var person = try Person.find(database, key: id)
                person.friendID = friendIDs[index % friendIDs.count]
                try person.update(database, columns: ["friend_id"])
            }
            try stopwatch.time {
                for friendID in friendIDs {
                    for person in try Person.filter(Column("friend_id") == friendID).fetchAll(database) {
                        person.add(to: &digest)
                    }
                }
            }
            return .rollback
        }
        return (digest, stopwatch)
    }

    func deletePeople(below age: Int) throws {
        _ = try pool.write { try Person.filter(Column("age") < age).deleteAll($0) }
    }
}
