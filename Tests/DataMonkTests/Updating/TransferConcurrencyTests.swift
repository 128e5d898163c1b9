#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Many writers move amounts between accounts; whoever reads must always find the same total.
    @Suite(.serialized) struct `Concurrency of transfers` {
        private static let accounts = 6
        private static let total = 600

        private func makeStack(_ kind: StoreKind) throws -> OfficeStack { try OfficeStack(kind) }

        private func makeAccounts(_ context: Context) async throws -> [ObjectID<Office.Employee>] {
            try await context.update { update in
                let accounts = try (0..<Self.accounts).map { _ in
                    let account = try update.create(Office.Employee.self)
                    account.age = Self.total / Self.accounts
                    return account
                }
                try update.commit()
                return accounts.map(\.objectID)
            }
        }

        /// One transfer; tried again if others were faster.
        private static func transfer(
            _ context: Context, _ accounts: [ObjectID<Office.Employee>], _ random: inout SeededGenerator
        ) async throws {
            let from = accounts[Int.random(in: 0..<accounts.count, using: &random)]
            let to = accounts[Int.random(in: 0..<accounts.count, using: &random)]
            let amount = Int.random(in: 1...10, using: &random)
            while true {
                do {
                    try await context.update { update in
                        try update.use(from).age -= amount
                        try update.use(to).age += amount
                        try update.commit()
                    }
                    return
                } catch let error as SaveError where error.code == .mergeConflict {
                    continue
                }
            }
        }

        @Test(arguments: StoreKind.allCases) func `every reader finds the same total`(kind: StoreKind) async throws {
            let office = try makeStack(kind)
            let stack = office.stack
            let context = try Context(stack: stack, mergePolicy: .error)
            let ids = try await makeAccounts(context)
            let World = try await MainContext(stack: stack)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        var random = SeededGenerator(seed: UInt64(writer))
                        for _ in 0..<25 { try await Self.transfer(context, ids, &random) }
                    }
                }
                for _ in 0..<2 {
                    group.addTask {
                        for _ in 0..<50 {
                            let sum = try await context.read { reader in
                                try reader.fetchAll(Office.Employee.self).map(\.age).reduce(0, +)
                            }
                            #expect(sum == Self.total)
                        }
                    }
                }
                group.addTask {
                    for round in 0..<100 {
                        let total = try await Self.total(World, fetches: round.isMultiple(of: 2))
                        #expect(total == Self.total)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await Self.total(World, fetches: true) == Self.total)
            let sum = try await context.read { try $0.queryValue(Office.Employee.self, .Sum("age")) }
            #expect(sum == .decimal(600))
            #expect(office.errors.withLock { $0.isEmpty })
        }

        /// The total of what main shows: all objects stand at one commit, with a fetch and without.
        @MainActor private static func total(_ World: MainContext, fetches: Bool) throws -> Int {
            let objects = try World.fetchAll(Office.Employee.self)
            if fetches { _ = try World.count(Office.Employee.self) }
            return objects.map(\.age).reduce(0, +)
        }

        @Test(arguments: StoreKind.allCases) func `commits at once all arrive, each with keys of its own`(
            kind: StoreKind
        ) async throws {
            let office = try makeStack(kind)
            let context = try Context(stack: office.stack)
            let ids = try await withThrowingTaskGroup(of: [AnyObjectID].self) { group in
                for writer in 0..<8 {
                    group.addTask {
                        var ids: [AnyObjectID] = []
                        for number in 0..<10 {
                            ids.append(
                                try await context.update { update in
                                    let employee = try update.create(Office.Employee.self)
                                    employee.name = "\(writer).\(number)"
                                    try update.commit()
                                    return employee.anyObjectID
                                })
                        }
                        return ids
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(Set(ids).count == 80 && !ids.contains { $0.isTemporaryID })
            let names = try await context.read { try $0.fetchAll(Office.Employee.self).map(\.name) }
            #expect(Set(names).count == 80 && names.count == 80)
        }

        @Test func `one bad save among many leaves the others alone`() async throws {
            let office = try makeStack(.file)
            let context = try Context(stack: office.stack, mergePolicy: .error)
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        do {
                            try await context.update { update in
                                let badge = try update.create(Office.Badge.self)
                                badge.code = "the same"
                                badge.owner = try update.create(Office.Employee.self)
                                try update.commit()
                            }
                            return true
                        } catch {
                            return false
                        }
                    }
                }
                let saved = try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                #expect(saved == 1)
            }
            let counts = try await context.read { reader in
                [try reader.count(Office.Badge.self), try reader.count(Office.Employee.self)]
            }
            #expect(counts == [1, 1])
        }

        @Test func `a counter under serial order counts every update`() async throws {
            let office = try makeStack(.memory)
            let context = try Context(stack: office.stack, updateOrder: .serial, deadline: .seconds(3_600))
            let id = try await makeAccounts(context)[0]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        try await context.update { update in
                            let counter = try update.use(id)
                            let age = counter.age
                            await Task.yield()
                            counter.age = age + 1
                            try update.commit()
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await context.read { try $0.use(id).age } == 150)
        }
    }
#endif
