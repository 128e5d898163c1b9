#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Tasks that are cancelled while their commits are being written.
    struct CancelledCommitTests {
        @Test func `a commit that is being written when its task is cancelled returns as committed`() async throws {
            let folder = try TemporaryFolder()
            let url = folder.file("office.sqlite")
            let task = Locked<Task<Bool, any Error>?>(nil)
            let inserts = Locked(0)
            let stack = Stack(model: try Office.model.get()) { sql in
                guard sql.hasPrefix("INSERT INTO ZEMPLOYEE") else { return }
                inserts.withLock { $0 += 1 }
                task.withLock { $0 }?.cancel()
            }
            try await stack.addStore(.database(fileURL: url))
            let context = try Context(stack: stack)
            let isKnown = Meeting()
            let update = Task {
                await isKnown.wait()
                return try await context.update { update in
                    try update.create(Office.Employee.self).name = "Monk"
                    try update.commit()
                    return !update.hasChanges && Task.isCancelled
                }
            }
            task.withLock { $0 = update }
            isKnown.open()
            #expect(try await update.value)
            #expect(inserts.withLock { $0 } == 1)
            #expect(try await context.read { try $0.count(Office.Employee.self) } == 1)
            try await stack.closeStores()
        }
    }
#endif
