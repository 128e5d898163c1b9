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

        @Test(arguments: [1, 100])
        func `values of others are found before an update commits`(chunkSize: Int) async throws {
            let stack = try Bookkeeping.stack()
            try await stack.importRows(Bookkeeping.Entry.self, from: [Self.entry(1, ["code": 5])])
            let report = try await Context(stack: stack).update { update in
                var options = ImportOptions()
                options.chunkSize = chunkSize
                let report = try update.import(
                    Bookkeeping.Entry.self, from: [Self.entry(2, ["code": 5]), Self.entry(3, ["code": 6])],
                    options: options)
                try update.commit()
                return report
            }
            #expect(report.failures.map(\.place.index) == [0] && report.inserted == 1)
        }

        @Test func `values of others are found whose name is that of a key`() async throws {
            let stack = Stack(
                model: try ManagedObjectModel {
                    EntityDescription(
                        "Shelf", uniquenessConstraints: [["id"]], userInfo: ["relatedByAttribute": "id"]
                    ) {
                        AttributeDescription("id", .integer64)
                        RelationshipDescription("books", to: "Book", inverse: "shelf", isToMany: true)
                    }
                    EntityDescription(
                        "Book", uniquenessConstraints: [["id"]], userInfo: ["relatedByAttribute": "title"]
                    ) {
                        AttributeDescription("id", .integer64)
                        AttributeDescription("title", .string)
                        RelationshipDescription("shelf", to: "Shelf", inverse: "books")
                    }
                })
            try stack.addInMemoryStore()
            let rows: [[String: ManagedValue]] = [
                ["title": "a", "id": 1], ["title": "b", "id": 1, "shelf": 3], ["title": "c", "id": 2, "shelf": 3],
            ]
            let report = try await Context(stack: stack).update { update in
                _ = try update.import(entityName: "Book", from: [ImportRow]([rows[0]]))
                let report = try update.import(entityName: "Book", from: [ImportRow](Array(rows[1...])))
                try update.commit()
                return report
            }
            #expect(report.failures.map(\.place.index) == [0] && report.inserted == 1, "\(report.failures)")
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
