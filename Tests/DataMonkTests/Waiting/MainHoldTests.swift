#if Macros
    import DataMonk
    import Dispatch
    import Foundation
    import Testing

    /// Nobody waits for the main actor, and it is never held for long.
    @Suite(.serialized, .inOwnProcess) @MainActor struct `The main actor and commits` {
        private nonisolated static let targets: [UpdateTarget] = [
            .mainContext, .rootContext(autoMerge: true), .rootContext(autoMerge: false), .persistentStore,
        ]

        /// Blocks the main actor; false if the commits did not come.
        private func hold(until count: Int, _ committed: DispatchSemaphore) -> Bool {
            (0..<count).allSatisfy { _ in committed.wait(timeout: .now() + 600) == .success }
        }

        @Test(arguments: targets, [UpdateOrder.default, .serial])
        func `a hundred commits return while main is held`(target: UpdateTarget, order: UpdateOrder) async throws {
            let folder = try TemporaryFolder()
            let stack = Stack(model: try Office.model.get())
            try await stack.addStore(.database(fileURL: folder.file("office.sqlite"), synchronous: .normal))
            let World = try MainContext(stack: stack, updateTarget: target, updateOrder: order)
            _ = try World.count(Office.Employee.self)
            let observer = World.observeCommit {}
            let changes = World.observeChanges { _ in }
            let committed = DispatchSemaphore(value: 0)
            let handles = (0..<100).map { number in
                World.beginUpdate { update in
                    try update.create(Office.Employee.self).age = number
                    try update.commit()
                    committed.signal()
                }
            }
            #expect(hold(until: 100, committed), "commits waited for the main actor")
            for handle in handles { try await handle.value }
            #expect(try World.count(Office.Employee.self) == 100)
            observer.cancel()
            changes.cancel()
        }

        /// How many objects are imported, or changed by one commit; `DATAMONK_IMPORT=100000` for the full number.
        private static var importCount: Int? {
            ProcessInfo.processInfo.environment["DATAMONK_IMPORT"].flatMap { Int($0) }
        }

        /// - Parameter pageSize: how many objects a commit changes, and adds; nil for all of them.
        @Test(arguments: [UpdateTarget.mainContext, .rootContext(autoMerge: true)], [100, nil])
        func `each turn during an import shows whole commits`(
            target: UpdateTarget, pageSize: Int?
        ) async throws {
            let folder = try TemporaryFolder()
            let stack = Stack(model: try Office.model.get())
            try await stack.addStore(.database(fileURL: folder.file("office.sqlite"), synchronous: .normal))
            let World = try MainContext(stack: stack, updateTarget: target)
            let count = Self.importCount ?? 5_000
            let page = pageSize ?? count
            try await World.update { update in
                for number in 0..<count { try update.create(Office.Employee.self).note = "\(number)" }
                try update.commit()
            }
            let shown = try World.fetchAll(Office.Employee.self, orderBy: .Ascending("note"))
            let told = Locked(0)
            let changes = World.observeChanges { changes in told.withLock { $0 += changes.updated.count } }
            // An import that changes every object and adds as many.
            try await World.update { update in
                for start in stride(from: 0, to: count, by: page) {
                    let old = try update.fetchAll(
                        Office.Employee.self, orderBy: .Ascending("note"), options: .Limit(page) | .Offset(start))
                    for employee in old { employee.age += 1 }
                    // Behind all pages.
                    for _ in 0..<page { try update.create(Office.Employee.self).note = "~" }
                    try update.commit()
                }
            }
            // Of each page, all employees have been changed, or none.
            func changedPages() -> [Bool] {
                stride(from: 0, to: count, by: page).map { start in
                    let changed = shown[start..<start + page].count { $0.age == 1 }
                    #expect(changed == 0 || changed == page)
                    return changed == page
                }
            }
            while changedPages().contains(false) { await Task.yield() }
            while told.withLock({ $0 }) < count { await Task.yield() }
            #expect(told.withLock { $0 } == count)
            #expect(try World.count(Office.Employee.self) == 2 * count)
            changes.cancel()
        }

        /// A stack with employees who all have the age 0, and a main context that holds them.
        private func makeCrowd(
            _ count: Int, _ target: UpdateTarget = .mainContext
        ) async throws -> (MainContext, [Office.Employee]) {
            let stack = Stack(model: try Office.model.get())
            try await stack.addStore(.inMemory())
            let World = try MainContext(stack: stack, updateTarget: target)
            try await World.update { update in
                for _ in 0..<count { _ = try update.create(Office.Employee.self) }
                try update.commit()
            }
            return (World, try World.fetchAll(Office.Employee.self))
        }

        @Test(arguments: [UpdateTarget.mainContext, .rootContext(autoMerge: true)], [true, false])
        func `no turn shows two states of a large commit`(target: UpdateTarget, fetches: Bool) async throws {
            let count = Self.importCount ?? 2 * MainContext.turnLimit + 100
            let (World, crowd) = try await makeCrowd(count, target)
            var told: [Int] = []
            let observation = World.observeChanges { changes in
                told.append(changes.updated.count)
                #expect(Set(crowd.map(\.age)).count == 1)
            }
            // The second commit comes while the first is being prepared.
            let updates = World.beginUpdate { update in
                for age in 1...3 {
                    for employee in try update.fetchAll(Office.Employee.self) { employee.age = age }
                    try update.commit()
                }
            }
            var ages: [Int] = []
            while crowd[0].age < 3 || told.isEmpty {
                let shown = Set(crowd.map(\.age))
                #expect(shown.count == 1)
                if let age = shown.first, ages.last != age { ages.append(age) }
                if fetches { _ = try World.count(Office.Skill.self) }
                await Task.yield()
            }
            try await updates.value
            #expect(ages == ages.sorted())
            while told.count < 3, !fetches { await Task.yield() }
            #expect(told.allSatisfy { $0 == count } && told.count <= 3)
            observation.cancel()
        }

        /// Commits on the calling thread, so that no turn ends in between.
        private func ageCrowd(of stack: Stack) throws {
            try Context(stack: stack).beginUpdateAndWait(deadline: .seconds(3_600)) { update in
                for employee in try update.fetchAll(Office.Employee.self) { employee.age += 1 }
                try update.commit()
            }
        }

        @Test func `what is read while a large commit is prepared is as before it`() async throws {
            // More rows than the row cache has older versions of.
            let count = 66_000
            let (World, crowd) = try await makeCrowd(count)
            let ids = crowd.map(\.objectID)
            World.reset()
            let known = try World.use(ids[count - 1])
            #expect(known.age == 0)
            let faults = try World.fetchAll(Office.Employee.self, options: .NoPropertyValues)
            try ageCrowd(of: World.stack)
            // The first ones have long been evicted.
            #expect(faults[0].age == 0 && faults[count / 2].age == 0 && known.age == 0)
            #expect(Set(faults.prefix(2_000).map(\.age)) == [0])
            _ = try World.count(Office.Skill.self)
            #expect(faults[0].age == 1 && faults[count / 2].age == 1 && known.age == 1)
        }
    }
#endif
