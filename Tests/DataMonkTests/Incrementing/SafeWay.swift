#if Macros
    import DataMonk
    import Testing

    /// A way to add to one row from many updates that loses nothing, in one set-up.
    struct SafeWay: Sendable, CustomTestStringConvertible {
        enum Kind: CaseIterable { case increment, retrying, serial, ownRetries }

        let kind: Kind
        let order: UpdateOrder
        let hasMain: Bool

        static let all = Kind.allCases.flatMap { kind in
            [UpdateOrder.default, .serial].flatMap { order in
                [true, false].map { SafeWay(kind: kind, order: order, hasMain: $0) }
            }
        }.filter { $0.kind != .serial || $0.order == .serial }

        var testDescription: String { "\(kind), \(order), \(hasMain ? "main" : "no main")" }

        func makeContext(_ stack: Stack) async throws -> any Updating {
            if !hasMain { return try Context(stack: stack, updateOrder: order) }
            let policy: MergePolicy = kind == .ownRetries ? .error : .mergeByPropertyObjectTrump
            return try await MainContext(stack: stack, updateOrder: order, mergePolicy: policy)
        }

        /// Adds one to the balance.
        ///
        /// - Returns: how many bodies ran.
        func add(_ context: any Updating, _ id: ObjectID<Treasury.Account>) async throws -> Int {
            let runs = Locked(0)
            switch kind {
            case .increment:
                try await context.update { update in
                    runs.withLock { $0 += 1 }
                    try update.increment(\.balance, by: 1, of: id)
                    await Task.yield()
                    try update.commit()
                }
            case .retrying:
                try await context.update(retrying: 100) { try await Self.readAndWrite($0, id, runs) }
            case .serial:
                try await context.update { try await Self.readAndWrite($0, id, runs) }
            case .ownRetries:
                var isDone = false
                while !isDone {
                    do {
                        try await context.update { try await Self.readAndWrite($0, id, runs) }
                        isDone = true
                    } catch let error as SaveError where error.code == .mergeConflict {
                        continue
                    }
                }
            }
            return runs.withLock { $0 }
        }

        private static func readAndWrite(
            _ update: Update, _ id: ObjectID<Treasury.Account>, _ runs: Locked<Int>
        ) async throws {
            runs.withLock { $0 += 1 }
            let account = try update.use(id)
            let balance = account.balance
            await Task.yield()
            account.balance = balance + 1
            try update.commit()
        }
    }
#endif
