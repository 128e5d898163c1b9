#if Macros
    import DataMonk
    import Foundation
    import Testing

    @Suite struct `Change tracking` {
        private let office: OfficeStack
        private let context: ManagedObjectContext

        init() throws {
            office = try OfficeStack()
            context = office.newContext()
        }

        @Test func `a new object is inserted, with a temporary id, until it is saved`() throws {
            let monk = try context.employee("Monk")
            #expect(monk.isInserted && monk.hasChanges && !monk.isUpdated && !monk.isDeleted)
            #expect(monk.objectID.isTemporaryID)
            #expect(context.insertedObjects == [monk])
            try context.save()
            #expect(!monk.isInserted && !monk.hasChanges && !monk.isUpdated)
            #expect(!monk.objectID.isTemporaryID)
            #expect(!context.hasChanges && context.insertedObjects.isEmpty)
        }

        @Test func `a saved object has a URI of store, entity and primary key`() throws {
            let monk = try context.employee("Monk")
            try context.save()
            let uri = monk.objectID.uri.absoluteString
            #expect(uri.hasPrefix("x-coredata://") && uri.hasSuffix("/Employee/p1"))
            #expect(office.stack.objectID(forURI: monk.objectID.uri) == monk.anyObjectID)
        }

        @Test func `a temporary id goes on finding its object after the save`() throws {
            let monk = try context.employee("Monk")
            let temporary = monk.anyObjectID
            try context.save()
            #expect(monk.anyObjectID != temporary)
            #expect(try context.existingObject(with: temporary) === monk)
        }

        @Test func `a changed object is updated until it is saved`() throws {
            let monk = try context.employee("Monk")
            try context.save()
            monk.age = 18
            #expect(monk.isUpdated && monk.hasChanges && context.updatedObjects == [monk])
            try context.save()
            #expect(!monk.isUpdated && !monk.hasChanges && context.updatedObjects.isEmpty)
            #expect(try office.newContext().all(Office.Employee.self).map(\.age) == [18])
        }

        @Test func `a change that was taken back is not written, and the next one is`() throws {
            let monk = try context.employee("Monk")
            let other = try context.employee("Other")
            try context.save()
            monk.age = 18
            monk.age = 0
            other.age = 7
            try context.save()
            #expect(!monk.hasChanges)
            monk.age = 20
            #expect(monk.hasChanges)
            try context.save()
            #expect(try office.newContext().own(monk).age == 20)
        }

        @Test func `an object whose change was taken back follows the commits of others`() throws {
            let monk = try context.employee("Monk")
            try context.save()
            monk.age = 0
            monk.department = try context.department("New")
            monk.department = nil
            try context.save()
            let other = office.newContext()
            try other.own(monk).age = 30
            try other.save()
            _ = try context.all(Office.Employee.self)
            #expect(monk.age == 30)
        }

        @Test func `an object deleted before its first save just goes`() throws {
            let monk = try context.employee("Monk")
            context.delete(monk)
            #expect(monk.isDeleted)
            #expect(context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
            try context.save()
            #expect(try office.newContext().all(Office.Employee.self).isEmpty)
            #expect(!context.hasChanges)
        }

        @Test func `a deleted object is deleted until it is saved, and keeps its values`() throws {
            let monk = try context.employee("Monk")
            try context.save()
            monk.name = "Changed \(String(repeating: "long", count: 100))"
            context.delete(monk)
            #expect(monk.isDeleted && monk.hasChanges && context.deletedObjects == [monk])
            try context.save()
            #expect(!monk.hasChanges && context.deletedObjects.isEmpty)
            #expect(monk.name == "Monk" || monk.name.hasPrefix("Changed"))
            #expect(try office.newContext().all(Office.Employee.self).isEmpty)
        }

        @Test func `a context without changes saves nothing`() throws {
            let commits = Locked(0)
            let coordinator = office.stack.coordinator
            let observer = coordinator.commitObservers.add { _ in commits.withLock { $0 += 1 } }
            defer { coordinator.commitObservers.remove(observer) }
            try context.save()
            let monk = try context.employee("Monk")
            context.delete(monk)
            try context.save()
            #expect(commits.withLock { $0 } == 0)
        }

        @Test func `a failed save leaves every change, and the corrected one succeeds`() throws {
            let first = try context.insert(Office.Badge.self)
            first.code = "1"
            try context.save()
            let second = try context.insert(Office.Badge.self)
            second.code = "1"
            first.code = "1"
            let monk = try context.employee("Monk")
            #expect(throws: (any Error).self) { try context.save() }
            #expect(second.isInserted && second.objectID.isTemporaryID && monk.isInserted && context.hasChanges)
            second.code = "2"
            try context.save()
            #expect(!context.hasChanges)
            #expect(try office.newContext().all(Office.Badge.self).compactMap(\.code).sorted() == ["1", "2"])
            #expect(try office.newContext().all(Office.Employee.self).count == 1)
        }

        @Test func `an object of a context that is gone keeps its values and its id`() throws {
            var short: ManagedObjectContext? = ManagedObjectContext(coordinator: office.stack.coordinator)
            let monk = try #require(try short?.employee("Monk"))
            try short?.save()
            short = nil
            #expect(monk.name == "Monk")
            #expect(monk.managedObjectContext == nil)
            #expect(try context.own(monk).name == "Monk")
        }
    }
#endif
