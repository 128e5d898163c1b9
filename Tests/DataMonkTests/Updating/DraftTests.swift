#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Editing on the main actor.
    @Suite @MainActor struct `Drafts` {
        private let office: OfficeStack

        init() throws { office = try OfficeStack(.file) }

        private func makeWorld(
            _ mergePolicy: MergePolicy = .mergeByPropertyObjectTrump
        ) async throws -> MainContext {
            let world = try MainContext(
                stack: office.stack, mergePolicy: mergePolicy, deadline: .seconds(3_600))
            try await world.update { update in
                let monk = try update.create(Office.Employee.self)
                monk.name = "Monk"
                try update.commit()
            }
            return world
        }

        private func monk(_ draft: Draft) throws -> Office.Employee {
            try draft.fetch(Office.Employee.self, %"age" >= 0, orderBy: .Ascending("name"))
        }

        @Test func `edits are seen in the draft alone until it is committed, then on disk and in the main context`()
            async throws
        {
            let world = try await makeWorld()
            let shown = try world.fetch(Office.Employee.self, %"name" == "Monk")
            let draft = world.draft()
            let own = try draft.use(shown)
            own.name = "Abbot"
            own.department = try draft.create(Office.Department.self)
            #expect(shown.name == "Monk" && draft.hasChanges)
            #expect(try world.count(Office.Department.self) == 0)
            try await draft.commit()
            #expect(!draft.hasChanges && !own.hasChanges)
            #expect(shown.name == "Abbot" && shown.department != nil)
            #expect(own.department?.objectID == shown.department?.objectID)
            #expect(own.department?.objectID.isTemporaryID == false)
            #expect(try office.newContext().all(Office.Employee.self).map(\.name) == ["Abbot"])
        }

        @Test func `a draft that ends without a commit leaves no trace`() async throws {
            let world = try await makeWorld()
            do {
                let draft = world.draft()
                try monk(draft).name = "Abbot"
                _ = try draft.create(Office.Employee.self)
            }
            #expect(try world.fetchAll(Office.Employee.self).map(\.name) == ["Monk"])
            let draft = world.draft()
            #expect(try draft.count(Office.Employee.self) == 1)
        }

        @Test func `clean objects follow the store, edited ones keep what they started from and show the conflict`()
            async throws
        {
            let world = try await makeWorld()
            let draft = world.draft()
            let own = try monk(draft)
            try await world.update { update in
                try update.fetch(Office.Employee.self).age = 1
                try update.commit()
            }
            _ = try world.count(Office.Employee.self)
            #expect(own.age == 1 && !own.hasConflict)
            own.name = "Abbot"
            try await world.update { update in
                try update.fetch(Office.Employee.self).age = 2
                try update.commit()
            }
            _ = try world.count(Office.Employee.self)
            #expect(own.age == 1 && own.hasConflict)
            #expect(draft.conflicts == [own])
            // The policy: property by property, the draft's changes win.
            try await draft.commit()
            #expect(own.age == 2 && own.name == "Abbot" && !own.hasConflict)
            let stored = try office.newContext().all(Office.Employee.self)
            #expect(stored.map(\.age) == [2] && stored.map(\.name) == ["Abbot"])
        }

        @Test func `a commit that fails puts everything back, and the next one succeeds`() async throws {
            let world = try await makeWorld(.error)
            let draft = world.draft()
            let own = try monk(draft)
            own.name = "Abbot"
            let new = try draft.create(Office.Employee.self)
            new.name = "New"
            new.friends = [own]
            let gone = try draft.create(Office.Badge.self)
            own.badge = gone
            try await world.update { update in
                try update.fetch(Office.Employee.self).age = 2
                try update.commit()
            }
            let error = await #expect(throws: SaveError.self) { try await draft.commit() }
            #expect(error?.code == .mergeConflict)
            #expect(own.isUpdated && new.isInserted && gone.isInserted)
            #expect(own.name == "Abbot" && new.friends == [own] && own.friends == [new] && own.badge === gone)
            #expect(draft.conflicts == [own])
            #expect(try world.count(Office.Employee.self) == 1)
            try draft.managedObjectContext.refresh(own, mergeChanges: true)
            #expect(own.age == 2 && own.name == "Abbot" && draft.conflicts.isEmpty)
            try await draft.commit()
            let stored = try office.newContext().all(Office.Employee.self).sorted { $0.name < $1.name }
            #expect(stored.map(\.name) == ["Abbot", "New"] && stored.map(\.age) == [2, 0])
            #expect(stored[1].friends == [stored[0]] && stored[0].badge != nil)
        }

        @Test func `what could not be committed is taken back by a rollback`() async throws {
            let world = try await makeWorld(.error)
            let draft = world.draft()
            let own = try monk(draft)
            try draft.delete(own)
            try await world.update { update in
                try update.fetch(Office.Employee.self).age = 2
                try update.commit()
            }
            await #expect(throws: SaveError.self) { try await draft.commit() }
            #expect(draft.hasChanges)
            #expect(try draft.count(Office.Employee.self) == 0)
            draft.rollback()
            #expect(!draft.hasChanges)
            #expect(try monk(draft).age == 2)
        }

        @Test func `an invalid draft is refused and keeps its edits`() async throws {
            let world = try await makeWorld()
            let draft = world.draft()
            let project = try draft.create(Office.Project.self)
            let error = await #expect(throws: SaveError.self) { try await draft.commit() }
            #expect(error?.code == .missingMandatoryProperty)
            project.department = try draft.create(Office.Department.self)
            try await draft.commit()
            #expect(try world.count(Office.Project.self) == 1)
        }

        @Test func `the contexts of a draft are saved by its commit alone`() async throws {
            let world = try await makeWorld()
            let draft = world.draft()
            try monk(draft).name = "Abbot"
            for context in [draft.managedObjectContext, try #require(draft.managedObjectContext.parent)] {
                let error = #expect(throws: UpdateError.self) { try context.save() }
                #expect(error?.code == .commitRequired && error?.message.contains("draft.commit()") == true)
            }
            #expect(draft.hasChanges)
            draft.rollback()
            #expect(!draft.hasChanges)
            try monk(draft).name = "Prior"
            try await draft.commit()
            #expect(try office.newContext().all(Office.Employee.self).map(\.name) == ["Prior"])
        }

        @Test func `a reference made while a commit is on its way follows what the commit puts in its place`()
            async throws
        {
            let world = try await makeWorld()
            let other = office.newContext()
            let stored = try other.insert(Office.Badge.self)
            stored.code = "1"
            try other.save()
            let draft = world.draft()
            let own = try monk(draft)
            let badge = try draft.create(Office.Badge.self)
            badge.code = "1"
            // Holds the store's writer, so that the commit waits.
            let release = DispatchSemaphore(value: 0)
            let (entered, enterer) = AsyncStream.makeStream(of: Void.self)
            async let holding: Void = world.update { update in
                try update.batchInsert(Office.Skill.self) { _ in
                    enterer.finish()
                    release.wait()
                    return true
                }
            }
            for await _ in entered {}
            let hasEnded = Locked(false)
            let commit = Task {
                defer { hasEnded.withLock { $0 = true } }
                try await draft.commit()
            }
            while draft.hasChanges, !hasEnded.withLock(\.self) { await Task.yield() }
            own.badge = badge
            release.signal()
            try await holding
            try await commit.value
            #expect(own.hasChanges && own.badge?.anyObjectID == stored.anyObjectID)
            try await draft.commit()
            let badges = try office.newContext().all(Office.Badge.self)
            #expect(badges.map(\.owner?.name) == ["Monk"])
            try draft.managedObjectContext.checkInvariants()
        }

        @Test(arguments: [true, false])
        func `edits made while a commit is on its way stay, whether it succeeds or not`(_ succeeds: Bool) async throws {
            let world = try await makeWorld(.error)
            let draft = world.draft()
            let own = try monk(draft)
            own.name = "Abbot"
            let friend = try draft.create(Office.Employee.self)
            own.friends = [friend]
            if !succeeds {
                try await world.update { update in
                    try update.fetch(Office.Employee.self).age = 9
                    try update.commit()
                }
            }
            // Holds the store's writer, so that the commit waits.
            let release = DispatchSemaphore(value: 0)
            let (entered, enterer) = AsyncStream.makeStream(of: Void.self)
            async let holding: Void = world.update { update in
                try update.batchInsert(Office.Employee.self) { _ in
                    enterer.finish()
                    release.wait()
                    return true
                }
            }
            for await _ in entered {}
            let hasEnded = Locked(false)
            let commit = Task {
                defer { hasEnded.withLock { $0 = true } }
                try await draft.commit()
            }
            while draft.hasChanges, !hasEnded.withLock(\.self) { await Task.yield() }
            // The commit gives it another id.
            let refused = #expect(throws: SaveError.self) {
                try draft.managedObjectContext.obtainPermanentIDs(for: [friend])
            }
            #expect(refused?.code == .savedWhileSaving && refused?.objectID == friend.anyObjectID)
            #expect(throws: SaveError.self) { try draft.managedObjectContext.assign(friend) }
            own.age = 7
            own.friends = []
            release.signal()
            try await holding
            if succeeds {
                try await commit.value
            } else {
                await #expect(throws: SaveError.self) { try await commit.value }
            }
            #expect(own.age == 7 && own.name == "Abbot" && own.friends.isEmpty && own.hasChanges)
            #expect(friend.friends.isEmpty)
            let stored = try office.newContext().all(Office.Employee.self)
            #expect(stored.filter { $0.name == "Abbot" }.map(\.age) == (succeeds ? [0] : []))
            if !succeeds { try draft.managedObjectContext.refresh(own, mergeChanges: true) }
            try await draft.commit()
            let last = try office.newContext().all(Office.Employee.self)
            #expect(last.filter { $0.name == "Abbot" }.map(\.age) == [7])
            #expect(last.allSatisfy(\.friends.isEmpty) && last.count == 2)
        }
    }
#endif
