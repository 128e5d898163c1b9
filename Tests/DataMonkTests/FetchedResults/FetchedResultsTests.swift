#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// What fetched results show and tell. How changes are written here is told at `ResultsStage`.
    @Suite struct `Fetched results` {
        private static let three = [(name: "Ann", note: Optional("a")), ("Bob", "b"), ("Cid", "b")]

        // MARK: Showing

        @Test func `sections are named by their key's value, and hold their objects in order`() throws {
            let stage = try ResultsStage(people: Self.three + [("Dan", nil)])
            #expect(stage.shown == [": Dan", "a: Ann", "b: Bob Cid"])
            let last = try #require(stage.controller.sections.last)
            #expect(last.count == 2 && last.objects.map(\.name) == ["Bob", "Cid"] && last[1].name == "Cid")
            #expect(stage.controller.count == 4)
            #expect(stage.controller.fetchedObjects?.map(\.name) == ["Dan", "Ann", "Bob", "Cid"])
        }

        @Test func `objects are found by place, and places by object and by id`() throws {
            let stage = try ResultsStage(people: Self.three)
            let cid = stage.controller.object(at: IndexPath(item: 1, section: 1))
            #expect(cid.name == "Cid" && stage.controller.indexPath(for: cid) == [1, 1])
            #expect(stage.controller.object(for: cid.anyObjectID) === cid)
            stage.context.delete(cid)
            stage.context.processPendingChanges()
            #expect(stage.controller.indexPath(for: cid) == nil && stage.controller.object(for: cid.anyObjectID) == nil)
        }

        @Test func `a place is found while the event that changes its object runs`() throws {
            let stage = try ResultsStage(people: Self.three)
            let ann = try stage.employee("Ann")
            (ann.note, ann.name) = ("z", "Zoe")
            #expect(stage.controller.indexPath(for: ann) == [0, 0])
            #expect(try stage.endEvent() == ["-a@0", "+z@1", "0.0>1.0"])
            #expect(stage.controller.indexPath(for: ann) == [1, 0])
        }

        @Test func `numbers and dates name sections by their text`() throws {
            let stage = try ResultsStage(
                people: [("Ann", nil)], request: ResultsStage.request([SortTerm("age"), SortTerm("name")]),
                sections: "age")
            try stage.employee("Ann").age = -3
            _ = try stage.insert("Bob", nil)
            #expect(try stage.endEvent() == ["+-3@0", "+1.0", "0.0>0.0"])
        }

        @Test func `without sections there is one, be it empty`() throws {
            let stage = try ResultsStage(sections: nil)
            #expect(stage.shown == [": "])
            let ann = try stage.insert("Ann", "a")
            #expect(try stage.endEvent() == ["+0.0"])
            stage.context.delete(ann)
            #expect(try stage.endEvent() == ["-0.0"])
            #expect(stage.shown == [": "])
        }

        @Test func `before a fetch there is nothing, and nothing is told`() throws {
            let office = try OfficeStack()
            let context = office.newContext()
            let controller = try FetchedResultsController<Office.Employee>(
                context: context, request: ResultsStage.request())
            var count = 0
            let observation = controller.observeChanges { _ in count += 1 }
            _ = try context.employee("Ann")
            context.processPendingChanges()
            #expect(controller.fetchedObjects == nil && controller.sections.isEmpty && controller.count == 0)
            #expect(count == 0 && !context.hasOpenEvent)
            _ = observation
        }

        // MARK: Following

        @Test func `what is nothing to the results makes no call`() throws {
            var request = ResultsStage.request()
            request.condition = .compare("age", .lessThan, 10)
            let stage = try ResultsStage(people: Self.three, request: request)
            _ = try stage.context.department("d")
            let old = try stage.insert("Old", "a")
            old.age = 70
            #expect(try stage.endEvent() == [])
            old.note = "b"
            stage.context.delete(try stage.insert("Passing", "a"))
            #expect(try stage.endEvent() == [])
            try stage.context.save()
            stage.context.delete(old)
            #expect(try stage.endEvent() == [])
        }

        @Test func `a save tells nothing that its event did not`() throws {
            let stage = try ResultsStage(people: Self.three)
            let new = try stage.insert("Dan", "b")
            try stage.context.save()
            #expect(try stage.look() == ["+1.2"])
            let snapshot = stage.controller.snapshot
            #expect(new.anyObjectID.isTemporaryID == false)
            // Whoever compares snapshots sees the same object.
            #expect(snapshot.objectIDs.last?.isTemporaryID == true)
            #expect(snapshot.objectIDs.last.flatMap { stage.controller.object(for: $0) } === new)
            try stage.context.save()
            #expect(try stage.look() == [])
        }

        @Test func `a section of one whose member moves within it stays`() throws {
            let stage = try ResultsStage(people: Self.three)
            try stage.employee("Ann").name = "Zoe"
            #expect(try stage.endEvent() == ["0.0>0.0"])
        }

        @Test func `sections that change places go and come`() throws {
            var request = ResultsStage.request([SortTerm("manager.age"), SortTerm("name")])
            request.condition = try Condition(format: "manager != nil")
            let stage = try ResultsStage(request: request, sections: "manager.name")
            var managers: [Office.Employee] = []
            for (age, name) in ["k", "l", "m"].enumerated() {
                managers.append(try stage.insert(name, nil))
                managers[age].age = age
                for _ in 0..<2 { try stage.insert("e", nil).manager = managers[age] }
            }
            #expect(
                try stage.endEvent() == ["+k@0", "+l@1", "+m@2", "+0.0", "+0.1", "+1.0", "+1.1", "+2.0", "+2.1"])
            managers[0].age = 9
            #expect(try stage.endEvent() == ["-k@0", "+k@2", "0.0>2.0", "0.1>2.1"])
            (managers[1].name, managers[0].name) = ("k", "l")
            // Each in the other's place: the names have moved, and so have the sections, past the one that stays.
            #expect(
                try stage.endEvent() == [
                    "-l@0", "-k@2", "+k@0", "+l@2", "0.0>0.0", "0.1>0.1", "2.0>2.0", "2.1>2.1",
                ])
        }

        @Test func `equals stand in the order in which they came, whatever changes of them`() throws {
            let stage = try ResultsStage(
                people: [("Ann", "a")], request: ResultsStage.request([SortTerm("note")]), sections: nil)
            let bob = try stage.insert("Bob", "a")
            #expect(try stage.endEvent() == ["+0.1"])
            try stage.employee("Ann").age = 3
            bob.age = 3
            #expect(try stage.endEvent() == ["*0.0", "*0.1"])
            try stage.context.save()
            #expect(stage.shown == [": Ann Bob"])
        }

        @Test func `letters that are composed differently are names of two sections`() throws {
            let stage = try ResultsStage(people: [("Ann", "e\u{301}"), ("Bob", "\u{e9}"), ("Cid", "f")])
            #expect(stage.controller.sections.map(\.count) == [1, 1, 1])
            try stage.employee("Ann").note = "\u{e9}"
            #expect(try stage.endEvent().count == 2)
            #expect(stage.controller.sections.map(\.count) == [1, 2])
        }

        @Test func `rollback, undo and redo are followed`() throws {
            let stage = try ResultsStage(people: Self.three)
            stage.context.undoManager = ContextUndoManager()
            let ann = try stage.employee("Ann")
            ann.name = "Zoe"
            _ = try stage.insert("Abe", "a")
            #expect(try stage.endEvent() == ["+0.0", "0.0>0.1"])
            stage.context.undo()
            #expect(try stage.look() == ["-0.0", "0.1>0.0"])
            stage.context.redo()
            #expect(try stage.look() == ["+0.0", "0.0>0.1"])
            stage.context.delete(try stage.employee("Cid"))
            #expect(try stage.endEvent() == ["-1.1"])
            stage.context.rollback()
            #expect(try stage.look() == ["-0.0", "+1.1", "0.1>0.0"])
            #expect(stage.shown == ["a: Ann", "b: Bob Cid"])
        }

        @Test func `an observer may change objects, and hears of that in a call of its own`() throws {
            let stage = try ResultsStage(people: Self.three)
            let ann = try stage.employee("Ann")
            var shown: [[String]] = []
            let observation = stage.controller.observeChanges { _ in
                shown.append(stage.shown)
                if ann.note == "b" { return }
                ann.note = "b"
                stage.context.processPendingChanges()
            }
            ann.name = "Abe"
            #expect(try stage.endEvent() == ["0.0>0.0", "|", "-a@0", "0.0>0.0"])
            #expect(shown == [["a: Abe", "b: Bob Cid"], ["b: Abe Bob Cid"]])
            _ = observation
        }

        // MARK: From elsewhere

        @Test(arguments: StoreKind.allCases)
        func `what others commit is followed when it is merged, unknown objects too`(kind: StoreKind) throws {
            var request = ResultsStage.request()
            request.condition = .compare("age", .lessThan, 10)
            let stage = try ResultsStage(kind, people: Self.three, request: request)
            let other = stage.office.newContext()
            for (name, age) in [("Old", 70), ("New", 1)] { (try other.employee(name)).age = age }
            try other.save()
            stage.context.mergeCommits()
            #expect(try stage.look() == ["+@0", "+0.0"])
            // Nobody in this context has ever seen it.
            try #require(other.all(Office.Employee.self).first { $0.name == "Old" }).age = 3
            try #require(other.all(Office.Employee.self).first { $0.name == "Bob" }).age = 30
            other.delete(try other.own(try stage.employee("Ann")))
            try other.save()
            stage.context.mergeCommits()
            #expect(try stage.look() == ["-a@1", "-1.0", "-2.0", "+0.1"])
            #expect(stage.shown == [": New Old", "b: Cid"])
        }

        @Test(arguments: ["skills", "employees"])
        func `a list by the number of members follows a deletion at the other end`(members: String) throws {
            let stage = try ResultsStage(people: Self.three)
            let other = stage.office.newContext()
            let (skill, monk) = (try other.insert(Office.Skill.self), try other.employee("Monk"))
            monk.skills = [skill]
            try other.save()
            let entity = members == "skills" ? "Employee" : "Skill"
            var request = FetchRequest(
                entityName: entity, condition: try Condition(format: "\(members).@count == 1"))
            request.sortTerms = [SortTerm("name")]
            let context = stage.office.newContext()
            let controller = try FetchedResultsController<ManagedObject>(context: context, request: request)
            let changes = controller.observeChanges { _ in }
            try controller.performFetch()
            #expect(controller.count == 1)
            other.delete(members == "skills" ? skill : monk)
            try other.save()
            context.mergeCommits()
            #expect(controller.count == 0)
            _ = changes
        }

        @Test func `observers of the context hear nothing of objects that it does not know`() throws {
            let stage = try ResultsStage(people: Self.three)
            let (first, second) = (stage.office.newContext(), stage.office.newContext())
            var count = 0
            let observation = first.observeChanges { _ in count += 1 }
            let notices = first.objectChangeNotices
            try second.own(try stage.employee("Ann")).age = 3
            try second.save()
            first.mergeCommits()
            #expect(count == 0)
            _ = (observation, notices)
        }

        @Test func `more commits than wait are followed by fetching again, and the difference is told`() throws {
            let stage = try ResultsStage(people: Self.three)
            let other = stage.office.newContext()
            let new = try other.employee("x")
            for age in 0...CommitNotices.capacity {
                new.age = age
                try other.save()
            }
            try other.own(try stage.employee("Ann")).note = "c"
            try other.save()
            stage.context.mergeCommits()
            let told = try stage.look()
            #expect(told == ["-a@0", "+@0", "+c@2", "+0.0", "0.0>2.0"])
            #expect(stage.controller.sections.map(\.count) == [1, 2, 1])
        }

        @Test func `a refresh moves the new objects of what others have deleted`() throws {
            let terms = [SortTerm("department.name"), SortTerm("name")]
            let stage = try ResultsStage(request: ResultsStage.request(terms), sections: "department.name")
            let kitchen = try stage.context.department("kitchen")
            try stage.context.save()
            try stage.insert("Ann", nil).department = kitchen
            stage.context.processPendingChanges()
            #expect(stage.shown == ["kitchen: Ann"])
            let other = stage.office.newContext()
            other.delete(try other.own(kitchen))
            try other.save()
            try stage.context.refreshAllObjects()
            #expect(stage.shown == [": Ann"])
        }

        @Test func `refreshed objects are read again and told as updates`() throws {
            let stage = try ResultsStage(people: Self.three)
            try stage.context.refreshAllObjects()
            #expect(try stage.look() == ["*0.0", "*1.0", "*1.1"])
        }

        @Test func `a child's list follows the child, and what it is told of its parent`() throws {
            let stage = try ResultsStage(people: Self.three)
            let child = ManagedObjectContext(parent: stage.context, automaticallyMergesChangesFromParent: true)
            let controller = try FetchedResultsController<Office.Employee>(
                context: child, request: ResultsStage.request(), sectionNameKeyPath: "note")
            try controller.performFetch()
            try child.employee("Kid").note = "b"
            child.processPendingChanges()
            #expect(controller.sections.map(\.count) == [1, 3] && stage.controller.count == 3)
            try child.save()
            #expect(try stage.endEvent() == ["+1.2"])
            try stage.employee("Ann").note = "b"
            try stage.context.save()
            #expect(controller.sections.map(\.count) == [4])
            try controller.checkInvariants()
        }

        // MARK: Related objects

        @Test(arguments: StoreKind.allCases)
        func `a value of a related object that decides on places is followed`(kind: StoreKind) throws {
            var request = ResultsStage.request([SortTerm("department.name"), SortTerm("name")])
            request.condition = .compare("department.name", .notEqual, "hidden")
            let stage = try ResultsStage(kind, request: request, sections: "department.name")
            let (first, second) = (try stage.context.department("d"), try stage.context.department("e"))
            for (name, department) in [("Ann", first), ("Bob", first), ("Cid", second)] {
                try stage.insert(name, nil).department = department
            }
            try stage.context.save()
            _ = try stage.look()
            first.name = "f"
            #expect(try stage.endEvent() == ["-d@0", "+f@1", "0.0>1.0", "0.1>1.1"])
            second.name = "hidden"
            #expect(try stage.endEvent() == ["-e@0", "-0.0"])
            // Another context, and a department that decides on somebody who is nowhere to be seen.
            let other = stage.office.newContext()
            try stage.context.save()
            try other.own(second).name = "a"
            try other.save()
            stage.context.mergeCommits()
            #expect(try stage.look() == ["+a@0", "+0.0"])
            #expect(stage.shown == ["a: Cid", "f: Ann Bob"])
        }

        @Test func `members of a to-many that the condition looks at are followed`() throws {
            var request = ResultsStage.request([SortTerm("name")])
            request.condition = try Condition(format: "ANY reports.age > 40")
            let stage = try ResultsStage(request: request, sections: nil)
            let (ann, bob) = (try stage.insert("Ann", nil), try stage.insert("Bob", nil))
            bob.manager = ann
            #expect(try stage.endEvent() == [])
            bob.age = 41
            #expect(try stage.endEvent() == ["+0.0"])
            bob.manager = nil
            #expect(try stage.endEvent() == ["-0.0"])
        }

        @Test(arguments: StoreKind.allCases)
        func `a member added here, unsaved, and deleted elsewhere leaves with its owner`(kind: StoreKind) throws {
            var request = ResultsStage.request([SortTerm("name")])
            request.condition = try Condition(format: "ANY reports.age > 40")
            let stage = try ResultsStage(kind, request: request, sections: nil)
            let (ann, bob) = (try stage.insert("Ann", nil), try stage.insert("Bob", nil))
            let cid = try stage.insert("Cid", nil)
            bob.age = 41
            bob.manager = cid
            try stage.context.save()
            #expect(try stage.look() == ["+0.0"])
            let other = stage.office.newContext()
            other.delete(try other.own(bob))
            bob.manager = ann
            #expect(try stage.endEvent().sorted() == ["+0.0", "-0.0"])
            try other.save()
            stage.context.mergeCommits()
            #expect(try stage.look() == ["-0.0"])
            #expect(ann.reports.isEmpty && !ann.hasChanges)
            #expect(cid.reports.isEmpty && !cid.hasChanges)
        }

        @Test(arguments: StoreKind.allCases, [true, false])
        func `a fetch counts the unsaved values of an object that is deleted here, as following does`(
            kind: StoreKind, isHidden: Bool
        ) throws {
            var request = ResultsStage.request([SortTerm("department.name"), SortTerm("name")])
            request.condition = .compare("department.name", isHidden ? .notEqual : .equal, "hidden")
            let stage = try ResultsStage(kind, request: request, sections: "department.name")
            let (first, second) = (try stage.context.department("d"), try stage.context.department("e"))
            let (ann, bob) = (try stage.insert("Ann", nil), try stage.insert("Bob", nil))
            (ann.department, bob.department) = (first, second)
            try stage.context.save()
            first.name = "hidden"
            stage.context.delete(first)
            stage.context.processPendingChanges()
            // Another context, which knows nothing of that, moves somebody there, and adds somebody.
            let other = stage.office.newContext()
            let there = try other.own(first)
            try other.own(bob).department = there
            try other.employee("Cid").department = there
            try other.save()
            stage.context.mergeCommits()
            let expected = isHidden ? [": Ann"] : ["hidden: Bob Cid"]
            #expect(bob.department === first && stage.shown == expected)
            _ = try stage.look()
            try stage.controller.refetch()
            #expect(try stage.look() == [])
            #expect(stage.shown == expected)
            let fresh = try FetchedResultsController<Office.Employee>(
                context: stage.context, request: request, sectionNameKeyPath: "department.name")
            try fresh.performFetch()
            #expect(fresh.fetchedObjects?.map(\.name) == (isHidden ? ["Ann"] : ["Bob", "Cid"]))
        }

        // MARK: Fetching again

        @Test func `fetching again before the first fetch follows as well`() throws {
            let office = try OfficeStack()
            let context = office.newContext()
            let controller = try FetchedResultsController<Office.Employee>(
                context: context, request: ResultsStage.request())
            try controller.refetch()
            try context.employee("Ann").note = "a"
            context.processPendingChanges()
            #expect(controller.fetchedObjects?.map(\.name) == ["Ann"])
            _ = office
        }

        @Test func `fetching again tells the difference, a filter's too`() throws {
            let stage = try ResultsStage(people: Self.three)
            stage.controller.setFilter { $0.name != "Bob" }
            try stage.controller.refetch()
            #expect(try stage.look() == ["-1.0"])
            let bob = try stage.employee("Bob")
            bob.name = "Rob"
            #expect(try stage.endEvent() == ["+1.1"])
            stage.controller.setFilter(nil)
            try stage.controller.refetch()
            #expect(try stage.look() == [])
        }

        @Test func `an object that was fetched before it changed in the same event is told as updated`() throws {
            let stage = try ResultsStage(people: Self.three)
            let new = try stage.insert("Zoe", "z")
            try stage.controller.refetch()
            #expect(try stage.look().last == "+2.0")
            new.age = 7
            #expect(try stage.endEvent() == ["*2.0"])
        }

        // MARK: What cannot be

        private func refusal(_ request: FetchRequest, _ sections: String? = nil) throws -> FetchError {
            let context = try OfficeStack().newContext()
            return try #require(throws: FetchError.self) {
                try FetchedResultsController<Office.Employee>(
                    context: context, request: request, sectionNameKeyPath: sections)
            }
        }

        @Test func `a request that cannot be a list is refused before the store is asked`() throws {
            var (offset, stored, rows) = (ResultsStage.request(), ResultsStage.request(), ResultsStage.request())
            offset.fetchOffset = 3
            stored.includesPendingChanges = false
            rows.resultType = .dictionaries
            for request in [offset, stored, rows, ResultsStage.request([])] {
                #expect(try refusal(request).code == .invalidRequest)
            }
            #expect(try refusal(ResultsStage.request(), "nom").code == .unknownKey)
            #expect(try refusal(ResultsStage.request(), "friends").code == .invalidKeyPath)
        }

        @Test func `sections need an order that begins with their key`() throws {
            let error = try refusal(ResultsStage.request([SortTerm("name")]), "note")
            #expect(error.code == .invalidRequest && error.keyPath == "note")
            #expect(error.message.contains("first sort term"))
        }

        @Test func `objects of another class are refused`() throws {
            let context = try OfficeStack().newContext()
            let error = try #require(throws: FetchError.self) {
                try FetchedResultsController<Office.Department>(context: context, request: ResultsStage.request())
            }
            #expect(error.code == .wrongClass)
        }

        @Test func `data that pull a section apart are an error of the fetch, and later one that is reported`() throws {
            let terms = [SortTerm("department.company.name"), SortTerm("name")]
            let stage = try ResultsStage(request: ResultsStage.request(terms), sections: "department.company.name")
            let mixed = ResultsStage.request([SortTerm("note", comparator: .caseInsensitive), SortTerm("name")])
            let controller = try FetchedResultsController<Office.Employee>(
                context: stage.context, request: mixed, sectionNameKeyPath: "note")
            try controller.performFetch()
            var told: [FetchedResultsChanges] = []
            let observation = controller.observeChanges { told.append($0) }
            for (name, note) in [("Ann", "a"), ("Bob", "A"), ("Cid", "a")] { _ = try stage.insert(name, note) }
            stage.context.processPendingChanges()
            #expect(told.map(\.requiresFetch) == [true] && controller.fetchedObjects == nil)
            let reported = stage.office.errors.withLock { $0.compactMap { ($0 as? FetchError)?.code } }
            #expect(reported == [.inconsistentSections])
            let error = #expect(throws: FetchError.self) { try controller.performFetch() }
            #expect(error?.code == .inconsistentSections)
            // Another fetch at a later time would find the same.
            var (catchUps, announcements) = (0, 0)
            stage.context.listDidFallBehind = { catchUps += 1 }
            let upcoming = controller.observeUpcomingChanges { announcements += 1 }
            _ = try stage.insert("Dan", "b")
            stage.context.processPendingChanges()
            #expect(catchUps == 0 && announcements == 0 && told.count == 1)
            // The next event fetches again, and finds data that can be shown.
            try stage.employee("Bob").note = "a"
            stage.context.processPendingChanges()
            #expect(controller.sections.map { $0.map(\.name) } == [["Ann", "Bob", "Cid"], ["Dan"]])
            #expect(announcements == 1 && told.count == 2 && told.last?.objects.count == 4)
            _ = (observation, upcoming)
        }
    }
#endif
