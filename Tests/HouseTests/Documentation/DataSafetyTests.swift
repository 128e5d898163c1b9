#if Macros
    import DataMonk
    import Testing

    @Suite struct DataSafetyTests {
        @Entity("Account") final class Account: ManagedObject {
            var balance: Int = 0
        }

        private static func makeStack() throws -> Stack {
            let stack = try Stack(Account.self, Person.self)
            try stack.addInMemoryStore()
            return stack
        }

        @Test func `a commit says what could not be read`() async throws {
            try await Context(stack: Self.makeStack()).update { update in
                let account = try update.create(Account.self)
                account.balance += 100  // 100, if the balance could not be read
                do {
                    try update.commit()
                } catch let error as SaveError where error.code == .unreadValues {
                    for access in error.failedAccesses { print(access) }
                    update.rollback()
                }
                #expect(account.balance == 100)
            }
        }

        @Test func `the handler is told what no caller can catch`() throws {
            let stack = try Self.makeStack()
            let isAsked = Locked(false)
            @Sendable func askForSpace() { isAsked.withLock { $0 = true } }
            stack.onError { error in
                if let error = error as? StoreError, error.code == .outOfSpace { askForSpace() }
            }
            stack.coordinator.report(StoreError(.outOfSpace, "The disk is full."))
            #expect(isAsked.withLock { $0 })
        }

        @Test func `a deleted object drops what is set`() async throws {
            try await Context(stack: Self.makeStack()).update { update in
                let monk = try update.create(Person.self)
                try update.commit()
                try update.delete(monk)
                try update.commit()
                monk.age = 41  // dropped: the next commit throws
                #expect(throws: SaveError.self) { try update.commit() }
                update.rollback()
            }
        }
    }
#endif
