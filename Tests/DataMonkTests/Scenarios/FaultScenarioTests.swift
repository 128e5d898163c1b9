#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// What Core Data was observed to do with faults.
    @Suite struct `Scenarios of faults` {
        @Test(.scenario("scn/concurrency/007"), arguments: StoreKind.allCases)
        func `objects that nobody holds are known until they are saved`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            for name in ["Monk", "Abbot"] { _ = try context.employee(name) }
            #expect(context.registeredObjects.count == 2)
            try context.save()
            #expect(context.registeredObjects.isEmpty)
        }

        @Test(.scenario("scn/faulting/003"), arguments: StoreKind.allCases)
        func `refreshing all makes faults of clean objects and leaves edits alone`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let (changed, clean) = (try context.employee("Changed"), try context.employee("Clean"))
            try context.save()
            changed.age = 1
            try context.refreshAllObjects()
            #expect(!changed.isFault && changed.age == 1 && clean.isFault)
        }

        @Test(.scenario("scn/faulting/004"))
        func `a row brings its to-one; a to-many is one query, once, when it is touched`() throws {
            let folder = try TemporaryFolder()
            let recorder = StatementRecorder()
            func open(_ label: String) throws -> ManagedObjectContext {
                let stack = Stack(model: try Office.model.get(), trace: { recorder.record($0, by: label) })
                try stack.addDatabaseStore(fileURL: folder.file("office.sqlite"), synchronous: .normal)
                return ManagedObjectContext(coordinator: stack.coordinator)
            }
            let writing = try open("writing")
            try writing.employee("Monk").department = try writing.department("kitchen")
            try writing.save()
            let context = try open("reading")
            let kitchen = try #require(try context.all(Office.Department.self).first)
            #expect(recorder.queries { _ = kitchen.name }.isEmpty)
            #expect(recorder.queries { _ = kitchen.employees }.count == 1)
            #expect(recorder.queries { _ = kitchen.employees.map { $0.department } }.isEmpty)
        }

        @Test(.scenario("scn/faulting/005"), arguments: StoreKind.allCases)
        func `the id of a deleted row finds nothing, and no fault`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let monk = try context.employee("Monk")
            try context.save()
            let id = monk.anyObjectID
            context.delete(monk)
            try context.save()
            for context in [context, office.newContext()] {
                let error = try #require(throws: FetchError.self) { try context.existingObject(with: id) }
                #expect(error.code == .objectNotFound)
            }
        }

        /// In Core Data a mutable value that is changed in place poisons the snapshot that it is compared with, and is not
        /// saved. Values have no identity in Swift: changing one in place sets the property.
        @Test(.scenario("scn/faulting/007"), arguments: StoreKind.allCases)
        func `a value changed in place is a change, and is saved`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let diary = try context.insert(Office.Diary.self)
            diary.text = "a"
            try context.save()
            diary.text.append("b")
            #expect(diary.isUpdated)
            try context.save()
            #expect(try office.newContext().own(diary).text == "ab")
        }

        /// The same of a transformable: what is read is a value of the reader's own.
        @Test(.scenario("scn/faulting/007"), arguments: StoreKind.allCases)
        func `a transformable that was changed in place, then replaced by an equal one, is saved`(kind: StoreKind)
            throws
        {
            let folder = try TemporaryFolder()
            let stack = Stack(
                model: try ManagedObjectModel {
                    EntityDescription("Thing") { AttributeDescription("form", .transformable) }
                })
            if kind == .memory {
                try stack.addInMemoryStore()
            } else {
                try stack.addDatabaseStore(fileURL: folder.file("things.sqlite"), synchronous: .normal)
            }
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            let thing = try context.insert("Thing", ["form": .data(Data([1]))])
            try context.save()
            guard case .data(var form) = try thing.value(forKey: "form") else { return #expect(Bool(false)) }
            form.append(2)
            #expect(try thing.value(forKey: "form") == .data(Data([1])) && !thing.hasChanges)
            try thing.setValue(.data(Data([1, 2])), forKey: "form")
            #expect(thing.hasChanges)
            try context.save()
            let reader = ManagedObjectContext(coordinator: stack.coordinator)
            #expect(
                try reader.existingObject(with: thing.anyObjectID).value(forKey: "form") == .data(Data([1, 2])))
        }

        @Test(.scenario("scn/concurrency/002"))
        func `a step that waits for a step of its own context runs it inline`() throws {
            let office = try OfficeStack()
            let context = try Context(stack: office.stack).beginUpdateContext()
            let names = try context.performAndWait { update in
                try update.create(Office.Employee.self).name = "outer"
                let inner = try context.performAndWait { update in
                    try update.fetchAll(Office.Employee.self).map(\.name)
                }
                return inner + ["after"]
            }
            #expect(names == ["outer", "after"])
        }
    }
#endif
