import BenchKit
import GRDB

/// W11, W12, W13: what happens beside the caller.
extension GRDBVariant {
    func insertSeparately(_ people: [PersonInput], tasks: Int) throws {
        try runInTasks(tasks) { [pool] task in
            for index in stride(from: task, to: people.count, by: tasks) {
                try await pool.write { try Person(people[index]).insert($0) }
            }
        }
    }

    /// What is shown is fetched again after each commit that may concern it, off the main actor.
    func follow(_ plan: ImportPlan) throws -> ImportResult {
        if plan.held == 0 { throw NotDone() }
        var shown: [Person] = []
        let observation = ValueObservation.tracking { try Person.limit(plan.held).fetchAll($0) }
            .start(in: pool, scheduling: .immediate, onError: { log("\($0)") }, onChange: { shown = $0 })
        defer { observation.cancel() }
        let ages = shown.map(\.age)
        let result = try ImportResult { [pool] in
            switch plan.kind {
            case .changes: try await Self.ageEverybody(pool)
            case .insertions, .rows: try await Self.insert(plan.newPeople, pool)
            }
        }
        if plan.kind == .changes, shown.map(\.age) != ages.map({ $0 + 1 }) {
            throw BenchError("the observation has not followed")
        }
        return result
    }

    private nonisolated static func ageEverybody(_ pool: DatabasePool) async throws {
        try await pool.write { database in
            for var person in try Person.fetchAll(database) {
                person.age += 1
                try person.update(database, columns: ["age"])
            }
        }
    }

    private nonisolated static func insert(_ people: [PersonInput], _ pool: DatabasePool) async throws {
        for start in stride(from: 0, to: people.count, by: ImportPlan.commitSize) {
            let page = people[start..<min(start + ImportPlan.commitSize, people.count)]
            try await pool.write { database in
                for person in page { try Person(person).insert(database) }
            }
        }
    }

    func openList() throws { list.ids = try listedIDs() }

    /// Fetches the list again and compares, as raw does.
    func changeList(_ people: [PersonInput]) throws -> Int {
        try pool.write { database in
            for person in people { try Person(person).update(database, columns: ["name", "location"]) }
        }
        let ids = try listedIDs()
        let difference = ids.difference(from: list.ids)
        list.ids = ids
        return difference.insertions.count
    }

    private func listedIDs() throws -> [Int64] {
        try pool.read { database in
            try Person.select(Column("id"), as: Int64.self).order(Column("location"), Column("name"))
                .fetchAll(database)
        }
    }
}
