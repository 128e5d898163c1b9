#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// Deletions of objects whose keys lie together: few statements delete them, and each row still has to be of its version.
    @Suite struct `Deletions of many objects` {
        private let recorder = StatementRecorder()
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func openStack() throws -> Stack {
            let stack = Stack(model: try Office.model.get(), trace: { [recorder] in recorder.record($0, by: "store") })
            try stack.addDatabaseStore(fileURL: folder.file("office.sqlite"), synchronous: .normal)
            return stack
        }

        private func context(_ stack: Stack) -> ManagedObjectContext {
            ManagedObjectContext(coordinator: stack.coordinator)
        }

        private func fill(_ context: ManagedObjectContext, _ count: Int) throws {
            for number in 0..<count { try context.insert(Office.Badge.self).code = "\(number)" }
            try context.save()
            context.endTurn()
        }

        private func codes(_ context: ManagedObjectContext) throws -> Set<String> {
            // Without the mark of a change.
            Set(try context.all(Office.Badge.self).compactMap { $0.code?.filter(\.isNumber) })
        }

        @Test func `take one statement for keys in a row`() throws {
            let context = context(try openStack())
            try fill(context, 200)
            for badge in try context.all(Office.Badge.self) where badge.code != "100" { context.delete(badge) }
            let deletions = try recorder.statements { try context.save() }.filter { $0.hasPrefix("DELETE") }
            #expect(deletions.count == 1 && deletions[0].contains("BETWEEN"), "\(deletions)")
            #expect(try codes(self.context(try openStack())) == ["100"])
        }

        @Test(arguments: 0..<UInt64(30))
        func `find each object that another process has changed or deleted`(seed: UInt64) throws {
            var random = SeededGenerator(seed: seed)
            func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }
            let context = context(try openStack())
            let stranger = self.context(try openStack())
            try fill(stranger, 300)
            // Gaps between the keys, small and large.
            let start = Int.random(in: 0..<200, using: &random)
            for badge in try stranger.all(Office.Badge.self) {
                let isInGap = (start..<start + 60).contains(badge.code.flatMap(Int.init) ?? 0)
                if chance(isInGap ? 0.95 : 0.1) { stranger.delete(badge) }
            }
            try stranger.save()
            stranger.endTurn()
            let share = chance(0.5) ? 0 : 0.02
            var (deleted, left): (Set<String>, Set<String>) = ([], [])
            for badge in try context.all(Office.Badge.self) {
                let code = try #require(badge.code)
                left.insert(code)
                if chance(0.8) {
                    context.delete(badge)
                    deleted.insert(code)
                }
            }
            var (changed, gone): (Set<String>, Set<String>) = ([], [])
            for badge in try stranger.all(Office.Badge.self) {
                let code = try #require(badge.code)
                if chance(share) {
                    badge.code = code + "!"
                    changed.insert(code)
                } else if chance(share) {
                    stranger.delete(badge)
                    gone.insert(code)
                }
            }
            try stranger.save()
            stranger.endTurn()
            let inTheWay = deleted.intersection(changed.union(gone))
            if inTheWay.isEmpty {
                try context.save()
            } else {
                let error = #expect(throws: SaveError.self) { try context.save() }
                #expect(error?.conflicts.count == inTheWay.count && error?.conflicts.allSatisfy(\.isDeletion) == true)
                #expect(try codes(self.context(try openStack())) == left.subtracting(gone))
                context.mergePolicy = .overwrite
                try context.save()
            }
            #expect(try codes(self.context(try openStack())) == left.subtracting(gone).subtracting(deleted))
        }
    }
#endif
