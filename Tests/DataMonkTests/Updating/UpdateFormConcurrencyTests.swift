#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// The calls of contexts and updates that CoreDataMonk has beyond its manual.
    @Suite struct `Forms of updates` {
        private let stack: Stack
        private let context: Context

        init() throws {
            stack = try Stack(Person.self)
            try stack.addInMemoryStore()
            context = try Context(stack: stack)
        }

        private var count: Int { get async throws { try await context.read { try $0.count(Person.self) } } }

        @Test func `an update context commits and rolls back in steps of their own`() async throws {
            let update = context.beginUpdateContext()
            try await update.perform { _ = try $0.create(Person.self) }
            #expect(try await count == 0)
            try await update.commit()
            #expect(try await count == 1)
            try await update.perform { _ = try $0.create(Person.self) }
            try await update.rollback()
            try await update.commit()
            #expect(try await count == 1)
        }

        @Test func `they come after the steps that were begun before`() async throws {
            let update = context.beginUpdateContext()
            for _ in 0..<100 { update.beginPerform { _ = try $0.create(Person.self) } }
            try await update.commit()
            #expect(try await count == 100)
        }

        @Test func `inside a step they are a part of it`() async throws {
            let update = context.beginUpdateContext()
            try await update.perform { step in
                _ = try step.create(Person.self)
                try await update.commit()
            }
            #expect(try await count == 1)
        }

        @Test func `a thread can wait for all steps`() async throws {
            let update = context.beginUpdateContext()
            let (done, steps) = (Meeting(), Locked(0))
            for _ in 0..<50 { update.beginPerform { _ in steps.withLock { $0 += 1 } } }
            Thread.detachNewThread {
                // Reason for try?: the number of steps says whether it waited.
                try? update.waitUntilAllStepsAreFinished(deadline: .seconds(3_600))
                #expect(steps.withLock { $0 } == 50)
                done.open()
            }
            await done.wait()
        }

        @Test func `a thread waits no longer than its deadline`() async throws {
            let update = context.beginUpdateContext()
            let (entered, leave, done) = (Meeting(), Meeting(), Meeting())
            update.beginPerform { _ in
                entered.open()
                await leave.wait()
            }
            await entered.wait()
            Thread.detachNewThread {
                let error = #expect(throws: UpdateError.self) {
                    try update.waitUntilAllStepsAreFinished(deadline: .milliseconds(20))
                }
                #expect(error?.code == .deadlinePassed)
                done.open()
            }
            await done.wait()
            leave.open()
            try await update.wait()
        }

        @Test func `a step that waits for itself is refused`() async throws {
            let update = context.beginUpdateContext()
            try await update.perform { _ in
                func wait() throws { try update.waitUntilAllStepsAreFinished() }
                let error = #expect(throws: UpdateError.self) { try wait() }
                #expect(error?.code == .wouldDeadlock)
            }
        }

        @Test func `an update has the engine's context`() async throws {
            try await context.update { update in
                let monk = try update.create(Person.self)
                #expect(update.managedObjectContext === monk.managedObjectContext)
                try update.managedObjectContext.save()
            }
            #expect(try await count == 1)
        }

        @Test func `a batch deletes by ids`() async throws {
            let ids = try await context.update { update in
                let people = try (0..<10).map { _ in try update.create(Person.self) }
                try update.commit()
                return people.map(\.objectID)
            }
            try await context.update { update in
                let counts = try [
                    update.batchDelete(Array(ids.prefix(4))), update.batchDelete(ids.map(\.erased)),
                    update.batchDelete(ids),
                ]
                #expect(counts == [4, 6, 0])
            }
            #expect(try await count == 0)
        }

        // MARK: Contexts with a main context

        @Test @MainActor func `a context with a main context may merge into it`() async throws {
            let World = try MainContext(stack: stack)
            for target in [UpdateTarget.mainContext, .rootContext(autoMerge: true), .persistentStore] {
                let context = try Context(stack: stack, mainContext: World, updateTarget: target)
                #expect(context.mainContext === World)
                try await context.update { update in
                    _ = try update.create(Person.self)
                    try update.commit()
                }
            }
            #expect(try World.count(Person.self) == 3)
        }

        @Test @MainActor func `targets without what they need are refused`() throws {
            let other = try MainContext(stack: Stack(Person.self))
            let still = try MainContext(stack: stack, updateTarget: .persistentStore)
            let refused: [(MainContext?, UpdateTarget)] = [
                (nil, .mainContext), (nil, .rootContext(autoMerge: true)), (still, .mainContext),
                (other, .persistentStore),
            ]
            for (main, target) in refused {
                let error = #expect(throws: UpdateError.self) {
                    try Context(stack: stack, mainContext: main, updateTarget: target)
                }
                #expect(error?.code == .invalidTarget)
            }
        }

        // MARK: Errors

        @Test func `an application hands its own errors to the handler`() throws {
            struct Problem: Error {}
            let handled = Locked(0)
            stack.onError { if $0 is Problem { handled.withLock { $0 += 1 } } }
            stack.handleError(Problem())
            #expect(handled.withLock { $0 } == 1)
            #expect(stack.lastError is Problem)
        }
    }
#endif
