#if Macros
    import DataMonk
    import Testing

    /// What Core Data was observed to tell of saves and user events.
    @Suite struct `Scenarios of notices` {
        /// Writes down its part in a save.
        @Entity final class Witness: ManagedObject {
            var name: String = ""
            var age: Int = 0
            lazy var atEvent: ((String) -> Void)? = nil

            override func willSave() { atEvent?("willSave") }
            override func didSave() {
                atEvent?(hasChanges || anyObjectID.isTemporaryID ? "didSave too early" : "didSave")
            }

            override func validateForUpdate() throws {
                atEvent?("validate")
                try super.validateForUpdate()
                // Changes a value once: the object is asked again.
                if age < 10 { age = 10 }
            }
        }

        @Test(.scenario("scn/save/002"), arguments: StoreKind.allCases)
        func `a save tells, validates, settles conflicts, commits, and tells again, in this order`(kind: StoreKind)
            throws
        {
            let folder = try TemporaryFolder()
            let stack = try Stack(Witness.self)
            if kind == .memory {
                try stack.addInMemoryStore()
            } else {
                try stack.addDatabaseStore(fileURL: folder.file("witness.sqlite"), synchronous: .normal)
            }
            let other = ManagedObjectContext(coordinator: stack.coordinator)
            let theirs = try other.insert(Witness.self)
            try other.save()
            let events = Locked<[String]>([])
            let context = ManagedObjectContext(
                coordinator: stack.coordinator,
                mergePolicy: .custom { _ in
                    events.withLock { $0.append("policy") }
                    return .policy(.mergeByPropertyObjectTrump)
                })
            let witness = try #require(try context.existingObject(with: theirs.anyObjectID) as? Witness)
            theirs.name = "theirs"
            try other.save()
            witness.name = "mine"
            witness.atEvent = { event in events.withLock { $0.append(event) } }
            let commits = stack.coordinator.commitObservers.add { _ in events.withLock { $0.append("commit") } }
            defer { stack.coordinator.commitObservers.remove(commits) }
            let observation = context.observeSaves { notice in
                if case .willSave = notice {
                    events.withLock { $0.append("will notice") }
                } else {
                    events.withLock { $0.append("did notice") }
                }
            }
            try context.save()
            #expect(
                events.withLock { $0 } == [
                    "willSave", "will notice", "validate", "willSave", "validate", "policy", "validate", "commit",
                    "didSave", "did notice",
                ])
            #expect(witness.age == 10 && witness.name == "mine")
            _ = observation
        }

        @Test(.scenario("scn/save/005"), arguments: StoreKind.allCases)
        func `one notice of a save has its exact sets, and the one by ids the same`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let (changed, deleted) = (try context.employee("Changed"), try context.employee("Deleted"))
            try context.save()
            var counts: [[Int]] = []
            let observation = context.observeSaves { notice in
                guard case .didSave(let changes) = notice else { return }
                let ids = changes.notice
                counts.append([changes.inserted.count, changes.updated.count, changes.deleted.count])
                counts.append([ids.inserted.count, ids.updated.count, ids.deleted.count])
                #expect(Set(changes.inserted.map(\.anyObjectID)) == Set(ids.inserted))
                #expect(ids.updated == [changed.anyObjectID] && ids.deleted == [deleted.anyObjectID])
            }
            for name in ["a", "b"] { _ = try context.employee(name) }
            changed.age = 1
            context.delete(deleted)
            try context.save()
            #expect(counts == [[2, 1, 1], [2, 1, 1]])
            _ = observation
        }

        @Test(.scenario("scn/save/006"), arguments: StoreKind.allCases)
        func `an insert is one notice when the event is processed, and nothing else`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            var told: [[Int]] = []
            let observation = context.observeChanges { told.append($0.figures) }
            _ = try context.employee("Monk")
            #expect(told.isEmpty)
            context.processPendingChanges()
            #expect(told == [[1, 0, 0, 0, 0]])
            context.processPendingChanges()
            #expect(told.count == 1)
            _ = observation
        }

        @Test(.scenario("scn/save/008"), arguments: StoreKind.allCases)
        func `refreshing all tells of every registered object`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let employees = try (0..<5).map { try context.employee("\($0)") }
            try context.save()
            var told: [[Int]] = []
            let observation = context.observeChanges { told.append($0.figures) }
            try context.refreshAllObjects()
            #expect(told == [[0, 0, 0, employees.count, 0]])
            _ = observation
        }

        @Test(.scenario("scn/save/009"), arguments: StoreKind.allCases)
        func `a child's save is a change in its parent, and no save`(kind: StoreKind) throws {
            let family = try Family(kind, depth: 1)
            let (changed, deleted) = (try family.root.employee("Changed"), try family.root.employee("Deleted"))
            try family.root.save()
            var told: [[Int]] = []
            var saves = 0
            let changes = family.root.observeChanges { told.append($0.figures) }
            let saved = family.root.observeSaves { notice in
                if case .didSave = notice { saves += 1 }
            }
            _ = try family.child.employee("New")
            try family.child.own(changed).age = 1
            family.child.delete(try family.child.own(deleted))
            try family.child.save()
            #expect(told == [[1, 1, 1, 0, 0]] && saves == 0)
            try family.root.save()
            #expect(told.count == 1 && saves == 1)
            _ = (changes, saved)
        }

        @Test(.scenario("scn/concurrency/004"), arguments: StoreKind.allCases)
        func `the end of a perform is the end of a user event, that of performAndWait is none`(kind: StoreKind)
            async throws
        {
            let office = try OfficeStack(kind)
            let context = try Context(stack: office.stack).beginUpdateContext()
            let told = Locked<[Int]>([])
            let token = try await context.perform { update in
                let token = update.observeChanges { changes in told.withLock { $0.append(changes.inserted.count) } }
                _ = try update.create(Office.Employee.self)
                #expect(told.withLock { $0.isEmpty })
                return KeptObservation(token)
            }
            #expect(told.withLock { $0 } == [1])
            try waitForStep(in: context)
            #expect(told.withLock { $0 } == [1])
            // The next event has what the waiting step did.
            try await context.perform { _ in }
            #expect(told.withLock { $0 } == [1, 1])
            _ = token
        }

        private func waitForStep(in context: UpdateContext) throws {
            try context.performAndWait { update in _ = try update.create(Office.Employee.self) }
        }

        @Test(.scenario("scn/concurrency/006"), arguments: StoreKind.allCases)
        func `a save merged elsewhere is told there by its ids, and its objects are found`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let background = office.newContext()
            let main = office.newContext(followsCommits: false)
            var inserted: [AnyObjectID] = []
            let changes = main.observeChanges { inserted += $0.notice.inserted }
            let saves = background.observeSaves { notice in
                guard case .didSave(let changes) = notice else { return }
                #expect(throws: Never.self) { try main.mergeChanges(from: changes.notice) }
            }
            let monk = try background.employee("Monk")
            try background.save()
            #expect(inserted == [monk.anyObjectID])
            #expect(try main.own(monk).name == "Monk")
            _ = (changes, saves)
        }
    }

    extension ObjectChanges {
        /// How many objects each of its sets has.
        fileprivate var figures: [Int] {
            [inserted.count, updated.count, deleted.count, refreshed.count, invalidated.count]
        }
    }

    /// Keeps an observation of an update alive between its steps.
    private struct KeptObservation: @unchecked Sendable {
        // @unchecked Sendable: nobody touches the token; it is only kept.
        private let token: ContextObservation

        init(_ token: ContextObservation) { self.token = token }
    }
#endif
