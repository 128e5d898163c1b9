#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Rows that fail, inputs that end early, and how an import goes on.
    @Suite struct `Failures of an import` {
        private let tracker = Result { try Tracker() }

        private struct Broken: Error {}

        private func rows(_ ids: Range<Int>) -> [ImportRow] {
            [ImportRow](ids.map { ["id": .int(Int64($0)), "login": .string("n\($0)")] })
        }

        @Test func `take no other rows back, and say where and why`() async throws {
            let tracker = try tracker.get()
            let place = ImportPlace(index: 2, line: 4)
            let rows = [
                ImportRow(at: ImportPlace(index: 0), values: ["number": 1, "title": "a"]),
                ImportRow(at: ImportPlace(index: 1), values: ["number": 2, "title": ""]),
                ImportRow(at: place, problem: ImportError.malformedRow("A brace is missing. Add it.", at: place)),
                ImportRow(at: ImportPlace(index: 3), values: ["number": 4, "title": "b", "isOpen": "perhaps"]),
                ImportRow(at: ImportPlace(index: 4), values: ["number": 5, "title": "c"]),
            ]
            let report = try await tracker.stack.importRows(Tracker.Issue.self, from: rows.stream())
            #expect(report.line == "2 0 0 0 3" && report.nextIndex == 5)
            #expect(report.failures.map(\.place.index) == [1, 2, 3])
            #expect(report.failures.map(\.key) == ["title", nil, "isOpen"])
            #expect((report.failures[0].error as? SaveError)?.code == .stringTooShort)
            #expect(report.failures[1].description == "row 2 (line 4): A brace is missing. Add it.")
            #expect(try await tracker.issues { $0.number } == [1, 5])
        }

        @Test func `are counted beyond those that are kept`() async throws {
            var options = ImportOptions()
            options.keptFailures = 2
            let rows = [ImportRow]((0..<9).map { _ in ["login": "no key"] })
            let report = try await tracker.get().stack.importRows(
                Tracker.User.self, from: rows.stream(), options: options)
            #expect(report.failed == 9 && report.failures.count == 2)
        }

        @Test func `end the import if it is to stop at the first one`() async throws {
            let tracker = try tracker.get()
            var options = ImportOptions()
            (options.chunkSize, options.stopsAtFirstFailure) = (10, true)
            var rows = rows(0..<40)
            rows[25] = ImportRow(at: rows[25].place, values: ["id": "x"])
            let error = await #expect(throws: ImportError.self) {
                try await tracker.stack.importRows(Tracker.User.self, from: rows.stream(), options: options)
            }
            #expect(error?.code == .rowFailed && error?.place?.index == 25 && error?.report?.nextIndex == 20)
            #expect(try await tracker.count(Tracker.User.self) == 20)
        }

        @Test(arguments: [false, true])
        func `say what is kept, and of a dry run that nothing is`(isDryRun: Bool) async throws {
            let stack = try tracker.get().stack
            var options = ImportOptions()
            (options.chunkSize, options.stopsAtFirstFailure, options.isDryRun) = (10, true, isDryRun)
            let input = await #expect(throws: ImportError.self) {
                try await stack.importRows(
                    Tracker.User.self, from: rows(0..<15).stream(endingWith: Broken()), options: options)
            }
            #expect(input?.code == .inputFailed && input?.message.contains("is kept") == !isDryRun)
            #expect(input?.message.contains("Nothing was written.") == isDryRun)
            var broken = rows(0..<15)
            broken[12] = ImportRow(at: broken[12].place, values: ["id": "x"])
            let row = await #expect(throws: ImportError.self) {
                try await stack.importRows(Tracker.User.self, from: broken.stream(), options: options)
            }
            #expect(row?.code == .rowFailed && row?.message.contains("are kept") == !isDryRun)
            #expect(row?.message.contains("Nothing was written.") == isDryRun)
        }

        @Test func `end the import at the first row, whenever its failure is found`() async throws {
            var options = ImportOptions()
            options.stopsAtFirstFailure = true
            let rows = [ImportRow]([["number": 1], ["number": 2, "title": ""], ["number": "x"]])
            let error = await #expect(throws: ImportError.self) {
                try await tracker.get().stack.importRows(Tracker.Issue.self, from: rows.stream(), options: options)
            }
            #expect(error?.code == .rowFailed && error?.place?.index == 1, "\(error as Any)")
        }

        @Test func `of a chunk come before that of the input`() async throws {
            var options = ImportOptions()
            (options.chunkSize, options.stopsAtFirstFailure) = (10, true)
            var rows = rows(0..<20)
            rows[5] = ImportRow(at: rows[5].place, values: ["id": "x"])
            let error = await #expect(throws: ImportError.self) {
                try await tracker.get().stack.importRows(
                    Tracker.User.self, from: rows.stream(endingWith: Broken()), options: options)
            }
            #expect(error?.code == .rowFailed && error?.place?.index == 5 && error?.report?.nextIndex == 0)
        }

        @Test func `of the input keep whole chunks, and the import goes on after them`() async throws {
            let tracker = try tracker.get()
            var options = ImportOptions()
            options.chunkSize = 10
            let error = await #expect(throws: ImportError.self) {
                try await tracker.stack.importRows(
                    Tracker.User.self, from: rows(0..<35).stream(endingWith: Broken()), options: options)
            }
            #expect(error?.code == .inputFailed && error?.underlyingError is Broken)
            #expect(try await tracker.count(Tracker.User.self) == 30)
            options.resumingAt = try #require(error?.report?.nextIndex)
            #expect(options.resumingAt == 30)
            let report = try await tracker.stack.importRows(
                Tracker.User.self, from: rows(0..<45).stream(), options: options)
            #expect(report.line == "15 0 0 0 0" && report.nextIndex == 45)
        }

        @Test func `of the store tell an update how far the import came`() throws {
            let registrar = try Registrar()
            let count = Locked(0)
            let fail: @Sendable () throws -> Void = {
                let isSecond = count.withLock { count in
                    count += 1
                    return count == 2
                }
                if isSecond { throw StoreError(.writeFailed, "The disk is gone. Get another one.") }
            }
            var options = ImportOptions()
            options.chunkSize = 1
            try Context(stack: registrar.stack).beginUpdateAndWait { [options] update in
                let error = #expect(throws: ImportError.self) {
                    try Registrar.$duringImport.withValue(ImportHook(fail)) {
                        try update.import(
                            Registrar.Guest.self, from: [["id": 1], ["id": 2]] as [[String: any Sendable]],
                            options: options)
                    }
                }
                #expect(error?.code == .commitFailed && error?.report?.nextIndex == 1)
                #expect((error?.underlyingError as? StoreError)?.code == .writeFailed)
                let kept = try update.count(Registrar.Guest.self)
                #expect(kept == 1)
            }
        }

        @Test func `name what no property takes`() async throws {
            let report = try await tracker.get().stack.importRows(
                Tracker.User.self, from: [["id": 1, "login": "a", "url": "b", "profile": ["zip": 3]]])
            #expect(report.unusedNames == ["url"])
        }

        @Test(arguments: [0, 1, 10])
        func `of a value that another object has are the row's`(retries: Int) async throws {
            let tracker = try Registrar()
            var options = ImportOptions()
            options.retries = retries
            try await tracker.stack.importRows(Registrar.Guest.self, from: [["id": 1, "email": "a"]])
            let report = try await tracker.stack.importRows(
                Registrar.Guest.self,
                from: [["id": 2, "email": "b"], ["id": 3, "email": "a"], ["id": 4, "email": "c"]], options: options)
            #expect(report.line == "2 0 0 0 1" && report.failures.map(\.place.index) == [1], "\(report.failures)")
        }

        @Test func `progress is told after each chunk, in their order`() async throws {
            let told = Locked<[Int]>([])
            var options = ImportOptions()
            options.chunkSize = 10
            options.progress = { report in told.withLock { $0.append(report.nextIndex) } }
            try await tracker.get().stack.importRows(Tracker.User.self, from: rows(0..<45).stream(), options: options)
            #expect(told.withLock { $0 } == [10, 20, 30, 40, 45])
        }

        @Test func `progress is told after few rows if they are large`() async throws {
            let told = Locked<[Int]>([])
            var options = ImportOptions()
            options.progress = { report in told.withLock { $0.append(report.nextIndex) } }
            // Nothing takes it, but it is held in memory all the same.
            let large = ManagedValue.data(Data(count: 9 << 20))
            let rows = (0..<4).map { ["id": .int(Int64($0)), "photo": large] as [String: ManagedValue] }
            try await tracker.get().stack.importRows(
                Tracker.User.self, from: [ImportRow](rows).stream(), options: options)
            #expect(told.withLock { $0 } == [2, 4])
        }
    }

    @Suite struct `Hooks of an import` {
        @Test func `refuse rows, convert values, and fail as their row`() async throws {
            let registrar = try Registrar()
            let report = try await registrar.stack.importRows(
                Registrar.Guest.self,
                from: [
                    ["id": 1, "email": "a", "age": "n/a"], ["id": 2, "email": "refuse"], ["id": 3, "email": "throw"],
                    ["id": 4, "email": "b", "age": "17"], ["id": 6, "email": "look"], ["id": 5, "age": "old"],
                ])
            #expect(report.line == "2 0 0 1 3", "\(report.failures)")
            #expect(report.failures.first?.error is Registrar.Guest.Refusal && report.failures.last?.key == "age")
            let guests = try await Context(stack: registrar.stack).read { reader in
                try reader.fetchAll(Registrar.Guest.self, orderBy: .Ascending("id")).map {
                    "\($0.id) \($0.age) \($0.note)"
                }
            }
            #expect(guests == ["1 -1 will did", "4 17 will did"])
        }
    }
#endif
