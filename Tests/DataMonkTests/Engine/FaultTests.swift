#if Macros
    import DataMonk
    import Testing

    @Suite struct FaultTests {
        private let office: OfficeStack
        private let context: ManagedObjectContext
        private let monk: Office.Employee

        init() throws {
            office = try OfficeStack(.file)
            context = office.newContext()
            monk = try context.employee("Monk")
            try context.save()
        }

        private func fault(in context: ManagedObjectContext) throws -> Office.Employee {
            var request = FetchRequest(entityName: "Employee")
            request.includesPropertyValues = false
            return try #require(try context.fetch(request).first as? Office.Employee)
        }

        @Test func `a fault is fulfilled by its first property`() throws {
            let fault = try fault(in: office.newContext())
            _ = fault.managedObjectContext
            #expect(fault.objectID == monk.objectID && fault.isFault)
        }

        @Test func `a fault reads its values, and is none afterwards`() throws {
            let other = office.newContext()
            let fault = try fault(in: other)
            #expect(fault.name == "Monk")
            #expect(!fault.isFault && !fault.hasChanges)
        }

        @Test func `a context has one object for each row`() throws {
            let other = office.newContext()
            let fault = try fault(in: other)
            let fetched = try other.all(Office.Employee.self)
            #expect(fetched.count == 1 && fetched[0] === fault && !fault.isFault)
            #expect(try other.own(monk) === fault)
        }

        @Test func `objects of two contexts are two, with one id`() throws {
            let other = try office.newContext().own(monk)
            #expect(other !== monk && other != monk && other.objectID == monk.objectID)
        }

        @Test func `a to-one leads to a fault, whose row the first touch reads`() throws {
            let department = try context.department("kitchen")
            monk.department = department
            try context.save()
            let other = office.newContext()
            let found = try #require(try other.own(monk).department)
            #expect(found.isFault)
            #expect(found.name == "kitchen" && !found.isFault)
        }

        @Test func `writing to a fault reads its other values first`() throws {
            let other = office.newContext()
            let fault = try fault(in: other)
            fault.age = 3
            #expect(fault.name == "Monk" && fault.isUpdated)
            try other.save()
            let read = try office.newContext().own(monk)
            #expect(read.name == "Monk" && read.age == 3)
        }

        @Test func `a fault whose row is gone reads as empty and deleted`() throws {
            let other = office.newContext(followsCommits: false)
            let fault = try fault(in: other)
            context.delete(monk)
            try context.save()
            _ = try other.count(FetchRequest(entityName: "Department"))
            #expect(fault.name == "" && fault.age == 0 && fault.note == nil && fault.department == nil)
            #expect(fault.friends.isEmpty)
            #expect(fault.isDeleted)
        }

        @Test func `existingObject never gives a fault`() throws {
            let other = office.newContext()
            let fault = try fault(in: other)
            #expect(try other.existingObject(with: monk.anyObjectID) === fault)
            #expect(!fault.isFault)
        }

        @Test func `existingObject names what is gone, what never was, and what is another stack's`() throws {
            let other = office.newContext()
            let temporary = try other.employee("New").anyObjectID
            let code = { (id: AnyObjectID) in
                try #require(throws: FetchError.self) { try context.existingObject(with: id) }.code
            }
            #expect(try code(temporary) == .objectNotFound)
            let stranger = try OfficeStack()
            let foreign = stranger.newContext()
            let strange = try foreign.employee("Stranger")
            try foreign.save()
            #expect(try code(strange.anyObjectID) == .foreignID)
            let id = monk.anyObjectID
            other.delete(try other.own(monk))
            try other.save()
            #expect(try code(id) == .objectNotFound)
        }

        @Test func `a fault touched after an advance has the row of where the context stands`() throws {
            let other = office.newContext()
            let fault = try fault(in: other)
            // The snapshot of the fetch is still open when the context advances.
            monk.name = "Abbot"
            try context.save()
            other.mergeCommits()
            #expect(fault.name == "Abbot")
        }

        @Test func `a to-many touched after an advance has the members of where the context stands`() throws {
            let department = try context.department("kitchen")
            try context.save()
            let other = office.newContext()
            let mine = try other.own(department)
            monk.department = department
            try context.save()
            other.mergeCommits()
            #expect(mine.employees.map(\.name) == ["Monk"])
        }

        @Test func `what is missing in the model is said, with the remedy`() throws {
            let error = try #require(throws: ModelError.self) { try context.insert(Person.self) }
            #expect(error.code == .unknownClass && error.message.contains("Person"))
        }
    }
#endif
