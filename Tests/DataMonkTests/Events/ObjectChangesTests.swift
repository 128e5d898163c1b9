#if Macros
    import DataMonk
    import Testing

    /// What observers of a context are told when a user event ends.
    @Suite struct `Object changes` {
        private let office: OfficeStack
        private let context: ManagedObjectContext
        private let told = Told()
        private let observation: ContextObservation

        /// Keeps what an observer was told.
        private final class Told {
            var changes: [ObjectChanges] = []
            var last: ObjectChanges? { changes.last }
        }

        init() throws {
            office = try OfficeStack()
            context = office.newContext()
            let told = told
            observation = context.observeChanges { told.changes.append($0) }
        }

        /// A saved employee, of which nothing is to be told any more.
        private func saved(_ name: String) throws -> Office.Employee {
            let employee = try context.employee(name)
            try context.save()
            told.changes = []
            return employee
        }

        @Test func `an insertion is told once, when the event ends, and nothing else`() throws {
            let monk = try context.employee("Monk")
            #expect(told.changes.isEmpty)
            context.processPendingChanges()
            context.processPendingChanges()
            #expect(told.changes.count == 1)
            #expect(told.last?.inserted == [monk] && told.last?.count == 1 && told.last?.isEverything == false)
        }

        @Test func `an event tells exactly what it changed, not what is unsaved`() throws {
            let (monk, prior) = (try saved("Monk"), try saved("Prior"))
            monk.age = 1
            context.processPendingChanges()
            prior.age = 1
            let abbot = try context.employee("Abbot")
            context.processPendingChanges()
            #expect(told.changes.map(\.updated) == [[monk], [prior]])
            #expect(told.changes.map(\.inserted) == [[], [abbot]])
        }

        @Test func `an object that is changed again in a later event is told again`() throws {
            let monk = try saved("Monk")
            for age in 1...2 {
                monk.age = age
                context.processPendingChanges()
            }
            #expect(told.changes.map(\.updated) == [[monk], [monk]])
        }

        @Test func `both sides of a relationship are told`() throws {
            let monk = try saved("Monk")
            let department = try context.department("d")
            try context.save()
            told.changes = []
            monk.department = department
            context.processPendingChanges()
            #expect(told.changes.count == 1 && Set(told.last?.updated ?? []) == [monk, department])
        }

        @Test func `a value that was set to what it was is not told`() throws {
            let monk = try saved("Monk")
            monk.age = 0
            monk.name = "Monk"
            context.processPendingChanges()
            #expect(told.changes.isEmpty)
        }

        @Test func `an object that was inserted and deleted in one event is not told`() throws {
            context.delete(try context.employee("Monk"))
            context.processPendingChanges()
            #expect(told.changes.isEmpty)
        }

        @Test func `a deletion is told with what its delete rules did`() throws {
            let monk = try context.employee("Monk")
            let badge = try context.insert(Office.Badge.self)
            let department = try context.department("d")
            monk.badge = badge
            monk.department = department
            try context.save()
            told.changes = []
            context.delete(monk)
            context.processPendingChanges()
            #expect(told.changes.count == 1)
            #expect(Set(told.last?.deleted ?? []) == [monk, badge] && told.last?.updated == [department])
        }

        @Test func `a fetch in between ends no event`() throws {
            let monk = try context.employee("Monk")
            context.delete(try context.employee("Passing"))
            #expect(try context.all(Office.Employee.self) == [monk])
            #expect(told.changes.isEmpty)
        }

        @Test func `fulfilling faults is not told`() throws {
            let id = try saved("Monk").anyObjectID
            let other = office.newContext()
            let told = told
            let observation = other.observeChanges { told.changes.append($0) }
            #expect(try other.existingObject(with: id).isFault == false)
            other.processPendingChanges()
            #expect(told.changes.isEmpty)
            _ = observation
        }

        @Test func `a save ends the event, and tells of its changes once`() throws {
            let monk = try context.employee("Monk")
            try context.save()
            #expect(told.changes.map(\.inserted) == [[monk]] && told.last?.count == 1)
        }

        @Test func `a save that fails tells no change twice`() throws {
            let project = try context.insert(Office.Project.self)
            #expect(throws: SaveError.self) { try context.save() }
            #expect(throws: SaveError.self) { try context.save() }
            #expect(told.changes.map(\.inserted) == [[project]])
        }

        @Test func `undo and redo tell what came, changed and went`() throws {
            context.undoManager = ContextUndoManager()
            let prior = try saved("Prior")
            let monk = try context.employee("Monk")
            prior.age = 3
            context.processPendingChanges()
            context.undo()
            context.redo()
            #expect(told.changes.map(\.inserted) == [[monk], [], [monk]])
            #expect(told.changes.map(\.deleted) == [[], [monk], []])
            #expect(told.changes.map(\.updated) == [[prior], [prior], [prior]])
        }

        @Test func `rollback tells what it took back, as far as it was told before`() throws {
            let (changed, deleted) = (try saved("Changed"), try saved("Deleted"))
            let inserted = try context.employee("Inserted")
            changed.age = 1
            context.delete(deleted)
            context.processPendingChanges()
            _ = try context.employee("Untold")
            told.changes = []
            context.rollback()
            #expect(told.changes.count == 1)
            #expect(told.last?.deleted == [inserted] && told.last?.updated == [changed])
            #expect(told.last?.inserted == [deleted])
        }

        @Test func `reset says to observers that every object is forgotten`() throws {
            let monk = try saved("Monk")
            let new = try context.employee("New")
            context.reset()
            #expect(told.changes.count == 1 && told.last?.isEverything == true)
            #expect(Set(told.last?.invalidated ?? []) == [monk, new])
        }

        @Test func `refreshAllObjects tells of each object that is to be read again`() throws {
            let (monk, prior) = (try saved("Monk"), try saved("Prior"))
            let changed = try saved("Changed")
            changed.age = 1
            context.processPendingChanges()
            told.changes = []
            try context.refreshAllObjects()
            #expect(told.changes.count == 1 && Set(told.last?.refreshed ?? []) == [monk, prior])
        }

        @Test func `refresh tells of its object, and leaves the event open`() throws {
            let (monk, prior) = (try saved("Monk"), try saved("Prior"))
            prior.age = 1
            try context.refresh(monk, mergeChanges: false)
            #expect(told.changes.count == 1 && told.last?.refreshed == [monk] && told.last?.updated == [])
            context.processPendingChanges()
            #expect(told.last?.updated == [prior])
        }

        // MARK: Merging

        @Test func `commits of others are told when they are merged`() throws {
            let (monk, prior) = (try saved("Monk"), try saved("Prior"))
            let other = office.newContext()
            try other.own(monk).age = 1
            other.delete(try other.own(prior))
            let abbot = try other.employee("Abbot")
            try other.save()
            #expect(told.changes.isEmpty)
            context.mergeCommits()
            #expect(told.changes.count == 1)
            #expect(told.last?.updated == [monk] && told.last?.deleted == [prior] && told.last?.inserted == [])
            #expect(told.last?.notice.inserted == [abbot.anyObjectID])
            #expect(told.last?.notice.deleted == [prior.anyObjectID])
            #expect(try context.existingObject(with: abbot.anyObjectID).entity.name == "Employee")
        }

        @Test func `what a fetch merged is told at the end of the event, with registered objects as objects`() throws {
            let other = office.newContext()
            _ = try other.employee("Abbot")
            try other.save()
            let abbot = try #require(try context.all(Office.Employee.self).first)
            #expect(told.changes.isEmpty)
            let monk = try context.employee("Monk")
            context.processPendingChanges()
            #expect(told.changes.map(\.inserted) == [[monk, abbot]])
        }

        @Test func `the owner of a to-many that others changed is told`() throws {
            let department = try context.department("d")
            let monk = try saved("Monk")
            let other = office.newContext()
            try other.own(monk).department = other.own(department)
            try other.save()
            context.mergeCommits()
            #expect(told.changes.count == 1 && Set(told.last?.updated ?? []) == [department, monk])
        }

        @Test func `an object that kept its unsaved changes in a merge is not told`() throws {
            let monk = try saved("Monk")
            monk.age = 5
            context.processPendingChanges()
            told.changes = []
            let other = office.newContext()
            try other.own(monk).age = 1
            try other.save()
            context.mergeCommits()
            #expect(told.changes.isEmpty && monk.age == 5)
        }

        @Test func `what was inserted and deleted elsewhere in between is not told`() throws {
            let other = office.newContext()
            let monk = try other.employee("Monk")
            try other.save()
            other.delete(monk)
            try other.save()
            context.mergeCommits()
            #expect(told.changes.isEmpty)
        }

        @Test func `the deletion of an object that is not registered is told by id, as its insertion was`() throws {
            let other = office.newContext()
            let abbot = try other.employee("Abbot")
            try other.save()
            context.mergeCommits()
            let id = abbot.anyObjectID
            other.delete(abbot)
            try other.save()
            context.mergeCommits()
            let notices = told.changes.map(\.notice)
            #expect(notices.map(\.inserted) == [[id], []] && notices.map(\.deleted) == [[], [id]])
            #expect(told.last?.deleted == [] && told.last?.count == 1)
        }

        @Test func `a child is told once of what it has deleted itself`() throws {
            let family = try Family(depth: 1, follows: true)
            let monk = try family.root.employee("Monk")
            try family.root.save()
            let id = monk.anyObjectID
            var deleted: [[AnyObjectID]] = []
            let observation = family.child.observeChanges { deleted.append($0.notice.deleted) }
            family.child.delete(try family.child.own(monk))
            try family.child.save()
            try family.root.save()
            #expect(deleted == [[id]])
            _ = observation
        }

        /// An employee whose insertion by another context has been merged and not been told.
        private func untoldArrival(
            in other: ManagedObjectContext
        ) throws -> (own: Office.Employee, theirs: Office.Employee) {
            let theirs = try other.employee("Abbot")
            try other.save()
            return (try #require(try context.all(Office.Employee.self).first), theirs)
        }

        @Test(arguments: [true, false])
        func `what others inserted and somebody changed since is told as inserted alone`(isChangedHere: Bool) throws {
            let other = office.newContext()
            let (abbot, theirs) = try untoldArrival(in: other)
            if isChangedHere {
                abbot.age = 3
            } else {
                theirs.age = 3
                try other.save()
                #expect(try context.all(Office.Employee.self).map(\.age) == [3])
            }
            #expect(told.changes.isEmpty)
            context.processPendingChanges()
            #expect(told.changes.map(\.inserted) == [[abbot]] && told.last?.count == 1)
        }

        @Test(arguments: [true, false])
        func `what others inserted and somebody deleted since is not told`(isDeletedHere: Bool) throws {
            let other = office.newContext()
            let (abbot, theirs) = try untoldArrival(in: other)
            if isDeletedHere {
                context.delete(abbot)
            } else {
                other.delete(theirs)
                try other.save()
            }
            #expect(try context.all(Office.Employee.self).isEmpty)
            context.processPendingChanges()
            #expect(told.changes.isEmpty && abbot.isDeleted)
        }

        @Test func `an object that was changed here and deleted elsewhere is told as deleted alone`() throws {
            let monk = try saved("Monk")
            monk.age = 5
            let other = office.newContext()
            other.delete(try other.own(monk))
            try other.save()
            // Merges the deletion without ending the event.
            _ = try context.count(FetchRequest(entityName: "Department"))
            context.processPendingChanges()
            #expect(told.changes.map(\.deleted) == [[monk]] && told.last?.count == 1)
        }

        @Test func `more commits than wait are told as everything`() throws {
            let monk = try saved("Monk")
            let other = office.newContext()
            let same = try other.own(monk)
            for age in 1...CommitNotices.capacity + 1 {
                same.age = age
                try other.save()
            }
            context.mergeCommits()
            #expect(told.last?.isEverything == true && told.last?.refreshed == [monk])
            #expect(monk.age == CommitNotices.capacity + 1)
        }

        // MARK: Observing

        @Test func `an observation ends with its token, and so does the account of events`() throws {
            let other = office.newContext()
            var count = 0
            var token: ContextObservation? = other.observeChanges { _ in count += 1 }
            _ = try other.employee("a")
            other.processPendingChanges()
            #expect(other.hasOpenEvent == false && count == 1)
            token = nil
            _ = try other.employee("b")
            try other.save()
            _ = try other.employee("c")
            #expect(count == 1 && !other.hasOpenEvent && token == nil)
        }

        @Test func `a cancelled observation is not called again`() throws {
            observation.cancel()
            _ = try context.employee("Monk")
            context.processPendingChanges()
            #expect(told.changes.isEmpty)
        }

        @Test func `an observer may change objects, end events and observe`() throws {
            let monk = try saved("Monk")
            let (context, told) = (context, told)
            var inner: ContextObservation?
            let outer = context.observeChanges { changes in
                guard inner == nil else { return }
                inner = context.observeChanges { told.changes.append($0) }
                monk.note = "seen"
                context.processPendingChanges()
            }
            monk.age = 1
            context.processPendingChanges()
            // The first observer, then it and the inner one.
            #expect(told.changes.map(\.updated) == [[monk], [monk], [monk]])
            _ = outer
        }

        @Test func `eventDidBegin is called once an event`() throws {
            var count = 0
            context.eventDidBegin = { count += 1 }
            let monk = try context.employee("Monk")
            monk.age = 1
            context.processPendingChanges()
            monk.age = 2
            #expect(count == 2)
            context.eventDidBegin = nil
        }
    }
#endif
