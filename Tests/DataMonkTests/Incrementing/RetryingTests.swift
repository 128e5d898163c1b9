#if Macros
    import DataMonk
    import Testing

    /// Updates that run again where others have committed what they change.
    @Suite(.timeLimit(.minutes(60))) struct `Retrying updates` {
        private let treasury: Treasury
        private let context: Context
        private let runs = Locked(0)

        init() throws {
            treasury = try Treasury()
            context = try Context(stack: treasury.stack)
        }

        /// Counts the run, and in the first ones commits what the update is about to change.
        private static func meetOthers(
            _ id: ObjectID<Treasury.Account>, _ context: Context, _ runs: Locked<Int>, times: Int = 1
        ) async throws {
            if runs.next() > times { return }
            try await context.update { update in
                try update.use(id).balance += 10
                try update.commit()
            }
        }

        private var runCount: Int { runs.withLock { $0 } }

        @Test func `under the defaults a context's later commit throws, and a main context's wins`() async throws {
            let (id, context, runs) = (treasury.id, context, runs)
            let body: @Sendable (Update) async throws -> Void = { update in
                let account = try update.use(id)
                let balance = account.balance
                try await Self.meetOthers(id, context, runs, times: 2)
                account.balance = balance + 1
                try update.commit()
            }
            let error = await #expect(throws: SaveError.self) { try await context.update(body) }
            #expect(try error?.code == .mergeConflict && treasury.stored().balance == 10)
            let world = try await MainContext(stack: treasury.stack)
            try await world.update(body)
            #expect(try treasury.stored().balance == 11)
        }

        @Test func `a conflict lets the body run again, which reads anew`() async throws {
            let (id, context, runs) = (treasury.id, context, runs)
            let world = try await MainContext(stack: treasury.stack)
            let result = try await world.update(retrying: 1) { update in
                let account = try update.use(id)
                let balance = account.balance
                try await Self.meetOthers(id, context, runs)
                account.balance = balance + 1
                try update.commit()
                return account.balance
            }
            #expect(try result == 11 && treasury.stored().balance == 11 && runCount == 2)
        }

        @Test(arguments: [0, 2]) func `the last conflict is thrown`(limit: Int) async throws {
            let (id, context, runs) = (treasury.id, context, runs)
            let error = await #expect(throws: SaveError.self) {
                try await context.update(retrying: limit) { update in
                    let account = try update.use(id)
                    let balance = account.balance
                    try await Self.meetOthers(id, context, runs, times: .max)
                    account.balance = balance + 1
                    try update.commit()
                }
            }
            #expect(error?.code == .mergeConflict && runCount == limit + 1)
        }

        @Test func `an update that has committed something does not run again`() async throws {
            let (id, context, runs) = (treasury.id, context, runs)
            let ways: [@Sendable (Update) throws -> Void] = [
                { try $0.batchInsert(Treasury.Branch.self, [[:]]) },
                { update in
                    _ = try update.create(Treasury.Branch.self)
                    try update.commit()
                },
                { update in try update.create(Treasury.Branch.self).managedObjectContext?.save() },
            ]
            for commitBranch in ways {
                runs.withLock { $0 = 0 }
                await #expect(throws: SaveError.self) {
                    try await context.update(retrying: 10) { update in
                        let account = try update.use(id)
                        try commitBranch(update)
                        let balance = account.balance
                        try await Self.meetOthers(id, context, runs)
                        account.balance = balance + 1
                        try update.commit()
                    }
                }
                #expect(runCount == 1)
            }
            let branches = try await context.read { try $0.count(Treasury.Branch.self) }
            #expect(branches == 1 + ways.count)
        }

        @Test func `a commit of nothing is none`() async throws {
            let (id, context, runs) = (treasury.id, context, runs)
            try await context.update(retrying: 1) { update in
                try update.commit()
                let account = try update.use(id)
                let balance = account.balance
                account.balance = balance
                try update.commit()
                try await Self.meetOthers(id, context, runs)
                account.balance = balance + 1
                try update.commit()
            }
            #expect(runCount == 2)
        }

        @Test func `unique values that others were faster with are found by the second run`() async throws {
            let (context, runs) = (context, runs)
            let id = try await context.update(retrying: 1) { update in
                let account = try update.fetchOrCreate(Treasury.Account.self, %"seat" == 5)
                if runs.next() == 1 {
                    try await context.update { other in
                        try other.create(Treasury.Account.self).seat = 5
                        try other.commit()
                    }
                }
                try update.commit()
                return account.objectID
            }
            let seats = try await context.read { try $0.fetchAll(Treasury.Account.self, %"seat" == 5).map(\.objectID) }
            #expect(seats == [id] && runCount == 2)
        }

        @Test func `other errors are thrown at once`() async throws {
            struct Refusal: Error {}
            let (context, runs) = (context, runs)
            await #expect(throws: Refusal.self) {
                try await context.update(retrying: 10) { _ in
                    runs.withLock { $0 += 1 }
                    throw Refusal()
                }
            }
            #expect(runCount == 1)
        }

        @Test func `an update inside of one that runs again may run again too`() async throws {
            let (id, context, runs) = (treasury.id, context, runs)
            let inner = Locked(0)
            try await context.update(retrying: 2) { update in
                let account = try update.use(id)
                let note = account.note ?? ""
                try await Self.meetOthers(id, context, runs)
                if runs.withLock({ $0 }) == 2 {
                    try await context.update(retrying: 1) { update in
                        let account = try update.create(Treasury.Account.self)
                        account.name = "inner"
                        let first = try update.use(id)
                        if inner.next() == 1 {
                            first.balance += 1
                            try await Self.meetOthers(id, context, Locked(0))
                        }
                        try update.commit()
                    }
                }
                account.note = note + "outer"
                try update.commit()
            }
            #expect(try inner.withLock { $0 } == 2 && treasury.stored().note == "outer")
        }

        @Test func `an update that runs again inside of another one does not wait for those that wait for that`()
            async throws
        {
            let (id, context) = (treasury.id, context)
            let line = try Context(stack: treasury.stack, updateOrder: .serial)
            let other = try await context.update { update in
                let account = try update.create(Treasury.Account.self)
                try update.commit()
                return account.objectID
            }
            let (begun, entered) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
            let (outerRuns, innerRuns) = (Locked(0), Locked(0))
            let holder = line.beginUpdate { _ in
                begun.continuation.finish()
                for await _ in entered.stream {}
                try await context.update(retrying: 1) { update in
                    let account = try update.use(other)
                    let balance = account.balance
                    try await Self.meetOthers(other, context, innerRuns)
                    account.balance = balance + 1
                    try update.commit()
                }
            }
            for await _ in begun.stream {}
            try await context.update(retrying: 1) { update in
                let account = try update.use(id)
                let balance = account.balance
                try await Self.meetOthers(id, context, outerRuns)
                if outerRuns.withLock({ $0 }) == 2 {
                    entered.continuation.finish()
                    try await line.update { _ in }
                }
                account.balance = balance + 1
                try update.commit()
            }
            try await holder.value
            #expect(outerRuns.withLock { $0 } == 2 && innerRuns.withLock { $0 } == 2)
            #expect(try treasury.stored().balance == 11)
        }

        @Test func `those that run again do so one at a time, with one deadline for all`() async throws {
            let (id, context) = (treasury.id, context)
            let (entered, leaving) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
            let (first, second) = (Locked(0), Locked(0))
            let holder = Task {
                try await context.update(retrying: 1) { update in
                    let account = try update.use(id)
                    let note = account.note ?? ""
                    try await Self.meetOthers(id, context, first)
                    if first.withLock({ $0 }) == 2 {
                        entered.continuation.finish()
                        for await _ in leaving.stream {}
                    }
                    account.note = note + "holder"
                    try update.commit()
                }
            }
            for await _ in entered.stream {}
            var isWaitOver = false
            // On a busy machine the deadline may pass before the first run comes to its end, which is tried again.
            for deadline in [4, 16, 64, 256, 1_024].map(Duration.seconds) where !isWaitOver {
                second.withLock { $0 = 0 }
                do {
                    try await context.update(retrying: 10, deadline: deadline) { update in
                        let account = try update.use(id)
                        let balance = account.balance
                        // Of another stack's order: the holder's row has to stay what it has read.
                        try await Self.meetOthers(id, context, second)
                        account.balance = balance + 1
                        try update.commit()
                    }
                    Issue.record("It has not waited for the holder.")
                    isWaitOver = true
                } catch let error as UpdateError where error.code == .deadlinePassed {
                    isWaitOver = second.withLock { $0 } > 0
                } catch let error as SaveError where error.code == .deadlinePassed {}
            }
            #expect(isWaitOver && second.withLock { $0 } == 1)
            leaving.continuation.finish()
            await #expect(throws: SaveError.self) { try await holder.value }
        }
    }

    extension Locked<Int> {
        /// Counts one more.
        fileprivate func next() -> Int {
            withLock { count in
                count += 1
                return count
            }
        }
    }
#endif
