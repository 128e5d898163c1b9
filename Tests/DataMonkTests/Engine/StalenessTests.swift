#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Where values are read from a second time, and what is read when there is nothing to read.
    @Suite struct `Staleness` {
        private let recorder = StatementRecorder()
        private let folder: TemporaryFolder
        /// Another process, as far as the context can tell.
        private let stranger: ManagedObjectContext
        private let stack: Stack
        private let context: ManagedObjectContext
        private let errors = Locked<[any Error]>([])
        private let monk: Office.Employee

        init() throws {
            folder = try TemporaryFolder()
            let url = folder.file("office.sqlite")
            stack = Stack(model: try Office.model.get(), trace: { [recorder] in recorder.record($0, by: "store") })
            try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
            stack.onError { [errors] error in errors.withLock { $0.append(error) } }
            context = ManagedObjectContext(coordinator: stack.coordinator)
            monk = try context.employee("Monk")
            try context.save()
            let other = Stack(model: try Office.model.get())
            try other.addDatabaseStore(fileURL: url, synchronous: .normal)
            stranger = ManagedObjectContext(coordinator: other.coordinator)
        }

        private func change(_ name: String) throws {
            try #require(try stranger.all(Office.Employee.self).first).name = name
            try stranger.save()
        }

        private func deleteBehindTheBack() throws {
            stranger.delete(try #require(try stranger.all(Office.Employee.self).first))
            try stranger.save()
        }

        private var codes: [FetchError.Code?] { errors.withLock { $0.map { ($0 as? FetchError)?.code } } }

        // MARK: How old a row may be

        @Test func `the row cache answers, however old its row is`() throws {
            try context.refresh(monk, mergeChanges: false)
            #expect(monk.isFault)
            #expect(recorder.queries { _ = monk.name }.isEmpty && monk.name == "Monk")
        }

        @Test func `the row cache holds nothing back that another process has committed`() throws {
            try change("Abbot")
            try context.refresh(monk, mergeChanges: false)
            #expect(recorder.queries { _ = monk.name }.count == 1 && monk.name == "Abbot")
            try change("Prior")
            try context.refreshAllObjects()
            #expect(monk.name == "Prior")
        }

        @Test func `somebody who reads thousands of rows one by one leaves the row cache to others`() throws {
            for number in 0..<1_100 { _ = try context.employee("Monk \(number)") }
            try context.save()
            // Another coordinator, whose row cache has seen no commit.
            let fresh = Stack(model: try Office.model.get(), trace: { [recorder] in recorder.record($0, by: "fresh") })
            try fresh.addDatabaseStore(fileURL: folder.file("office.sqlite"), synchronous: .normal)
            let keys = try ManagedObjectContext(coordinator: fresh.coordinator).objectIDs(
                FetchRequest(entityName: "Employee"))
            let reader = ManagedObjectContext(coordinator: fresh.coordinator)
            for key in keys { _ = try reader.existingObject(with: key) }
            let next = ManagedObjectContext(coordinator: fresh.coordinator)
            #expect(recorder.queries { _ = try? next.existingObject(with: keys[0]) }.isEmpty)
            #expect(recorder.queries { _ = try? next.existingObject(with: keys[1_099]) }.count == 1)
            try fresh.close()
        }

        @Test func `with an interval of zero the store is read again`() throws {
            #expect(context.stalenessInterval < .zero)
            context.stalenessInterval = .zero
            try context.refresh(monk, mergeChanges: false)
            #expect(recorder.queries { _ = monk.name }.count == 1 && monk.name == "Monk")
        }

        @Test func `what was read again is what others find in the row cache`() throws {
            try change("Abbot")
            context.stalenessInterval = .zero
            try context.refreshAllObjects()
            #expect(monk.name == "Abbot")
            let other = ManagedObjectContext(coordinator: stack.coordinator)
            #expect(try other.own(monk).name == "Abbot")
        }

        @Test func `a row of unknown age is too old for any interval, and one just read is not`() throws {
            context.stalenessInterval = .seconds(3_600)
            #expect(context.stalenessInterval == .seconds(3_600))
            try context.refresh(monk, mergeChanges: false)
            #expect(recorder.queries { _ = monk.name }.count == 1)
            try context.refresh(monk, mergeChanges: false)
            #expect(recorder.queries { _ = monk.name }.isEmpty && monk.name == "Monk")
        }

        @Test func `refreshing with changes puts them over what the store has now`() throws {
            context.stalenessInterval = .zero
            monk.age = 30
            try change("Abbot")
            try context.refresh(monk, mergeChanges: true)
            #expect(monk.name == "Abbot" && monk.age == 30 && monk.isUpdated)
            try context.save()
            #expect(!monk.hasChanges)
            try context.checkInvariants()
        }

        @Test func `refreshing all objects leaves changed ones alone`() throws {
            let other = try context.employee("Other")
            try context.save()
            other.age = 5
            try context.refreshAllObjects()
            #expect(monk.isFault && !other.isFault && other.age == 5 && other.isUpdated)
        }

        @Test func `resetting forgets changes and objects`() throws {
            monk.age = 5
            context.reset()
            #expect(!context.hasChanges && context.registeredObjects.isEmpty)
            #expect(try context.own(monk).age == 0)
            try context.checkInvariants()
        }

        // MARK: Rows that are gone

        private func makeInaccessible() throws {
            context.stalenessInterval = .zero
            try deleteBehindTheBack()
            try context.refresh(monk, mergeChanges: false)
        }

        @Test func `a fault whose row is gone has no values and is deleted`() throws {
            try makeInaccessible()
            #expect(monk.name == "" && monk.age == 0 && monk.note == nil && monk.department == nil)
            #expect(monk.friends.isEmpty && monk.isDeleted && codes.isEmpty)
            #expect(try monk.value(forKey: "note") == .null)
        }

        @Test func `fault() throws what a property passes over`() throws {
            try makeInaccessible()
            for _ in 0..<2 {
                let error = try #require(throws: FetchError.self) { try monk.fault() }
                #expect(error.code == .objectNotFound && error.objectID == monk.anyObjectID)
                #expect(error.coreDataNumber == 133_000)
            }
        }

        @Test func `if gone faults do not count as deleted, each access fails`() throws {
            context.shouldDeleteInaccessibleFaults = false
            try makeInaccessible()
            #expect(monk.name == "" && monk.age == 0)
            #expect(codes == [.objectNotFound, .objectNotFound])
            #expect(!monk.isDeleted && monk.isFault)
            #expect(throws: FetchError.self) { try monk.value(forKey: "name") }
            #expect(throws: FetchError.self) { try monk.fault() }
            #expect(codes.count == 2)
        }

        @Test func `an object that is not found is none`() throws {
            try makeInaccessible()
            let error = try #require(throws: FetchError.self) { try context.existingObject(with: monk.anyObjectID) }
            #expect(error.code == .objectNotFound)
        }

        @Test func `fault() reads an object once`() throws {
            context.stalenessInterval = .zero
            try context.refresh(monk, mergeChanges: false)
            #expect(try recorder.queries { try monk.fault() }.count == 1)
            #expect(try recorder.queries { try monk.fault() }.isEmpty)
            #expect(!monk.isFault)
        }

        // MARK: Without a context

        @Test func `what outlives its context keeps what was read, and reads nothing more`() throws {
            var short: ManagedObjectContext? = ManagedObjectContext(coordinator: stack.coordinator)
            let kitchen = try #require(try short?.department("kitchen"))
            let read = try #require(try short?.employee("Novice"))
            read.department = kitchen
            try short?.save()
            let fault = try #require(try short?.own(monk))
            try short?.refresh(fault, mergeChanges: false)
            short = nil
            #expect(read.name == "Novice" && codes.isEmpty)
            #expect(fault.name == "" && read.department == nil && kitchen.employees.isEmpty)
            #expect(codes == [.contextIsGone, .contextIsGone, .contextIsGone])
            #expect(throws: FetchError.self) { try fault.fault() }
            #expect(throws: FetchError.self) { try fault.value(forKey: "name") }
            #expect(throws: FetchError.self) { try kitchen.objects(forKey: "employees") }
            #expect(try read.value(forKey: "name") == "Novice")
        }
    }
#endif
