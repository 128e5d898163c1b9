#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// Policies of the user's own, what they are told, and what becomes of relationships when the store wins.
    @Suite struct `Conflicts and relationships` {
        private let office: OfficeStack
        private let first: ManagedObjectContext
        private let monk: Office.Employee

        init() throws {
            office = try OfficeStack(.file)
            first = office.newContext()
            monk = try first.employee("Monk")
            monk.note = "base"
            try first.save()
        }

        /// Both change the name, the first the age, the second the note.
        private func conflict(_ policy: MergePolicy) throws -> (ManagedObjectContext, Office.Employee) {
            let second = office.newContext(policy)
            let mine = try second.own(monk)
            mine.name = "mine"
            mine.note = "mine"
            monk.name = "theirs"
            monk.age = 7
            try first.save()
            return (second, mine)
        }

        // MARK: What a conflict says

        @Test func `a conflict with another context has the old values, and the new ones from the cache`() throws {
            let (second, mine) = try conflict(.error)
            let error = try #require(throws: SaveError.self) { try second.save() }
            #expect(error.code.rawValue == 133_020 && error.conflicts.count == 1)
            let conflict = error.conflicts[0]
            #expect(conflict.objectID == mine.anyObjectID && conflict.storedObjectID == mine.anyObjectID)
            #expect(conflict.objectSnapshot["name"] == "Monk")
            #expect(conflict.cachedSnapshot?["name"] == "theirs" && conflict.persistedSnapshot == nil)
            #expect(conflict.changedValues == ["name": "mine", "note": "mine"] && !conflict.isDeletion)
        }

        @Test func `a conflict with another process has its values as the persisted ones`() throws {
            let foreign = Stack(model: try Office.model.get())
            let url = try #require(office.stack.coordinator.stores.first?.url)
            try foreign.addDatabaseStore(fileURL: url)
            let second = office.newContext(.error)
            try second.own(monk).name = "mine"
            let other = ManagedObjectContext(coordinator: foreign.coordinator)
            try #require(try other.all(Office.Employee.self).first).name = "theirs"
            try other.save()
            let error = try #require(throws: SaveError.self) { try second.save() }
            #expect(error.conflicts.first?.persistedSnapshot?["name"] == "theirs")
            #expect(error.conflicts.first?.cachedSnapshot?["name"] != "theirs")
        }

        @Test func `snapshots hold attributes and to-ones, and no to-many`() throws {
            let (second, _) = try conflict(.error)
            let error = try #require(throws: SaveError.self) { try second.save() }
            let keys = try #require(error.conflicts.first?.objectSnapshot.keys)
            #expect(keys.contains("department") && keys.contains("age") && !keys.contains("friends"))
        }

        // MARK: Policies of the user's own

        @Test func `a custom policy decides key by key`() throws {
            let (second, mine) = try conflict(
                .custom { conflict in
                    .values(["name": conflict.changedValues["name"] ?? .null, "age": 99])
                })
            try second.save()
            #expect(mine.name == "mine" && mine.age == 99 && mine.note == "base" && !mine.hasChanges)
            let read = try office.newContext().own(monk)
            #expect(read.name == "mine" && read.age == 99 && read.note == "base")
        }

        @Test func `a custom policy may leave it to another one`() throws {
            let (second, mine) = try conflict(.custom { _ in .policy(.mergeByPropertyStoreTrump) })
            try second.save()
            #expect(mine.name == "theirs" && mine.note == "mine" && mine.age == 7)
        }

        @Test func `what a custom policy throws, the save throws, and nothing is lost`() throws {
            let (second, mine) = try conflict(.custom { _ in throw Registry.Refusal(text: "no") })
            #expect(throws: Registry.Refusal(text: "no")) { try second.save() }
            #expect(mine.name == "mine" && mine.note == "mine" && mine.hasChanges)
            second.mergePolicy = .custom { _ in .policy(.error) }
            #expect(try #require(throws: SaveError.self) { try second.save() }.code == .mergeConflict)
        }

        @Test func `a custom policy that decides nonsense is refused before anything is changed`() throws {
            // A department is an object of another entity.
            let mistaken = ManagedValue.object(monk.anyObjectID)
            for values in [
                ["nam": ManagedValue.null], ["age": "old"], ["department": 1], ["department": mistaken],
                ["friends": .null],
            ] {
                let second = office.newContext(.custom { _ in .values(values) })
                let mine = try second.own(monk)
                mine.note = "mine"
                monk.age += 1
                try first.save()
                #expect(throws: FetchError.self) { try second.save() }
                #expect(mine.note == "mine" && mine.hasChanges)
            }
        }

        @Test func `every conflict is decided before any change is touched`() throws {
            let other = try first.employee("Other")
            try first.save()
            let second = office.newContext()
            let (mine, theirs) = (try second.own(monk), try second.own(other))
            (mine.note, theirs.note) = ("mine", "mine")
            (monk.note, other.note) = ("theirs", "theirs")
            try first.save()
            let asked = Locked(0)
            second.mergePolicy = .custom { _ in
                let count = asked.withLock { count in
                    count += 1
                    return count
                }
                if count == 2 { throw Registry.Refusal(text: "second") }
                return .policy(.rollback)
            }
            #expect(throws: Registry.Refusal.self) { try second.save() }
            #expect(mine.note == "mine" && theirs.note == "mine")
        }

        @Test func `a custom policy decides about unique values`() throws {
            let registry = try RegistryStack(.file)
            let context = registry.newContext()
            let stored = try context.insert(Registry.Customer.self)
            (stored.email, stored.note) = ("a@b", "stored")
            try context.save()
            context.mergePolicy = .custom { conflict in
                #expect(conflict.constraint == ["email"])
                return .values(["last": "decided"])
            }
            let new = try context.insert(Registry.Customer.self)
            (new.email, new.note) = ("a@b", "new")
            try context.save()
            #expect(stored.note == "stored" && stored.last == "decided" && new.isDeleted)
        }

        // MARK: The store wins

        /// The second context deletes the department; the first one has changed it.
        private func deleteChanged(
            _ policy: MergePolicy, _ prepare: (Office.Department) throws -> Void
        ) throws -> (ManagedObjectContext, Office.Department) {
            let department = try first.department("kitchen")
            try prepare(department)
            try first.save()
            let second = office.newContext(policy)
            let mine = try second.own(department)
            department.name = "theirs"
            try first.save()
            second.delete(mine)
            return (second, mine)
        }

        @Test(arguments: [.mergeByPropertyStoreTrump, .rollback, MergePolicy.custom { _ in .values([:]) }])
        func `a deletion that is taken back gives others back what it had nullified`(policy: MergePolicy) throws {
            let (second, mine) = try deleteChanged(policy) { $0.employees = [monk] }
            let employee = try second.own(monk)
            second.processPendingChanges()
            #expect(employee.department == nil)
            try second.save()
            #expect(!mine.isDeleted && mine.name == "theirs")
            #expect(employee.department === mine && mine.employees == [employee] && !second.hasChanges)
            #expect(try office.newContext().own(monk).department?.name == "theirs")
        }

        @Test func `who was told to lead elsewhere stays there`() throws {
            let (second, mine) = try deleteChanged(.mergeByPropertyStoreTrump) { $0.employees = [monk] }
            let employee = try second.own(monk)
            second.processPendingChanges()
            let other = try second.department("other")
            employee.department = other
            try second.save()
            #expect(employee.department === other && other.employees == [employee])
            #expect(try office.newContext().own(mine).employees.isEmpty)
        }

        @Test func `a deletion that is taken back brings back what it cascaded to, and links`() throws {
            let badge = try first.insert(Office.Badge.self)
            let skill = try first.insert(Office.Skill.self)
            monk.badge = badge
            monk.skills = [skill]
            try first.save()
            let second = office.newContext(.mergeByPropertyStoreTrump)
            let (mine, myBadge, mySkill) = (try second.own(monk), try second.own(badge), try second.own(skill))
            monk.age = 8
            try first.save()
            second.delete(mine)
            second.processPendingChanges()
            #expect(myBadge.isDeleted && mySkill.employees.isEmpty)
            try second.save()
            #expect(!mine.isDeleted && !myBadge.isDeleted && mine.badge === myBadge && myBadge.owner === mine)
            #expect(mySkill.employees == [mine] && mine.skills == [mySkill] && mine.age == 8)
            let read = try office.newContext().own(monk)
            #expect(read.badge != nil && read.skills.count == 1)
        }

        @Test func `what is deleted by a call of its own stays deleted`() throws {
            let badge = try first.insert(Office.Badge.self)
            monk.badge = badge
            try first.save()
            let second = office.newContext(.mergeByPropertyStoreTrump)
            let (mine, myBadge) = (try second.own(monk), try second.own(badge))
            monk.age = 8
            try first.save()
            second.delete(mine)
            second.delete(myBadge)
            try second.save()
            #expect(!mine.isDeleted && mine.badge == nil)
            #expect(try office.newContext().all(Office.Badge.self).isEmpty)
        }

        @Test(arguments: [MergePolicy.mergeByPropertyStoreTrump, .rollback])
        func `a to-one that the store wins keeps both sides equal`(policy: MergePolicy) throws {
            let departments = try ["base", "mine", "theirs"].map(first.department)
            monk.department = departments[0]
            try first.save()
            let second = office.newContext(policy)
            let mine = try second.own(monk)
            let own = try departments.map(second.own)
            #expect(own[0].employees == [mine])
            mine.department = own[1]
            monk.department = departments[2]
            try first.save()
            try second.save()
            #expect(mine.department === own[2])
            #expect(own.map(\.employees) == [[], [], [mine]])
            #expect(try office.newContext().own(departments[2]).employees.count == 1)
        }

        @Test func `links have no version: rollback leaves them`() throws {
            let skill = try first.insert(Office.Skill.self)
            try first.save()
            let second = office.newContext(.rollback)
            let (mine, mySkill) = (try second.own(monk), try second.own(skill))
            mine.skills = [mySkill]
            mine.note = "mine"
            monk.age = 8
            try first.save()
            try second.save()
            #expect(mine.skills == [mySkill] && mine.note == "base" && !second.hasChanges)
            #expect(try office.newContext().own(monk).skills.count == 1)
        }
    }
#endif
