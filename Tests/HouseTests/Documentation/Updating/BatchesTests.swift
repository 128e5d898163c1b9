#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    @Entity final class Letter: ManagedObject {
        var text: String = ""
        var isRead: Bool = false
        var postage: Int = 1
    }

    @Entity final class Stamp: ManagedObject {
        @Attribute(.unique) var code: String = ""
        var value: Int = 0
    }

    @Suite @MainActor struct BatchesTests {
        @Test func `many objects at once`() async throws {
            let World = try MainContext(stack: .inMemory(Letter.self))
            try await World.update { update in
                try update.batchInsert(Letter.self, [["text": "Come home"], ["text": "Send money", "postage": 4]])

                var numbers = (1...1_000).makeIterator()
                try update.batchInsert(Letter.self) { letter in
                    guard let number = numbers.next() else { return true }
                    letter.text = "Letter \(number)"
                    return false
                }
            }
            #expect(try World.count(Letter.self) == 1_002)
            try await World.update { update in
                let read = try update.batchUpdate(Letter.self, %"isRead" == false, set: [.set(\.isRead, to: true)])
                let raised = try update.batchUpdate(Letter.self, set: [.set(\.postage) { $0.postage + 1 }])
                let gone = try update.batchDelete(Letter.self) { $0.postage > 100 }
                print(read, raised, gone)
            }
            #expect(try World.count(Letter.self, %"isRead" == true) == 1_002)
            #expect(try World.fetch(Letter.self, %"text" == "Send money").postage == 5)
        }

        @Test func `stored objects are updated where unique values are taken`() async throws {
            let World = try MainContext(stack: .inMemory(Stamp.self))
            for _ in 0..<2 {
                try await World.update { update in
                    let result = try update.batchUpsert(
                        Stamp.self, [["code": "A1", "value": 4], ["code": "B2", "value": 9]])
                    print(result.insertedCount, result.updatedCount, result.unchangedCount)
                }
            }
            #expect(try World.count(Stamp.self) == 2)
        }

        @Test func `one statement, and no hook`() async throws {
            try await withTemporaryStore { url in
                let recorder = StatementRecorder()
                let stack = try Stack(Letter.self, trace: recorder.trace)
                try stack.addDatabaseStore(fileURL: url)
                let context = try Context(stack: stack)
                try await context.update { update in
                    for _ in 0..<100 { _ = try update.create(Letter.self) }
                    try update.commit()
                }
                let statements = try await recorder.recording {
                    try await context.update { update in
                        _ = try update.batchUpdate(Letter.self, %"isRead" == false, set: [.set(\.isRead, to: true)])
                    }
                }
                let updates = statements.filter { $0.kind == .update }.map(\.sql)
                #expect(updates.count == 1)
                #expect(updates[0].hasPrefix("UPDATE ZLETTER AS t0 SET Z_OPT = Z_OPT + 1, ZISREAD"))
                try stack.close()
            }
        }

        @Test func `a history, by token`() async throws {
            try await withTemporaryStore { url in
                var lastToken: Data?
                let stack = try Stack(Letter.self)
                try stack.addDatabaseStore(fileURL: url, tracksHistory: true)
                let context = try Context(stack: stack)

                try await context.update { update in
                    update.transactionAuthor = "import"
                    try update.create(Letter.self).text = "Come home"
                    try update.commit()
                }

                for transaction in try stack.history() {
                    print(transaction.timestamp, transaction.author ?? "-", transaction.processID ?? "-")
                    for change in transaction.changes {
                        print(change.changeType, change.changedObjectID, change.updatedProperties ?? [])
                    }
                }
                for expected in [1, 0] {
                    let token = try lastToken.map { try JSONDecoder().decode(HistoryToken.self, from: $0) }
                    let new = try stack.history(after: token)
                    lastToken = try new.last.map { try JSONEncoder().encode($0.token) } ?? lastToken
                    #expect(new.count == expected)
                }
                if let slowest = try lastToken.map({ try JSONDecoder().decode(HistoryToken.self, from: $0) }) {
                    try stack.deleteHistory(before: slowest)
                }
                #expect(try stack.history().map(\.author) == ["import"])
                try stack.close()
            }
        }
    }
#endif
