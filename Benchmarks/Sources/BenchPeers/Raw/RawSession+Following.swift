import BenchKit
import SystemSQLite

/// **Confined.** What a list shows: keys in order.
final class RawList {
    var ids: [Int64] = []
}

extension RawSession {
    func openList() throws { list.ids = try listedIDs() }

    /// Reads the list again and compares: without an engine nobody knows what a change does to an order.
    func changeList(_ people: [PersonInput]) throws -> Int {
        try connection.inTransaction("BEGIN IMMEDIATE") {
            let update = try connection.statement(RawSQL.changeInList)
            for person in people {
                bindText(update, 1, person.name)
                bindText(update, 2, person.location)
                sqlite3_bind_int64(update, 3, person.id)
                try connection.run(update)
            }
        }
        let ids = try listedIDs()
        let difference = ids.difference(from: list.ids)
        list.ids = ids
        return difference.insertions.count
    }

    /// Nothing follows: what the main actor notices is what the machine does to it beside such an import.
    @MainActor
    func follow(_ plan: ImportPlan) throws -> ImportResult {
        // Only the import uses this session until the call ends.
        nonisolated(unsafe) let session = self
        return try ImportResult {
            switch plan.kind {
            case .changes: try session.loadAndAgeAll()
            case .insertions, .rows:
                for start in stride(from: 0, to: plan.newPeople.count, by: ImportPlan.commitSize) {
                    let end = min(start + ImportPlan.commitSize, plan.newPeople.count)
                    try session.insert(Array(plan.newPeople[start..<end]))
                }
            }
        }
    }

    private func listedIDs() throws -> [Int64] {
        let statement = try connection.statement(RawSQL.list)
        var ids: [Int64] = []
        while try connection.step(statement) { ids.append(sqlite3_column_int64(statement, 0)) }
        sqlite3_reset(statement)
        return ids
    }
}
