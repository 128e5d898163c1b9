#if Macros
    import DataMonk
    import Foundation
    import Testing

    @Suite struct `History` {
        // MARK: Fetching

        @Test(arguments: StoreKind.allCases)
        func `conditions look at transactions, and at changes with their transactions`(kind: StoreKind) throws {
            let archive = try Archive(kind)
            try archive.document("a", by: "app")
            try archive.document("b", by: "import")
            let context = archive.newContext("import")
            _ = try context.insert(Archive.Shelf.self)
            try context.save()
            func numbers(_ request: FetchRequest) throws -> [Int64] {
                try archive.stack.execute(.fetchHistory(matching: request)).transactions.map(\.transactionNumber)
            }
            var imported = FetchRequest(entityName: "Transaction", condition: .compare("author", .equal, "import"))
            #expect(try numbers(imported) == [2, 3])
            imported.fetchLimit = 1
            #expect(try numbers(imported) == [2])
            let shelves = try Condition(format: "ANY changes.entityName == 'Shelf'")
            #expect(try numbers(FetchRequest(entityName: "Transaction", condition: shelves)) == [3])
            let changes = try Condition(format: "transaction.author == 'import' AND changeType == 0")
            let result = try archive.stack.execute(
                .fetchHistory(matching: FetchRequest(entityName: "Change", condition: changes)))
            #expect(result.changes.map(\.changedObjectID.entityName) == ["Document", "Shelf"])
            #expect(throws: FetchError.self) { try numbers(FetchRequest(entityName: "Document")) }
        }

        @Test(arguments: StoreKind.allCases) func `result types say what is wanted`(kind: StoreKind) throws {
            let archive = try Archive(kind)
            let id = try archive.document("a")
            try archive.document("b")
            func fetch(_ type: HistoryRequest.ResultType) throws -> HistoryResult {
                var request = HistoryRequest.fetchHistory(after: nil)
                request.resultType = type
                return try archive.newContext().execute(request)
            }
            #expect(try fetch(.transactions).transactions.map(\.changes.count) == [0, 0])
            #expect(try fetch(.changes).changes.count == 2)
            #expect(try fetch(.objectIDs).objectIDs.first == id)
            #expect(try fetch(.count).count == 2)
            let all = try fetch(.transactionsAndChanges).transactions
            #expect(all.map(\.changes.count) == [1, 1])
            #expect(try archive.stack.execute(.fetchHistory(after: all[0])).transactions == [all[1]])
            #expect(try archive.stack.execute(.fetchHistory(after: Date.distantFuture)).transactions.isEmpty)
            #expect(try archive.stack.execute(.fetchHistory(after: Date.distantPast)).transactions == all)
        }

        @Test(arguments: StoreKind.allCases) func `a token survives as data`(kind: StoreKind) throws {
            let archive = try Archive(kind)
            #expect(try archive.stack.currentHistoryToken() == nil)
            try archive.document("a")
            let token = try #require(try archive.stack.currentHistoryToken())
            let stored = try JSONDecoder().decode(HistoryToken.self, from: JSONEncoder().encode(token))
            try archive.document("b")
            #expect(try archive.stack.history(after: stored).map(\.transactionNumber) == [2])
        }

        @Test(arguments: StoreKind.allCases) func `a stack without a history says so`(kind: StoreKind) throws {
            let archive = try Archive(kind, tracksHistory: false)
            try archive.document("a")
            let error = try #require(throws: StoreError.self) { try archive.stack.history() }
            #expect(error.code == .unsupportedRequest)
        }

        // MARK: What is written

        @Test(arguments: StoreKind.allCases)
        func `of each kind of value a deleted object leaves what it held`(kind: StoreKind) throws {
            let archive = try Archive(kind)
            let context = archive.newContext()
            let letter = try context.insert(Archive.Letter.self)
            (letter.title, letter.number, letter.pages) = ("Monk", UUID(), 7)
            letter.written = Date(timeIntervalSinceReferenceDate: 1_000)
            try context.save()
            let expected: [String: ManagedValue] = [
                "title": "Monk", "number": try letter.value(forKey: "number"), "pages": 7,
                "written": .date(Date(timeIntervalSinceReferenceDate: 1_000)),
            ]
            try context.execute(BatchDeleteRequest(objectIDs: [letter.anyObjectID]))
            #expect(try archive.stack.history().last?.changes.first?.tombstone == expected)
        }

        @Test(arguments: StoreKind.allCases)
        func `updates and contexts sign with their names`(kind: StoreKind) async throws {
            let archive = try Archive(kind)
            let updates = try Context(stack: archive.stack)
            try await updates.update { update in
                (update.transactionAuthor, update.name) = ("robot", "night shift")
                try update.create(Archive.Shelf.self).name = "one"
                try update.commit()
                try update.batchUpdate(Archive.Shelf.self, set: ["name": "two"])
            }
            let transactions = try archive.stack.history()
            #expect(transactions.map(\.author) == ["robot", "robot"])
            #expect(transactions.map(\.contextName) == ["night shift", "night shift"])
            #expect(transactions.allSatisfy { $0.processID == ProcessInfo.processInfo.processName })
            #expect(transactions[1].changes.map(\.updatedProperties) == [["name"]])
        }

        @Test(arguments: StoreKind.allCases) func `a save that fails leaves no transaction`(kind: StoreKind) throws {
            let archive = try Archive(kind)
            let (first, second) = (archive.newContext(), archive.newContext())
            let id = try archive.document("a")
            let mine = try #require(try first.existingObject(with: id) as? Archive.Document)
            let theirs = try #require(try second.existingObject(with: id) as? Archive.Document)
            (mine.title, theirs.title) = ("b", "c")
            try first.save()
            #expect(throws: SaveError.self) { try second.save() }
            #expect(try archive.stack.history().map(\.transactionNumber) == [1, 2])
        }

        // MARK: Other programs

        @Test func `what another stack wrote is found by its history and merged`() throws {
            let archive = try Archive(.file)
            let id = try archive.document("a")
            let context = archive.newContext()
            let document = try #require(try context.existingObject(with: id) as? Archive.Document)
            let token = try archive.stack.currentHistoryToken()
            #expect(document.title == "a")

            let other = try archive.otherStack()
            let foreign = ManagedObjectContext(coordinator: other.coordinator)
            let same = try #require(other.objectID(forURI: id.uri))
            (try foreign.existingObject(with: same) as? Archive.Document)?.title = "b"
            try foreign.save()
            try other.close()

            let new = try archive.stack.history(after: token)
            #expect(new.map { $0.changes.map(\.changedObjectID) } == [[id]])
            for transaction in new { try context.mergeChanges(fromRemote: transaction.objectChangeNotice) }
            context.endTurn()
            #expect(document.title == "b")
        }

        @Test func `a file that is opened again goes on counting`() throws {
            let archive = try Archive(.file)
            try archive.document("a", by: "monk")
            let other = try archive.otherStack()
            let context = ManagedObjectContext(coordinator: other.coordinator)
            context.transactionAuthor = "monk"
            _ = try context.insert(Archive.Shelf.self)
            try context.save()
            #expect(try other.history().map(\.transactionNumber) == [1, 2])
            #expect(try other.history().map(\.author) == ["monk", "monk"])
            try other.close()
        }
    }
#endif
