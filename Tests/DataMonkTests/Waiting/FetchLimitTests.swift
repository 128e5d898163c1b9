#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Fetches end when their task is cancelled or their deadline passes, and their context reads on.
    @Suite struct `Limits of fetches` {
        /// Cancels the task that runs the next SELECT, as it begins.
        private final class Canceller: Sendable {
            private let isArmed = Locked(false)

            func arm() { isArmed.withLock { $0 = true } }

            func see(_ sql: String) {
                guard sql.hasPrefix("SELECT"), isArmed.withLock({ $0 }) else { return }
                isArmed.withLock { $0 = false }
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }

        private static let count = 2_000

        private static func fill(_ stack: Stack) async throws -> Context {
            let context = try Context(stack: stack)
            try await context.update { update in
                for number in 0..<count { try update.create(Office.Employee.self).name = "Monk \(number)" }
                try update.commit()
            }
            return context
        }

        @Test func `a fetch that runs ends when its task is cancelled, and its context reads on`() async throws {
            let folder = try TemporaryFolder()
            let canceller = Canceller()
            let stack = Stack(model: try Office.model.get(), trace: { canceller.see($0) })
            try await stack.addStore(.database(fileURL: folder.url.appending(path: "office.sqlite")))
            let context = try await Self.fill(stack).beginUpdateContext()
            let fetches: [@Sendable (Update) throws -> Void] = [
                { _ = try $0.fetchAll(Office.Employee.self) },
                { _ = try $0.fetchAllID(Office.Employee.self, %"name" != "x") },
                { _ = try $0.count(Office.Employee.self, %"name" != "x") },
                { _ = try $0.query(Office.Employee.self, .Select("name")) },
            ]
            for fetch in fetches {
                let task = Task {
                    try await context.perform { update in
                        canceller.arm()
                        try fetch(update)
                    }
                }
                await #expect(throws: CancellationError.self) { try await task.value }
                #expect(try await context.perform { try $0.fetchAll(Office.Employee.self).count } == Self.count)
            }
            try await stack.closeStores()
        }

        @Test(arguments: [true, false])
        func `a fetch that takes longer than its deadline ends, and its context reads on`(isInMemory: Bool) async throws
        {
            let folder = try TemporaryFolder()
            let stack = Stack(model: try Office.model.get())
            let url = folder.url.appending(path: "office.sqlite")
            try await stack.addStore(isInMemory ? .inMemory() : .database(fileURL: url))
            let context = try await Self.fill(stack)
            try await context.read { reader in
                let error = #expect(throws: FetchError.self) {
                    try reader.fetchAll(
                        Office.Employee.self, .Where("name MATCHES %@", "(a|b)*Monk [0-8]+"),
                        options: .Deadline(.microseconds(200)))
                }
                #expect(error?.code == .deadlinePassed)
                let count = try reader.count(Office.Employee.self, options: .Deadline(.seconds(60)))
                #expect(count == Self.count)
            }
            let error = await #expect(throws: UpdateError.self) {
                try await context.read(deadline: .zero) { try $0.count(Office.Employee.self) }
            }
            #expect(error?.code == .deadlinePassed)
            try await stack.closeStores()
        }

        @Test func `the deadline of an update is its fetches' and its commit's`() async throws {
            let stack = Stack(model: try Office.model.get())
            try stack.addInMemoryStore()
            let context = try Context(stack: stack).beginUpdateContext()
            try await context.perform(deadline: .seconds(3_600)) { update in
                try Self.passDeadline(in: context)
                #expect(update.hasChanges)
                // The part has ended, and so has its deadline.
                #expect(try update.count(Office.Employee.self) == 1)
                try update.commit()
            }
        }

        /// A part of a step has the earlier deadline, and begins at once.
        private static func passDeadline(in context: UpdateContext) throws {
            try context.performAndWait(deadline: .milliseconds(500)) { update in
                try update.create(Office.Employee.self).name = "Monk"
                let end = ContinuousClock.now + .milliseconds(500)
                while ContinuousClock.now < end {}
                #expect(throws: FetchError.self) { try update.count(Office.Employee.self) }
                expectNoLaterDeadline(in: context)
                let error = #expect(throws: SaveError.self) { try update.commit() }
                #expect(error?.code == .deadlinePassed)
            }
        }

        /// A later deadline of an inner part changes nothing.
        private static func expectNoLaterDeadline(in context: UpdateContext) {
            let error = #expect(throws: UpdateError.self) {
                try context.performAndWait(deadline: .seconds(3_600)) { _ in Issue.record("It runs.") }
            }
            #expect(error?.code == .deadlinePassed)
        }
    }
#endif
