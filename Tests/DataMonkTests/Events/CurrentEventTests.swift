#if Macros
    import DataMonk
    import Testing

    /// What the running user event has changed of an object.
    @Suite struct `Changed values of the current event` {
        /// Who wants to know of events besides.
        enum Listener: CaseIterable { case nobody, observer, undoManager }

        private struct Scene {
            let office: OfficeStack
            let context: ManagedObjectContext
            let monk: Office.Employee
            private let observation: ContextObservation?

            init(_ listener: Listener, _ kind: StoreKind = .memory) throws {
                office = try OfficeStack(kind)
                context = office.newContext()
                observation = listener == .observer ? context.observeChanges { _ in } : nil
                if listener == .undoManager { context.undoManager = ContextUndoManager() }
                monk = try context.employee("Monk")
                try context.save()
            }

            var values: [String: ManagedValue] { monk.changedValuesForCurrentEvent() }
        }

        @Test(arguments: Listener.allCases, StoreKind.allCases)
        func `are the old ones, of what changed since the last event`(listener: Listener, kind: StoreKind) throws {
            let scene = try Scene(listener, kind)
            #expect(scene.values.isEmpty)
            scene.monk.age = 18
            #expect(scene.values == ["age": 0])
            scene.context.processPendingChanges()
            #expect(scene.values.isEmpty)
            scene.monk.name = "Abbot"
            scene.monk.age = 19
            #expect(scene.values == ["name": "Monk", "age": 18])
            #expect(scene.monk.changedValues() == ["name": "Abbot", "age": 19])
            scene.monk.name = "Monk"
            #expect(scene.values == ["age": 18])
            try scene.context.save()
            #expect(scene.values.isEmpty)
            scene.monk.age = 20
            #expect(scene.values == ["age": 19])
            try scene.context.checkInvariants()
        }

        @Test(arguments: Listener.allCases) func `of a new object are its defaults`(listener: Listener) throws {
            let scene = try Scene(listener)
            let novice = try scene.context.employee("Novice")
            #expect(novice.changedValuesForCurrentEvent() == ["name": ""])
            scene.context.processPendingChanges()
            #expect(novice.changedValuesForCurrentEvent().isEmpty)
            novice.age = 7
            #expect(novice.changedValuesForCurrentEvent() == ["age": 0])
        }

        @Test(arguments: Listener.allCases) func `name relationships by ids, on both sides`(listener: Listener) throws {
            let scene = try Scene(listener)
            let (kitchen, garden) = (try scene.context.department("kitchen"), try scene.context.department("garden"))
            scene.monk.department = kitchen
            try scene.context.save()
            scene.monk.department = garden
            let monkID = ManagedValue.object(scene.monk.anyObjectID)
            #expect(scene.values == ["department": .object(kitchen.anyObjectID)])
            #expect(kitchen.changedValuesForCurrentEvent() == ["employees": [monkID]])
            #expect(garden.changedValuesForCurrentEvent() == ["employees": []])
        }

        @Test(arguments: Listener.allCases) func `leave transient properties out`(listener: Listener) throws {
            let scene = try Scene(listener)
            let diary = try scene.context.insert(Office.Diary.self)
            try scene.context.save()
            diary.mood = "angry"
            #expect(diary.changedValuesForCurrentEvent().isEmpty)
        }

        @Test func `are there while the event is told`() throws {
            let scene = try Scene(.nobody)
            var told: [[String: ManagedValue]] = []
            let observation = scene.context.observeChanges { changes in
                told += changes.updated.map { $0.changedValuesForCurrentEvent() }
            }
            scene.monk.name = "Abbot"
            scene.context.processPendingChanges()
            #expect(told == [["name": "Monk"]] && scene.values.isEmpty)
            try scene.context.checkInvariants()
            _ = observation
        }

        @Test(arguments: Listener.allCases) func `are there for the hooks of the save that ends it`(listener: Listener)
            throws
        {
            let scene = try Scene(listener)
            let diary = try scene.context.insert(Office.Diary.self)
            try scene.context.save()
            var seen: [[String: ManagedValue]] = []
            diary.atWillSave = { seen.append($0.changedValuesForCurrentEvent()) }
            diary.text = "new"
            try scene.context.save()
            #expect(seen == [["text": ""]] && diary.changedValuesForCurrentEvent().isEmpty)
            try scene.context.checkInvariants()
        }

        @Test(arguments: Listener.allCases) func `begin anew after a save that failed`(listener: Listener) throws {
            let scene = try Scene(listener)
            _ = try scene.context.insert(Office.Project.self)
            scene.monk.age = 18
            #expect(throws: SaveError.self) { try scene.context.save() }
            #expect(scene.values.isEmpty)
            scene.monk.note = "tall"
            #expect(scene.values == ["note": nil])
        }

        @Test(arguments: Listener.allCases) func `are none after a rollback`(listener: Listener) throws {
            let scene = try Scene(listener)
            scene.monk.age = 18
            scene.context.processPendingChanges()
            scene.monk.age = 19
            scene.context.rollback()
            #expect(scene.values.isEmpty)
            scene.monk.age = 1
            #expect(scene.values == ["age": 0])
            try scene.context.checkInvariants()
        }
    }
#endif
