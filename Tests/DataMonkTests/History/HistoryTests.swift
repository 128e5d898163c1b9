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

        @Test(arguments: [false, true])
        func `one that another program begins is kept from the next save on`(readsBetween: Bool) throws {
            let archive = try Archive(.file, tracksHistory: false)
            try archive.document("a")
            let other = try archive.otherStack()
            // The read finds the other program's commit before the save does.
            if readsBetween { _ = try archive.newContext().count(FetchRequest(entityName: "Document")) }
            let id = try archive.document("b", by: "monk")
            #expect(try other.history().map(\.author) == ["monk"])
            #expect(try archive.stack.history().flatMap { $0.changes.map(\.changedObjectID) } == [id])
            try archive.document("c", by: "nun")
            #expect(try other.history().map(\.author) == ["monk", "nun"])
            try other.close()
        }

        // MARK: Restored stores

        /// A store that was restored to its first transaction, and has others since.
        ///
        /// - Returns: The stack over it, and the token of a transaction that it has lost.
        private func restored(_ archive: Archive) async throws -> (stack: Stack, lost: HistoryToken) {
            try archive.document("a")
            let backup = archive.fileURL.deletingLastPathComponent().appending(path: "backup.sqlite")
            _ = try await archive.stack.backUp(to: backup)
            for title in ["b", "c"] { try archive.document(title) }
            let lost = try #require(try archive.stack.history().last?.token)
            try archive.stack.close()
            _ = try await Stack.replaceStore(
                .database(fileURL: archive.fileURL), with: .database(fileURL: backup))
            let stack = try archive.otherStack()
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            for _ in 0..<3 {
                _ = try context.insert(Archive.Shelf.self)
                try context.save()
            }
            context.endTurn()
            return (stack, lost)
        }

        @Test func `a token is not valid for another transaction of a restored store`() async throws {
            let archive = try Archive(.file)
            let (stack, lost) = try await restored(archive)
            #expect(try stack.history().map(\.transactionNumber) == [1, 2, 3, 4])
            let fetching = #expect(throws: StoreError.self) { try stack.history(after: lost) }
            #expect(fetching?.code == .historyTokenExpired)
            let cutting = #expect(throws: StoreError.self) { try stack.deleteHistory(before: lost) }
            #expect(try cutting?.code == .historyTokenExpired && stack.history().count == 4)
            let first = try stack.history()[0].token
            #expect(try stack.history(after: first).map(\.transactionNumber) == [2, 3, 4])
            // Cutting twice at one token is no error.
            let third = try stack.history()[2].token
            #expect(try stack.deleteHistory(before: third) == 2 && stack.deleteHistory(before: first) == 0)
            try stack.close()
        }

        @Test func `a token of an earlier version, which is a number alone, stays valid`() async throws {
            let archive = try Archive(.file)
            let (stack, lost) = try await restored(archive)
            let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(lost))
            var values = try #require(encoded as? [String: Any])
            #expect(values.removeValue(forKey: "transactionIdentifiers") != nil)
            let old = try JSONDecoder().decode(
                HistoryToken.self, from: JSONSerialization.data(withJSONObject: values))
            #expect(try stack.history(after: old).map(\.transactionNumber) == [4])
            try stack.close()
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
