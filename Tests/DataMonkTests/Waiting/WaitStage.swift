#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// A stack with an object, a main context over it, and what happened so far.
    struct WaitStage: Sendable {
        let stack: Stack
        let world: MainContext
        let object: ObjectID<Office.Employee>
        private let events = Locked<[String]>([])
        /// For those who suspend, and for those who block, until the inner update has run.
        private let ran = Meeting()
        private let ranToo = DispatchSemaphore(value: 0)

        init(_ target: UpdateTarget, _ order: UpdateOrder) async throws {
            stack = Stack(model: try Office.model.get())
            // Shorter than the watchdog's: a wait that ends by its deadline is told as such.
            stack.deadline = .seconds(300)
            try stack.addInMemoryStore()
            world = try await MainContext(stack: stack, updateTarget: target, updateOrder: order)
            object = try await world.update { update in
                let monk = try update.create(Office.Employee.self)
                try update.commit()
                return monk.objectID
            }
        }

        func note(_ event: String) { events.withLock { $0.append(event) } }

        var log: [String] { events.withLock { $0 } }

        /// What the inner call runs, or says when it is done.
        func inner() {
            note("inner")
            ran.open()
            ranToo.signal()
        }

        func innerRan() async { await ran.wait() }

        func waitUntilInnerRan() { ranToo.wait() }
    }

    extension WaitCall {
        /// Calls it from code that can suspend.
        ///
        /// - Returns: the handle of an update that need not have run yet.
        nonisolated(nonsending)
            func call(_ stage: WaitStage, _ reader: Reader?, _ context: UpdateContext?) async throws -> UpdateHandle?
        {
            switch self {
            case .update: try await stage.world.update { _ in stage.inner() }
            case .beginUpdateAwaited: try await stage.world.beginUpdate { _ in stage.inner() }.value
            case .performElsewhere: try await stage.world.beginUpdateContext().perform { _ in stage.inner() }
            case .waitElsewhere:
                try await stage.world.beginUpdateContext().wait()
                stage.inner()
            case .performHere: try await context?.perform { _ in stage.inner() }
            case .waitHere:
                try await context?.wait()
                stage.inner()
            case .performOfUpdate: try await (reader as? Update)?.perform { _ in stage.inner() }.value
            case .read: try await stage.world.read { _ in stage.inner() }
            case .commitDraft:
                try await Self.commitDraft(stage.world)
                stage.inner()
            case .addStore:
                try await stage.stack.addStore(.inMemory())
                stage.inner()
            case .closeStores:
                try await stage.stack.closeStores()
                stage.inner()
            case .reset, .fetch, .use:
                if self == .use, let reader {
                    _ = try reader.use(stage.object)
                } else {
                    try await MainActor.run { try self.callOnMain(stage) }
                }
                stage.inner()
            default: return try callAndWait(stage, reader, context)
            }
            return nil
        }

        /// Calls it from code that cannot suspend.
        func callAndWait(_ stage: WaitStage, _ reader: Reader?, _ context: UpdateContext?) throws -> UpdateHandle? {
            switch self {
            case .beginUpdate: return stage.world.beginUpdate { _ in stage.inner() }
            case .beginUpdateUsing: return stage.world.beginUpdate(using: stage.object) { _, _ in stage.inner() }
            case .beginPerformHere: return context?.beginPerform { _ in stage.inner() }
            case .performOfUpdate: return (reader as? Update)?.perform { _ in stage.inner() }
            case .beginUpdateAndWait: try stage.world.beginUpdateAndWait { _ in stage.inner() }
            case .performAndWaitElsewhere:
                try stage.world.beginUpdateContext().performAndWait { _ in stage.inner() }
            case .performAndWaitHere: try context?.performAndWait { _ in stage.inner() }
            default:
                try callAtOnce(stage, reader)
                stage.inner()
            }
            return nil
        }

        private func callAtOnce(_ stage: WaitStage, _ reader: Reader?) throws {
            switch self {
            case .commit:
                let update = try #require(reader as? Update)
                try update.create(Office.Employee.self).name = "New"
                try update.commit()
            case .rollback: try #require(reader as? Update).rollback()
            case .observeCommit: stage.world.observeCommit {}.cancel()
            case .addInMemoryStore:
                try stage.stack.addInMemoryStore()
                if let reader { #expect(try reader.count(Office.Employee.self) == 1) }
            case .close: try stage.stack.close()
            case .use where reader != nil: _ = try reader?.use(stage.object)
            case .use, .reset, .fetch: try MainActor.assumeIsolated { try callOnMain(stage) }
            default: Issue.record("\(self) cannot be called from code that does not suspend")
            }
        }

        @MainActor private func callOnMain(_ stage: WaitStage) throws {
            switch self {
            case .reset: stage.world.reset()
            case .fetch: _ = try stage.world.fetchAll(Office.Employee.self)
            default: _ = try stage.world.use(stage.object)
            }
        }

        @MainActor private static func commitDraft(_ world: MainContext) async throws {
            let draft = world.draft()
            try draft.create(Office.Employee.self).name = "Drafted"
            try await draft.commit()
        }
    }
#endif
