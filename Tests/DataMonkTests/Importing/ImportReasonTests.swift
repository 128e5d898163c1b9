#if Macros
    import DataMonk
    import DataMonkSQLite
    import DataMonkTesting
    import Foundation
    import Testing

    /// Imports whose rows fail for reasons outside of the rows, or beside others.
    @Suite struct `Reasons of failing rows` {
        private static func entry(_ id: Int, _ values: [String: any Sendable] = [:]) -> [String: any Sendable] {
            values.merging(["id": id]) { first, _ in first }
        }

        @Test func `what others commit meanwhile is no change of a row`() async throws {
            let stack = try Bookkeeping.stack()
            try await stack.importRows(Bookkeeping.Entry.self, from: [Self.entry(1, ["account": 1])])
            let commits = Locked(0)
            @Sendable func charge() {
                let context = ManagedObjectContext(coordinator: stack.coordinator)
                do {
                    for account in try context.fetch(FetchRequest(entityName: "BookkeepingAccount")) {
                        try account.setValue(2, forKey: "total")
                    }
                    try context.save()
                    commits.withLock { $0 += 1 }
                } catch {
                    Issue.record(error)
                }
            }
            let report = try await Bookkeeping.$onImport.withValue(charge) {
                try await stack.importRows(
                    Bookkeeping.Entry.self, from: [Self.entry(1, ["account": 1, "order": "merge"])])
            }
            #expect(commits.withLock { $0 } > 0 && report.line == "0 0 1 0 0")
        }
    }
#endif
