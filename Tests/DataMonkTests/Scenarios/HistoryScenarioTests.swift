#if Macros
    import DataMonk
    import Testing

    /// What Core Data was observed to do with its persistent history.
    @Suite struct `Scenarios of history` {
        @Test(.scenario("scn/history/002"), arguments: StoreKind.allCases)
        func `purging before a token leaves the token's transaction`(kind: StoreKind) throws {
            let archive = try Archive(kind)
            for title in ["a", "b", "c"] { try archive.document(title) }
            let second = try archive.stack.history()[1]
            #expect(try archive.stack.deleteHistory(before: second.token) == 1)
            #expect(try archive.stack.history().map(\.transactionNumber) == [2, 3])
            #expect(try archive.stack.history(after: second.token).map(\.transactionNumber) == [3])
        }

        @Test(.scenario("scn/history/003"), arguments: StoreKind.allCases)
        func `a token whose transaction was purged is 134301`(kind: StoreKind) throws {
            let archive = try Archive(kind)
            for title in ["a", "b"] { try archive.document(title) }
            let transactions = try archive.stack.history()
            try archive.stack.deleteHistory(before: transactions[1].token)
            let error = try #require(throws: StoreError.self) {
                try archive.stack.history(after: transactions[0].token)
            }
            #expect(error.code.rawValue == 134_301)
        }

        @Test(.scenario("scn/history/004"), arguments: StoreKind.allCases)
        func `a deleted object leaves the values that the model wants to be kept`(kind: StoreKind) throws {
            let archive = try Archive(kind)
            let context = archive.newContext()
            let id = try archive.document("Monk")
            let document = try #require(try context.existingObject(with: id) as? Archive.Document)
            document.text = "not kept"
            try context.save()
            context.delete(document)
            try context.save()
            let change = try #require(try archive.stack.history().last?.changes.first)
            #expect(change.changeType == .delete && change.changedObjectID == id)
            #expect(change.tombstone == ["title": "Monk"])
        }

        @Test(.scenario("scn/history/006"), arguments: StoreKind.allCases)
        func `sort terms are refused`(kind: StoreKind) throws {
            let archive = try Archive(kind)
            var request = FetchRequest(entityName: "Transaction")
            request.sortTerms = [SortTerm("timestamp")]
            let error = try #require(throws: FetchError.self) {
                try archive.stack.execute(.fetchHistory(matching: request))
            }
            #expect(error.code == .invalidRequest)
        }

        @Test(.scenario("scn/history/007"), arguments: StoreKind.allCases)
        func `a request for changes gives changes, not transactions`(kind: StoreKind) throws {
            let archive = try Archive(kind)
            for title in ["a", "b"] { try archive.document(title) }
            let result = try archive.stack.execute(.fetchHistory(matching: FetchRequest(entityName: "Change")))
            #expect(result.changes.count == 2 && result.transactions.isEmpty)
        }
    }
#endif
