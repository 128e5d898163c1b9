#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    @Suite struct `A property that is observed and cannot be read` {
        @Test func `is reported, and told when it can be read again`() throws {
            let stage = try FailingStage()
            let context = stage.newContext()
            let monk = try stage.failingEmployee(in: context)
            stage.store.heal()
            var told: [[Int]] = []
            let observation = try monk.observe(\.age) { told.append([$1.oldValue, $1.newValue]) }
            stage.store.fail(.read)
            try context.refresh(monk, mergeChanges: false)
            context.endTurn()
            context.processPendingChanges()
            #expect(told.isEmpty && stage.errors.withLock { $0.count } == 1)
            stage.store.heal()
            monk.note = "changed"
            context.processPendingChanges()
            #expect(told.isEmpty && monk.age == 40)
            // Nothing was computed from a substitute.
            try context.save()
            observation.cancel()
        }

        @Test func `is an error of each value that is computed of it on the main actor`() throws {
            let stage = try FailingStage()
            let context = stage.newContext()
            let monk = try stage.failingEmployee(in: context)
            for _ in 0..<2 {
                stage.store.fail(.read)
                // The second failure is the same one as the first, and an error as well.
                #expect(throws: StoreError.self) { try context.recordingSteps { monk.age } }
            }
            stage.store.heal()
            #expect(try context.recordingSteps { monk.age }.0 == 40)
            #expect(context.failedAccesses.isEmpty)
        }

        @Test func `of a related object neither, nor at the beginning`() throws {
            let stage = try FailingStage()
            let context = stage.newContext()
            let monk = try stage.failingEmployee(in: context)
            stage.store.heal()
            try monk.fault()
            stage.store.fail(.read)
            context.endTurn()
            #expect(throws: StoreError.self) { try monk.observe(\.department?.name) { _, _ in } }
            stage.store.fail(.read)
            #expect(throws: StoreError.self) { try monk.observe(\.department?.employees) { _, _ in } }
            stage.store.heal()
            monk.age = 3
            try context.save()
            #expect(monk.department?.name == "kitchen")
        }
    }
#endif
