import BenchKit
import GRDB

/// A peer over GRDB's records: the workloads that need its query interface only.
protocol GRDBVariant: Peer, SendableMetatype {
    associatedtype Person: GRDBPerson
    var pool: DatabasePool { get }
    /// W13's list.
    var list: RawList { get }
    /// All students with their courses; gives how many they are.
    func loadStudents() throws -> Int
}

extension GRDBVariant {
    func close() throws { try pool.close() }

    func fetchAllPeople() throws -> Digest { digest(of: try pool.read { try Person.fetchAll($0) }) }

    func fetchPeople(minimumAge: Int, location: String, limit: Int) throws -> Digest {
        let people = try pool.read { database in
            try Person
                .filter(Column("age") >= minimumAge && Column("location") == location)
                .order(Column("name"))
                .limit(limit)
                .fetchAll(database)
        }
        return digest(of: people)
    }

    func fetchFirstPerson() throws -> Digest {
        digest(of: try pool.read { try Person.order(Column("id")).limit(1).fetchAll($0) })
    }

    func aggregate(minimumAge: Int) throws -> Digest {
        try pool.read { database in
            var digest = Digest()
            digest.add(try Person.filter(Column("age") >= minimumAge).fetchCount(database))
            let request =
                Person
                .select(Column("location"), count(Column("id")), average(Column("salary")))
                .group(Column("location"))
            for row in try Row.fetchAll(database, request) {
                digest.row()
                digest.add(row[1] as Int64)
                digest.addMean(row[2])
            }
            return digest
        }
    }

    func lookUp(ids: [Int64]) throws -> Digest {
        try pool.read { database in
            var digest = Digest()
            for id in ids { try Person.fetchOne(database, key: id)?.add(to: &digest) }
            return digest
        }
    }

    func lookUpSeparately(ids: [Int64]) throws -> Digest {
        var digest = Digest()
        for id in ids { try pool.read { try Person.fetchOne($0, key: id) }?.add(to: &digest) }
        return digest
    }

    func insert(_ people: [PersonInput]) throws {
        try pool.write { database in
            for person in people { try Person(person).insert(database) }
        }
    }

    func loadAndAgeTenth() throws {
        var people = try pool.read { try Person.fetchAll($0) }
        try pool.write { database in
            for index in people.indices where people[index].id % 10 == 0 {
                people[index].age += 1
                try people[index].update(database, columns: ["age"])
            }
        }
    }

    func delete(ids: [Int64]) throws {
        try pool.write { database in
            for id in ids { _ = try Person.deleteOne(database, key: id) }
        }
    }

    func insertSeparately(_ people: [PersonInput]) throws {
        for person in people { try pool.write { try Person(person).insert($0) } }
    }

    func readWhileWriting(seconds: Double, people: [PersonInput], greatestID: Int64) throws -> ConcurrentResult {
        try runConcurrently(seconds: seconds, greatestID: greatestID) { key in
            let page = try pool.read { database in
                try Person.filter(Column("id") >= key).order(Column("id")).limit(100).fetchAll(database)
            }
            precondition(digest(of: page).rows == 100)
        } write: { [pool] index in
            try pool.write { try Person(people[index]).insert($0) }
        }
    }

    private func digest(of people: [Person]) -> Digest {
        var digest = Digest()
        for person in people { person.add(to: &digest) }
        return digest
    }
}
