#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Sweeps that look at some of the registered objects at a time, as those of a main context.
    @Suite struct `Sweeps in parts` {
        private let office: OfficeStack
        private let context: ManagedObjectContext
        /// The turns that the context has asked for, by the durations until then.
        private let wanted = Locked<[Duration]>([])

        init() throws {
            office = try OfficeStack(.file)
            context = office.newContext()
            context.sweepInParts { [wanted] rest in wanted.withLock { $0.append(rest) } }
        }

        /// Saves employees, each the manager of the ten that follow it in the order of a tree.
        @discardableResult
        private func insertTree(of count: Int) throws -> Office.Employee {
            let writer = office.newContext()
            var employees: [Office.Employee] = []
            for number in 0..<count {
                let employee = try writer.employee("\(number)")
                if number > 0 { employee.manager = employees[(number - 1) / 10] }
                employees.append(employee)
            }
            try writer.save()
            return employees[0]
        }

        /// Ends turns until a sweep has come to its end. Returns the most objects that left in one of them.
        private func endTurns() throws -> Int {
            var most = 0
            for _ in 0..<200 {
                let count = context.identities.count
                wanted.withLock { $0 = [] }
                context.endTurn()
                try context.checkInvariants()
                most = max(most, count - context.identities.count)
                if wanted.withLock({ !$0.contains(.zero) }) { return most }
            }
            Issue.record("The sweep does not come to its end.")
            return most
        }

        @Test func `objects that nobody holds leave in several turns`() throws {
            try insertTree(of: 10_000)
            _ = try context.all(Office.Employee.self)
            #expect(context.identities.count == 10_000)
            let most = try endTurns()
            #expect(most > 0 && most <= 4_096)
            #expect(context.identities.count == 0)
        }

        @Test func `a tree that was walked leaves once nobody holds it`() throws {
            try insertTree(of: 6_000)
            do {
                let all = try context.all(Office.Employee.self)
                let root = try #require(all.first { $0.manager == nil })
                var pending = [root]
                var count = 0
                while let employee = pending.popLast() {
                    count += 1
                    pending += employee.reports
                }
                #expect(count == 6_000)
                _ = try endTurns()
                #expect(context.identities.count == 6_000)
                withExtendedLifetime(all) {}
            }
            // The context rests after a sweep, 25 times as long as that took: long on a busy machine.
            let end = ContinuousClock.now + .seconds(3_600)
            while context.identities.count >= 1_024, .now < end {
                sched_yield()
                context.beginSweepInTurn()
            }
            #expect(context.identities.count < 1_024)
        }

        @Test func `members stay with an owner that somebody holds`() throws {
            let root = try context.own(insertTree(of: 5_000))
            #expect(root.reports.count == 10)
            _ = try context.all(Office.Employee.self)
            #expect(context.identities.count == 5_000)
            _ = try endTurns()
            #expect(context.identities.count == 11)
            for report in root.reports { #expect(context.registeredObject(for: report.anyObjectID) === report) }
        }

        @Test(arguments: [4_000, 6_000])
        func `objects that hold each other leave with a sweep of all, as a few thousand do in a turn`(
            count: Int
        ) throws {
            let writer = office.newContext()
            let employees = try (0..<count).map { try writer.employee("\($0)") }
            for number in 0..<count / 2 { employees[number].friends = [employees[number + count / 2]] }
            try writer.save()
            for employee in try context.all(Office.Employee.self) { #expect(employee.friends.count == 1) }
            _ = try endTurns()
            #expect(count > 4_096 || context.identities.count == 0)
            #expect(context.registeredObjects.isEmpty)
            try context.checkInvariants()
        }

        @Test func `owners that were registered after their members let go of them`() throws {
            let writer = office.newContext()
            let kitchen = try writer.department("kitchen")
            for number in 0..<5_000 { try writer.employee("\(number)").department = kitchen }
            try writer.save()
            do {
                let all = try context.all(Office.Employee.self)
                #expect(all.first?.department?.employees.count == 5_000)
                withExtendedLifetime(all) {}
            }
            _ = try endTurns()
            #expect(context.identities.count == 0)
        }

        @Test func `sweeps are not nested by a class that uses its context in its deinit`() throws {
            let counts = Locked<[Int]>([])
            let writer = office.newContext()
            for _ in 0..<6_000 { _ = try writer.insert(Office.Farewell.self) }
            try writer.save()
            for farewell in try context.all(Office.Farewell.self) {
                farewell.atDeinit = { [context, counts] in
                    context.endTurn()
                    counts.withLock { $0.append(context.identities.count) }
                }
            }
            let most = try endTurns()
            #expect(most > 0 && most <= 4_096)
            #expect(counts.withLock { $0.allSatisfy { $0 <= 6_000 } && $0.count == 6_000 })
        }

        @Test func `a reset lets go of objects that fetch in their deinit`() throws {
            let writer = office.newContext()
            for _ in 0..<100 { _ = try writer.insert(Office.Farewell.self) }
            try writer.save()
            let counts = Locked<[Int]>([])
            for farewell in try context.all(Office.Farewell.self) {
                farewell.atDeinit = { [context, counts] in
                    // Reason for try?: what fails is seen in the counts.
                    let count = try? context.all(Office.Farewell.self).count
                    counts.withLock { $0.append(count ?? -1) }
                }
            }
            context.reset()
            #expect(counts.withLock { $0 } == Array(repeating: 100, count: 100))
            try context.checkInvariants()
        }

        @Test func `a reset lets go of a new object that was deleted after all others`() throws {
            let writer = office.newContext()
            for _ in 0..<10 { _ = try writer.insert(Office.Farewell.self) }
            try writer.save()
            let found = Locked<[AnyObjectID: ObjectIdentifier]>([:])
            let kept = Locked<[Office.Farewell]>([])
            _ = try context.all(Office.Farewell.self)
            do {
                let farewell = try context.insert(Office.Farewell.self)
                farewell.atDeinit = { [context, found, kept] in
                    // Reason for try?: what fails is seen in the count.
                    let all = (try? context.all(Office.Farewell.self)) ?? []
                    kept.withLock { $0 = all }
                    for each in all { found.withLock { $0[each.anyObjectID] = ObjectIdentifier(each) } }
                }
                context.delete(farewell)
                context.processPendingChanges()
            }
            context.reset()
            #expect(found.withLock { $0.count } == 10)
            for (id, identifier) in found.withLock({ $0 }) {
                #expect(context.registeredObject(for: id).map(ObjectIdentifier.init) == identifier)
            }
            kept.withLock { $0 = [] }
        }

        @Test(arguments: [1, 2, 3])
        func `a rollback lets go of new objects that change the context in their deinit`(count: Int) throws {
            let seen = Locked<[Bool]>([])
            for _ in 0..<count {
                let farewell = try context.insert(Office.Farewell.self)
                farewell.atDeinit = { [context, seen] in
                    let hadChanges = context.hasChanges
                    // Reason for try?: what fails is seen in the count.
                    try? context.employee("left").name = "made at the end"
                    seen.withLock { $0.append(hadChanges) }
                }
            }
            context.rollback()
            #expect(seen.withLock { $0 } == [false] + Array(repeating: true, count: count - 1))
            #expect(context.insertedObjects.count == count)
            try context.checkInvariants()
            try context.save()
            #expect(try office.newContext().all(Office.Employee.self).count == count)
        }

        @Test func `an undo step lets go of an object that changes the context in its deinit`() throws {
            let undoManager = ContextUndoManager()
            undoManager.levelsOfUndo = 1
            context.undoManager = undoManager
            let count = Locked(0)
            do {
                let farewell = try context.insert(Office.Farewell.self)
                try context.save()
                farewell.atDeinit = { [context, count] in
                    // Reason for try?: what fails is seen in the number of employees.
                    _ = try? context.employee("left")
                    context.processPendingChanges()
                    count.withLock { $0 += 1 }
                }
                context.delete(farewell)
                context.processPendingChanges()
                try context.save()
            }
            for number in 0..<3 {
                _ = try context.employee("\(number)")
                context.processPendingChanges()
            }
            #expect(count.withLock { $0 } == 1)
            try context.checkInvariants()
            try context.save()
            #expect(try office.newContext().all(Office.Employee.self).count == 4)
        }

        @Test func `a sweep ends though each object that leaves registers another in its deinit`() throws {
            let writer = office.newContext()
            for _ in 0..<6_000 { _ = try writer.insert(Office.Farewell.self) }
            try writer.save()
            for farewell in try context.all(Office.Farewell.self) { farewell.returnsAtDeinit(to: context) }
            _ = try endTurns()
            #expect(context.identities.count == 6_000)
            for object in context.identities.objects { (object as? Office.Farewell)?.atDeinit = nil }
        }

        @Test func `a context that nobody uses any more asks for few further turns`() throws {
            try insertTree(of: 6_000)
            let all = try context.all(Office.Employee.self)
            context.endTurn()
            var plans = 0
            while let wait = wanted.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                if wait == .zero {
                    context.sweepInTurn()
                    continue
                }
                plans += 1
                try #require(plans < 5)
                let time = ContinuousClock.now + wait
                while .now < time {
                    sched_yield()
                    context.sweepInTurn()
                }
                context.beginSweepInTurn()
            }
            #expect(plans > 0 && context.identities.count == 6_000)
            withExtendedLifetime(all) {}
        }

        @Test func `a context that retains its objects does not sweep`() throws {
            try insertTree(of: 2_000)
            context.retainsRegisteredObjects = true
            _ = try context.all(Office.Employee.self)
            context.endTurn()
            #expect(wanted.withLock { $0.isEmpty } && context.identities.count == 2_000)
        }

        @Test(arguments: 0..<6) func `objects stay the same between the parts of sweeps`(seed: Int) throws {
            try insertTree(of: 8_000)
            var random = SeededGenerator(seed: UInt64(seed))
            var held: [Office.Employee] = []
            for _ in 0..<80 {
                switch Int.random(in: 0..<12, using: &random) {
                case 0, 1:
                    var request = FetchRequest(entityName: "Employee")
                    request.fetchLimit = 2_500
                    request.fetchOffset = Int.random(in: 0..<8_000, using: &random)
                    let page = try context.fetch(request).compactMap { $0 as? Office.Employee }
                    held += page.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
                case 2: held.removeAll { _ in Int.random(in: 0..<3, using: &random) > 0 }
                case 3: for employee in held.suffix(50) { _ = employee.reports.count }
                case 4: held.randomElement(using: &random)?.age += 1
                case 5:
                    if let one = held.randomElement(using: &random), let other = held.randomElement(using: &random) {
                        one.add(other, to: \.friends)
                    }
                case 6: try context.save()
                case 7: context.beginSweepInTurn()
                case 8: for _ in 0..<6 { context.sweepInTurn() }
                default: context.endTurn()
                }
                try context.checkInvariants()
                for employee in held {
                    #expect(context.registeredObject(for: employee.anyObjectID) === employee)
                    for report in try employee.hasLoadedReports ? employee.reports : [] {
                        #expect(context.registeredObject(for: report.anyObjectID) === report)
                    }
                }
            }
            held = []
            try context.save()
            #expect(context.registeredObjects.isEmpty)
        }
    }

    @MainActor @Suite(.serialized, .inOwnProcess) struct `Sweeps of a main context` {
        @Test func `what it has shown leaves in turns of the main actor`() async throws {
            let office = try OfficeStack(.file)
            let writer = office.newContext()
            for number in 0..<5_000 { _ = try writer.employee("\(number)") }
            try writer.save()
            let main = try MainContext(stack: office.stack)
            #expect(try main.fetchAll(Office.Employee.self).count == 5_000)
            #expect(main.managedObjectContext.identities.count == 5_000)
            await main.waitUntilEmpty()
            #expect(main.managedObjectContext.identities.count == 0)
        }

        @Test func `what it has let go of after its last turn leaves without a call`() async throws {
            let office = try OfficeStack(.file)
            let writer = office.newContext()
            for number in 0..<5_000 { _ = try writer.employee("\(number)") }
            try writer.save()
            let main = try MainContext(stack: office.stack)
            var start: ContinuousClock.Instant
            repeat {
                // Again if the turns took so long that the last sweep may have come before the end.
                start = .now
                let all = try main.fetchAll(Office.Employee.self)
                for _ in 0..<100 { await Task.yield() }
                #expect(main.managedObjectContext.identities.count == 5_000)
                withExtendedLifetime(all) {}
            } while .now - start > .milliseconds(500)
            await main.waitUntilEmpty()
            #expect(main.managedObjectContext.identities.count == 0)
        }

        @Test func `what it has retained leaves after it may`() async throws {
            let office = try OfficeStack(.file)
            let writer = office.newContext()
            for number in 0..<5_000 { _ = try writer.employee("\(number)") }
            try writer.save()
            let main = try MainContext(stack: office.stack)
            main.managedObjectContext.retainsRegisteredObjects = true
            _ = try main.fetchAll(Office.Employee.self)
            for _ in 0..<100 { await Task.yield() }
            #expect(main.managedObjectContext.identities.count == 5_000)
            main.managedObjectContext.retainsRegisteredObjects = false
            await main.waitUntilEmpty()
            #expect(main.managedObjectContext.identities.count == 0)
        }
    }

    extension MainContext {
        /// Lets the main actor have turns until the context has no objects, for ten minutes at most.
        fileprivate func waitUntilEmpty() async {
            let end = ContinuousClock.now + .seconds(600)
            while managedObjectContext.identities.count > 0, .now < end { await Task.yield() }
        }
    }

    /// Ordered members with code of their own at their end.
    @Suite struct `Sweeps over ordered members` {
        @Entity final class Line: ManagedObject {
            @Relationship(inverse: \Marcher.line) var marchers: [Marcher]
        }

        @Entity final class Marcher: ManagedObject {
            var line: Line?
            lazy var atDeinit: (() -> Void)? = nil

            deinit { atDeinit?() }
        }

        @Test func `members that were deleted are not released while a sweep counts references`() throws {
            let stack = try Stack(model: ManagedObjectModel(classes: [Line.self, Marcher.self]))
            try stack.addInMemoryStore()
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            let line = try context.insert(Line.self)
            line.marchers = try (0..<100).map { _ in try context.insert(Marcher.self) }
            for _ in 0..<50 { _ = try context.insert(Line.self) }
            try context.save()
            for marcher in line.marchers.suffix(20) {
                marcher.atDeinit = { [context] in _ = context.registeredObjects }
                context.delete(marcher)
            }
            try context.save()
            #expect(context.registeredObjects.count == 81)
            try context.checkInvariants()
            #expect(line.marchers.count == 80)
            #expect(context.registeredObjects.count == 81)
        }

        @Test func `members that read the order when they are released leave the others in it`() throws {
            let stack = try Stack(model: ManagedObjectModel(classes: [Line.self, Marcher.self]))
            try stack.addInMemoryStore()
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            let line = try context.insert(Line.self)
            line.marchers = try (0..<60).map { _ in try context.insert(Marcher.self) }
            try context.save()
            let rest = line.marchers.suffix(40).map(\.anyObjectID)
            let counts = Locked<[Int]>([])
            for marcher in line.marchers.prefix(20) {
                marcher.atDeinit = { [line, counts] in
                    let count = line.marchers.count
                    counts.withLock { $0.append(count) }
                }
                context.delete(marcher)
            }
            try context.save()
            #expect(line.marchers.map(\.anyObjectID) == rest)
            #expect(counts.withLock { $0 } == Array(repeating: 40, count: 20))
            try context.checkInvariants()
        }
    }

    extension Office.Farewell {
        /// Registers an object with the same id in the `deinit`, which does the same.
        fileprivate func returnsAtDeinit(to context: ManagedObjectContext) {
            let key = key
            atDeinit = { [context] in
                (context.object(for: key) as? Office.Farewell)?.returnsAtDeinit(to: context)
            }
        }
    }

    extension Office.Employee {
        fileprivate var hasLoadedReports: Bool {
            get throws { try !hasFault(forRelationshipNamed: "reports") }
        }
    }
#endif
