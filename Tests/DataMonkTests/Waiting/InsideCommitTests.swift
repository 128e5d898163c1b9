#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Calls from inside a commit: by a batch handler, or by what traces the SQL.
    @Suite struct `Calls inside a commit` {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func stack(trace: (@Sendable (String) -> Void)? = nil) async throws -> Stack {
            let stack = Stack(model: try Office.model.get(), trace: trace)
            try await stack.addStore(.database(fileURL: folder.file("office.sqlite")))
            return stack
        }

        private func insert(_ update: Update, _ handler: @escaping () throws -> Void) throws {
            var count = 0
            try update.batchInsert(Office.Employee.self) { employee in
                count += 1
                employee.name = "Monk \(count)"
                if count == 2 { try handler() }
                return count > 3
            }
        }

        @Test(.timeLimit(.minutes(60)))
        func `whatever waits for commits is refused inside a batch handler`() async throws {
            let (stack, folder) = (try await stack(), folder)
            let context = try Context(stack: stack)
            let calls: [@Sendable () throws -> Void] = [
                {
                    try context.beginUpdateAndWait { update in
                        try update.create(Office.Employee.self).name = "inner"
                        try update.commit()
                    }
                },
                { try context.beginUpdateAndWait { update in _ = try update.batchDelete(Office.Employee.self) } },
                { try stack.close() },
                { try stack.addInMemoryStore() },
                { try stack.addDatabaseStore(fileURL: folder.file("other.sqlite")) },
                { try stack.coordinator.setMetadata([:], ofStoreAt: folder.file("office.sqlite")) },
                { try Stack.setMetadata([:], ofStoreAt: folder.file("office.sqlite")) },
            ]
            for call in calls {
                let error = await #expect(throws: StoreError.self) {
                    try await context.update { update in try insert(update, call) }
                }
                #expect(error?.code == .wouldDeadlock)
                #expect(try await context.read { try $0.count(Office.Employee.self) } == 0)
            }
            try await context.update { update in try insert(update) {} }
            #expect(try await context.read { try $0.count(Office.Employee.self) } > 0)
            try await stack.closeStores()
        }

        @Test(.timeLimit(.minutes(60)))
        func `a commit inside trace is refused, and commits go on`() async throws {
            let nested = Locked<Context?>(nil)
            let codes = Locked<[StoreError.Code]>([])
            let stack = try await stack { sql in
                guard sql.hasPrefix("INSERT INTO ZEMPLOYEE") || sql.hasPrefix("COMMIT"),
                    let context = nested.withLock({ $0 })
                else { return }
                do {
                    try context.beginUpdateAndWait { update in
                        try update.create(Office.Employee.self).name = "log"
                        try update.commit()
                    }
                } catch let error as StoreError {
                    codes.withLock { $0.append(error.code) }
                } catch {
                    Issue.record(error)
                }
            }
            let context = try Context(stack: stack)
            nested.withLock { $0 = context }
            try await context.update { update in
                try update.create(Office.Employee.self).name = "Monk"
                try update.commit()
            }
            nested.withLock { $0 = nil }
            let found = codes.withLock { $0 }
            #expect(!found.isEmpty && found.allSatisfy { $0 == .wouldDeadlock })
            #expect(try await context.read { try $0.fetchAll(Office.Employee.self).map(\.name) } == ["Monk"])
            try await stack.closeStores()
        }

        /// Formerly it returned at once, and the commit came to the file seconds later.
        @Test(.timeLimit(.minutes(60)))
        func `closing waits for the commit that is being written`() async throws {
            let isWriting = Meeting()
            let stack = try await stack { sql in if sql.hasPrefix("INSERT INTO ZEMPLOYEE") { isWriting.open() } }
            let context = try Context(stack: stack)
            let handle = context.beginUpdate { update in
                for number in 0..<20_000 { try update.create(Office.Employee.self).name = "Monk \(number)" }
                try update.commit()
            }
            await isWriting.wait()
            try await stack.closeStores()
            let copy = folder.file("copy.sqlite")
            try FileManager.default.copyItem(at: folder.file("office.sqlite"), to: copy)
            #expect(!FileManager.default.fileExists(atPath: folder.file("office.sqlite-wal").path))
            try await handle.value
            let reopened = Stack(model: try Office.model.get())
            try await reopened.addStore(.database(fileURL: copy))
            #expect(try await Context(stack: reopened).read { try $0.count(Office.Employee.self) } == 20_000)
            try await reopened.closeStores()
        }
    }
#endif
