#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Every cell of the tables on waiting, for every target: what is promised happens, and nothing hangs.
    @Suite(.inOwnProcess) struct `Waiting table` {
        private static let targets: [UpdateTarget] = [
            .mainContext, .rootContext(autoMerge: true), .rootContext(autoMerge: false), .persistentStore,
        ]

        @Test func `the tables say something of every call and every place`() throws {
            let cells = try WaitTable.cells.get()
            for order in [UpdateOrder.default, .serial] {
                let calls = Set(cells.filter { $0.order == order }.map(\.call))
                #expect(calls == Set(WaitCall.allCases))
                let places = Set(cells.filter { $0.order == order }.map(\.place))
                #expect(places == Set(WaitPlace.allCases))
            }
        }

        @Test(arguments: (try? WaitTable.cells.get()) ?? [])
        func `a call inside of another one does what the table says`(cell: WaitCell) async throws {
            for target in Self.targets {
                try await watched("\(cell.testDescription), \(target)") {
                    let stage = try await WaitStage(target, cell.order)
                    let answer = try await cell.run(stage)
                    #expect(answer == cell.answer, "\(cell.testDescription), \(target): \(stage.log)")
                }
            }
        }
    }

    extension WaitCell {
        /// What happens.
        func run(_ stage: WaitStage) async throws -> String {
            switch place {
            case .update: return try await after(stage) { try await stage.world.update { try await inside(stage, $0) } }
            case .beginUpdate:
                return try await after(stage) {
                    let outcome = Locked(Outcome.ran)
                    let handle = stage.world.beginUpdate { update in
                        let inner = try await inside(stage, update)
                        outcome.withLock { $0 = inner }
                    }
                    try await handle.value
                    return outcome.withLock { $0 }
                }
            case .beginUpdateUsing:
                return try await after(stage) {
                    let outcome = Locked(Outcome.ran)
                    let handle = stage.world.beginUpdate(using: stage.object) { update, _ in
                        let inner = try await inside(stage, update)
                        outcome.withLock { $0 = inner }
                    }
                    try await handle.value
                    return outcome.withLock { $0 }
                }
            case .perform:
                return try await after(stage) {
                    try await stage.world.beginUpdateContext().perform { try await inside(stage, $0) }
                }
            case .beginUpdateAndWait:
                return try await after(stage) {
                    try await onThread {
                        try stage.world.beginUpdateAndWait { try insideAndWait(stage, $0, $0.context) }
                    }
                }
            case .performAndWait:
                return try await after(stage) {
                    try await onThread {
                        try stage.world.beginUpdateContext().performAndWait { try insideAndWait(stage, $0, $0.context) }
                    }
                }
            case .read:
                return try await after(stage) { try await stage.world.read { try await outcome(stage, $0, nil) } }
            case .observer: return try await after(stage) { try await inObserver(stage) }
            case .main: return try await after(stage) { try await onMain(stage, nil) }
            case .beside: return try await beside(stage)
            }
        }

        enum Outcome: Sendable {
            case ran
            case refused
            case queued(UpdateHandle?)
        }

        private func after(_ stage: WaitStage, _ body: () async throws -> Outcome) async throws -> String {
            switch try await body() {
            case .ran: return "runs"
            case .refused: return "refused"
            case .queued(let handle):
                try await handle?.value
                return stage.log == ["outer ends", "inner"] ? "queues" : "runs, out of turn"
            }
        }

        nonisolated(nonsending)
            private func inside(_ stage: WaitStage, _ update: Update) async throws -> Outcome
        {
            try await outcome(stage, update, update.context)
        }

        /// Calls from code that can suspend.
        nonisolated(nonsending)
            private func outcome(_ stage: WaitStage, _ reader: Reader?, _ context: UpdateContext?) async throws
            -> Outcome
        {
            do {
                let handle = try await call.call(stage, reader, context)
                if answer == "queues" {
                    // Whoever comes out of turn has time to do so.
                    for _ in 0..<10 { await Task.yield() }
                    stage.note("outer ends")
                    return .queued(handle)
                }
                await stage.innerRan()
                return .ran
            } catch let error as UpdateError where error.code == .wouldDeadlock {
                #expect(error.waiter != nil && error.holder != nil && error.waiter != error.holder)
                return .refused
            }
        }

        /// Calls from code that cannot suspend.
        private func insideAndWait(_ stage: WaitStage, _ reader: Reader?, _ context: UpdateContext?) throws -> Outcome {
            do {
                let handle = try call.callAndWait(stage, reader, context)
                if answer == "queues" {
                    stage.note("outer ends")
                    return .queued(handle)
                }
                stage.waitUntilInnerRan()
                return .ran
            } catch let error as UpdateError where error.code == .wouldDeadlock {
                #expect(error.waiter != nil && error.holder != nil)
                return .refused
            }
        }

        @MainActor private func onMain(_ stage: WaitStage, _ context: UpdateContext?) async throws -> Outcome {
            try await outcome(stage, nil, context)
        }

        @MainActor private func inObserver(_ stage: WaitStage) async throws -> Outcome {
            let calls = Locked(0)
            return try await withCheckedThrowingContinuation { continuation in
                let observer = Locked<CommitObserver?>(nil)
                let token = stage.world.observeCommit {
                    // The inner call may commit, too.
                    let isFirst = calls.withLock {
                        $0 += 1; return $0 == 1
                    }
                    guard isFirst else { return }
                    continuation.resume(with: Result { try insideAndWait(stage, nil, nil) })
                    observer.withLock { $0 = nil }
                }
                observer.withLock { $0 = token }
                do {
                    try stage.world.beginUpdateAndWait { update in
                        _ = try update.create(Office.Employee.self)
                        try update.commit()
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }

        /// On the main actor, while an update has suspended.
        @MainActor private func beside(_ stage: WaitStage) async throws -> String {
            let (holding, release) = (Meeting(), Meeting())
            let context = stage.world.beginUpdateContext()
            let holder = Self.begin(context) { _ in
                holding.open()
                await release.wait()
                stage.note("outer ends")
            }
            await holding.wait()
            if answer != "queues" {
                let outcome = try await onMain(stage, context)
                release.open()
                try await holder.value
                return try await after(stage) { outcome }
            }
            let task = Task { @MainActor in try await call.call(stage, nil, context)?.value }
            for _ in 0..<10 { await Task.yield() }
            release.open()
            try await task.value
            try await holder.value
            return stage.log == ["outer ends", "inner"] ? "queues" : "runs, out of turn"
        }

        /// A step that is not awaited.
        private static func begin(
            _ context: UpdateContext, _ body: nonisolated(nonsending) @escaping @Sendable (Update) async throws -> Void
        ) -> UpdateHandle {
            context.beginPerform(body)
        }
    }
#endif
