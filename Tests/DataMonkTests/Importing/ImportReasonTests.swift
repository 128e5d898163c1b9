#if Macros
    import DataMonk
    import DataMonkSQLite
    import DataMonkTesting
    import Foundation
    import Testing

    /// Imports whose rows fail for reasons outside of the rows, or beside others.
    @Suite struct `Reasons of failing rows` {
        private let folder = Result { try TemporaryFolder() }

        private static func entry(_ id: Int, _ values: [String: any Sendable] = [:]) -> [String: any Sendable] {
            values.merging(["id": id]) { first, _ in first }
        }

        /// Returns a stack with entry 9 of account 1, in a file that a statement has damaged.
        private func damagedStack(_ statement: String) async throws -> Stack {
            let file = try folder.get().file("books.sqlite")
            func open() throws -> Stack {
                let stack = try Stack(Bookkeeping.Account.self, Bookkeeping.Entry.self, Bookkeeping.Label.self)
                try stack.addDatabaseStore(fileURL: file)
                return stack
            }
            let first = try open()
            try await first.importRows(Bookkeeping.Entry.self, from: [Self.entry(9, ["account": 1])])
            try first.close()
            let connection = try SQLiteConnection(fileURL: file, options: SQLiteOptions(access: .readWrite))
            try connection.execute(statement)
            try connection.close()
            let stack = try open()
            stack.onError { _ in }
            return stack
        }

        @Test(arguments: [false, true])
        func `a hook that reads a damaged value ends the import`(isDryRun: Bool) async throws {
            let stack = try await damagedStack("UPDATE ZBOOKKEEPINGACCOUNT SET ZTOTAL = 'damaged'")
            var options = ImportOptions()
            options.isDryRun = isDryRun
            let error = try await #require(throws: ImportError.self) {
                try await stack.importRows(
                    Bookkeeping.Entry.self, from: [Self.entry(8), Self.entry(9, ["order": "look"])], options: options)
            }
            #expect(error.code == .commitFailed && (error.underlyingError as? StoreError)?.code == .corrupt)
            #expect(error.report?.failed ?? 0 == 0)
            #expect(error.message.contains("Nothing was written.") == isDryRun)
            try stack.close()
        }

        @Test func `a delete rule that reads a damaged object ends a dry run`() async throws {
            let stack = try await damagedStack("UPDATE ZBOOKKEEPINGENTRY SET ZCODE = 'damaged'")
            var options = ImportOptions()
            options.isDryRun = true
            let error = try await #require(throws: ImportError.self) {
                try await stack.importRows(
                    Bookkeeping.Entry.self, from: [Self.entry(8, ["account": 1, "order": "close"])], options: options)
            }
            #expect(error.code == .commitFailed && (error.underlyingError as? StoreError)?.code == .corrupt)
            try stack.close()
        }

        @Test(arguments: [false, true])
        @MainActor func `an update's merge policy settles values that stored objects have`(
            besideFailure: Bool
        ) async throws {
            let stack = try Bookkeeping.stack()
            try await stack.importRows(Bookkeeping.Entry.self, from: [Self.entry(1, ["code": 5])])
            let World = try MainContext(stack: stack)
            let rows = [Self.entry(2, ["code": 5])] + (besideFailure ? [Self.entry(3, ["title": ""])] : [])
            let reports = try await World.update { update in
                var dryRun = ImportOptions()
                dryRun.isDryRun = true
                let foreseen = try update.import(Bookkeeping.Entry.self, from: rows, options: dryRun)
                let report = try update.import(Bookkeeping.Entry.self, from: rows)
                try update.commit()
                return [foreseen, report]
            }
            let (foreseen, report) = (reports[0], reports[1])
            #expect(foreseen.failures.map(\.place.index) == report.failures.map(\.place.index))
            #expect(report.failures.map(\.place.index) == (besideFailure ? [1] : []) && report.inserted == 1)
            #expect(try World.fetchAll(Bookkeeping.Entry.self).map(\.id) == [2])
        }

        @Test(arguments: [1, 100], [false, true])
        func `values may move between objects within an update`(chunkSize: Int, besideFailure: Bool) async throws {
            let stack = try Bookkeeping.stack()
            let former = [Self.entry(1, ["code": 1]), Self.entry(2, ["code": 2])]
            try await stack.importRows(Bookkeeping.Entry.self, from: former)
            let rows =
                [Self.entry(1, ["code": 2]), Self.entry(2, ["code": 1])]
                + (besideFailure ? [Self.entry(3, ["title": ""])] : [])
            let report = try await Context(stack: stack).update { update in
                var options = ImportOptions()
                options.chunkSize = chunkSize
                let report = try update.import(Bookkeeping.Entry.self, from: rows, options: options)
                try update.commit()
                return report
            }
            #expect(report.failures.map(\.place.index) == (besideFailure ? [2] : []) && report.updated == 2)
        }

        @Test func `rows that make up for others do so beside rows with one value`() async throws {
            let charges = (10..<15).map { Self.entry($0, ["account": 1, "order": "charge"]) }
            let rows =
                (1...4).map { Self.entry($0, ["code": 7]) } + charges
                + [Self.entry(15, ["account": 1, "order": "discharge"])]
            let report = try await Bookkeeping.stack().importRows(Bookkeeping.Entry.self, from: rows)
            #expect(report.failures.map(\.place.index) == [1, 2, 3])
        }

        @Test func `a hook fails its row that discards what an earlier row has set`() async throws {
            let stack = try Bookkeeping.stack()
            try await stack.importRows(Bookkeeping.Entry.self, from: [Self.entry(1, ["note": "stored"])])
            let report = try await stack.importRows(
                Bookkeeping.Entry.self,
                from: [Self.entry(1, ["note": "new"]), Self.entry(2, ["order": "refresh"]), Self.entry(3)])
            #expect(report.failures.map(\.place.index) == [1] && report.line == "1 1 0 0 1", "\(report.failures)")
            let notes = try await Context(stack: stack).read { reader in
                try reader.fetchAll(Bookkeeping.Entry.self, orderBy: .Ascending("id")).map(\.note)
            }
            #expect(notes == ["new", ""])
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
            let report = try await Bookkeeping.$onImport.withValue(ImportHook(charge)) {
                try await stack.importRows(
                    Bookkeeping.Entry.self, from: [Self.entry(1, ["account": 1, "order": "merge"])])
            }
            #expect(commits.withLock { $0 } > 0 && report.line == "0 0 1 0 0")
        }
    }
#endif
