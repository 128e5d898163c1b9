#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    @Entity final class Booking: ManagedObject {
        var guest: String  // required: it is not optional and has no default value
        var nights: Int = 1
    }

    @Suite @MainActor struct DraftsTests {
        /// A stack with one booking, that of the monk.
        private func makeWorld(_ mergePolicy: MergePolicy = .mergeByPropertyObjectTrump) async throws -> MainContext {
            let World = try MainContext(stack: .inMemory(Booking.self), mergePolicy: mergePolicy)
            try await World.update { update in
                try update.create(Booking.self).guest = "Monk"
                try update.commit()
            }
            return World
        }

        @Test func `a person is edited`() async throws {
            let World = try await Village().world
            let shownMonk = try World.fetch(Person.self, %"name" == "Monk")
            let draft = World.draft()
            let monk = try draft.use(shownMonk)  // the draft's own object
            monk.name = "Abbot"
            try await draft.commit()  // on disk, and shown by `World`
            #expect(shownMonk.name == "Abbot")
        }

        @Test func `objects of a draft`() async throws {
            let World = try await makeWorld()
            let shownBooking = try World.fetch(Booking.self)
            let draft = World.draft()
            let shown = try draft.use(shownBooking)  // by an object of the main context
            let same = try draft.use(shownBooking.objectID)  // by its id
            let long = try draft.fetchAll(Booking.self, %"nights" > 7)  // by a fetch
            let new = try draft.create(Booking.self)  // a new object
            #expect(shown === same && shown !== shownBooking && long.isEmpty)
            new.nights = 8
            #expect(try draft.fetchAll(Booking.self, %"nights" > 7) == [new])
            #expect(try World.count(Booking.self) == 1)
        }

        @Test func `several turns are one step, also across a commit`() async throws {
            let World = try await makeWorld()
            let draft = World.draft()
            let booking = try draft.fetch(Booking.self)
            let new = try draft.create(Booking.self)
            new.guest = "Prior"
            try await draft.commit()
            let undo = try #require(draft.undoManager)
            undo.beginUndoGrouping()
            try draft.delete(booking)
            draft.managedObjectContext.processPendingChanges()
            new.guest = "Knight"
            undo.setActionName("Give the Bed to the Knight")
            undo.endUndoGrouping()

            try await draft.commit()
            print(undo.canUndo, undo.undoActionName)  // true Give the Bed to the Knight
            #expect(undo.canUndo && undo.undoActionName == "Give the Bed to the Knight")
            #expect(try World.fetchAll(Booking.self).map(\.guest) == ["Knight"])

            draft.undo()
            try await draft.commit()
            #expect(Set(try World.fetchAll(Booking.self).map(\.guest)) == ["Monk", "Prior"])
            #expect(try World.use(booking).guest == "Monk")
        }

        @Test func `a draft is alone with its changes, and undo takes a step back`() async throws {
            let World = try await makeWorld()
            let shown = try World.fetch(Booking.self)
            let draft = World.draft()
            let booking = try draft.use(shown)
            booking.nights = 3
            draft.managedObjectContext.processPendingChanges()
            #expect(shown.nights == 1)
            draft.undo()
            #expect(booking.nights == 1)
        }

        @Test func `undo and redo`() async throws {
            let World = try await makeWorld()
            let draft = World.draft()
            let booking = try draft.use(try World.fetch(Booking.self))
            booking.nights = 3
            draft.managedObjectContext.processPendingChanges()  // ends the step; the end of the turn does the same
            draft.undo()  // 1 night
            draft.redo()  // 3 nights
            #expect(booking.nights == 3)
        }

        @Test func `a form is validated, saved and cancelled`() async throws {
            let World = try await makeWorld()
            let draft = World.draft()
            let booking = try draft.create(Booking.self)
            do {
                try booking.validateForInsert()
            } catch let error as SaveError {
                for problem in error.validationProblems {
                    print(problem.key ?? "", problem.message)  // guest: Booking.guest has no value, …
                }
            }
            let invalid = #expect(throws: SaveError.self) { try booking.validateForInsert() }
            #expect(invalid?.validationProblems.map(\.key) == ["guest"])
            do {
                try await draft.commit()
            } catch let error as SaveError where !error.validationProblems.isEmpty {
                print(error.message)  // the user corrects the form
            }
            #expect(draft.hasChanges && booking.isInserted)
            draft.rollback()
            #expect(!draft.hasChanges)
            try await draft.commit(deadline: .seconds(5))
            #expect(try World.count(Booking.self) == 1)
        }

        @Test func `a conflict is left to the user`() async throws {
            let World = try await makeWorld(.error)
            let shown = try World.fetch(Booking.self)
            let draft = World.draft()
            let booking = try draft.use(shown)
            booking.guest = "Abbot"
            try await World.update { update in
                try update.fetch(Booking.self).nights = 2
                try update.commit()
            }
            #expect(try World.fetch(Booking.self).nights == 2)
            #expect(booking.hasConflict && booking.nights == 1)
            let error = await #expect(throws: SaveError.self) { try await draft.commit() }
            #expect(error?.code == .mergeConflict)
            for object in draft.conflicts {
                try draft.managedObjectContext.refresh(object, mergeChanges: true)  // keeps the user's changes
            }
            try await draft.commit()
            #expect(shown.guest == "Abbot" && shown.nights == 2)
        }
    }
#endif
