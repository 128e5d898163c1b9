#if Macros
    import DataMonk
    import Testing

    @Suite struct DeletionTests {
        private let office: OfficeStack
        private let context: ManagedObjectContext

        init() throws {
            office = try OfficeStack()
            context = office.newContext()
        }

        private func expectSaveError(_ code: SaveError.Code, key: String? = nil) throws {
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == code)
            if let key { #expect(error.validationProblems.map(\.key) == [key]) }
            #expect(context.hasChanges)
        }

        @Test(arguments: StoreKind.allCases) func `deleting a department nullifies its employees`(kind: StoreKind)
            throws
        {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let department = try context.department("kitchen")
            let monk = try context.employee("Monk")
            monk.department = department
            try context.save()
            let deleting = office.newContext()
            deleting.delete(try deleting.own(department))
            try deleting.save()
            let reading = office.newContext()
            #expect(try reading.own(monk).department == nil)
            #expect(try reading.all(Office.Department.self).isEmpty)
        }

        @Test func `an object that was never saved and its owner are deleted together`() throws {
            let monk = try context.employee("Monk")
            try context.save()
            let badge = try context.insert(Office.Badge.self)
            monk.badge = badge
            // Its rules first: then nobody finds it any more, and the owner's cascade leads to it.
            context.delete(badge)
            context.delete(monk)
            try context.save()
            #expect(try office.newContext().all(Office.Employee.self).isEmpty)
            #expect(try office.newContext().all(Office.Badge.self).isEmpty)
        }

        @Test(arguments: StoreKind.allCases) func `deleting an employee takes it out of every collection`(
            kind: StoreKind
        ) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let department = try context.department("kitchen")
            let (monk, friend) = (try context.employee("Monk"), try context.employee("Friend"))
            let skill = try context.insert(Office.Skill.self)
            monk.department = department
            monk.friends = [friend]
            monk.skills = [skill]
            try context.save()
            context.delete(monk)
            try context.save()
            #expect(department.employees.isEmpty && friend.friends.isEmpty && skill.employees.isEmpty)
            let reading = office.newContext()
            #expect(try reading.own(friend).friends.isEmpty)
            #expect(try reading.own(skill).employees.isEmpty)
        }

        @Test func `cascade goes on through the levels`() throws {
            let company = try context.insert(Office.Company.self)
            company.departments = [try context.department("a"), try context.department("b")]
            let monk = try context.employee("Monk")
            monk.department = company.departments[0]
            monk.badge = try context.insert(Office.Badge.self)
            try context.save()
            context.delete(company)
            context.delete(monk)
            try context.save()
            let reading = office.newContext()
            #expect(try reading.all(Office.Department.self).isEmpty)
            #expect(try reading.all(Office.Badge.self).isEmpty)
        }

        @Test func `cascade in a circle ends`() throws {
            let steps = try (0..<3).map { _ in try context.insert(Office.Step.self) }
            for index in steps.indices { steps[index].next = steps[(index + 1) % 3] }
            try context.save()
            context.delete(steps[1])
            try context.save()
            #expect(try office.newContext().all(Office.Step.self).isEmpty)
        }

        @Test func `cascade takes unsaved objects along`() throws {
            let company = try context.insert(Office.Company.self)
            try context.save()
            company.departments = [try context.department("new")]
            context.delete(company)
            try context.save()
            #expect(try office.newContext().all(Office.Department.self).isEmpty)
        }

        @Test func `deny refuses, names the relationship, and is lifted when the destination goes too`() throws {
            let department = try context.department("kitchen")
            let project = try context.insert(Office.Project.self)
            project.department = department
            try context.save()
            context.delete(department)
            try expectSaveError(.relationshipDeniedDelete, key: "projects")
            context.delete(project)
            try context.save()
            #expect(try office.newContext().all(Office.Department.self).isEmpty)
        }

        @Test func `deny inside a cascade denies the whole`() throws {
            let company = try context.insert(Office.Company.self)
            let department = try context.department("kitchen")
            company.departments = [department]
            let project = try context.insert(Office.Project.self)
            project.department = department
            try context.save()
            context.delete(company)
            try expectSaveError(.relationshipDeniedDelete)
            context.rollback()
            #expect(try context.all(Office.Company.self) == [company])
            #expect(company.departments == [department])
        }

        @Test func `deny looks at a to-one too`() throws {
            let tower = try context.insert(Office.Tower.self)
            tower.floors = [try context.insert(Office.Floor.self), try context.insert(Office.Floor.self)]
            try context.save()
            context.delete(try #require(tower.floors.first))
            try expectSaveError(.relationshipDeniedDelete, key: "tower")
        }

        @Test func `a project without the department that it needs is not saved`() throws {
            let project = try context.insert(Office.Project.self)
            try expectSaveError(.missingMandatoryProperty, key: "department")
            project.department = try context.department("kitchen")
            try context.save()
            project.department = nil
            try expectSaveError(.missingMandatoryProperty, key: "department")
        }

        @Test func `counts of a to-many are kept`() throws {
            let tower = try context.insert(Office.Tower.self)
            try context.save()
            tower.floors = [try context.insert(Office.Floor.self)]
            try expectSaveError(.relationshipLacksMinimumCount, key: "floors")
            tower.floors = Set(try (0..<4).map { _ in try context.insert(Office.Floor.self) })
            #expect(throws: SaveError.self) { try context.save() }
            tower.floors = Set(tower.floors.sorted { $0.objectID.description < $1.objectID.description }.prefix(3))
            try context.save()
        }

        @Test func `a to-many that must not be empty is counted in new objects`() throws {
            let castle = try context.insert(Office.Castle.self)
            try expectSaveError(.relationshipLacksMinimumCount, key: "gates")
            castle.gates = [try context.insert(Office.Gate.self)]
            try context.save()
        }

        @Test func `a to-many that was not read is counted when its other side changes`() throws {
            let castle = try context.insert(Office.Castle.self)
            castle.gates = [try context.insert(Office.Gate.self)]
            castle.floors = [try context.insert(Office.Floor.self), try context.insert(Office.Floor.self)]
            try context.save()
            let other = office.newContext()
            let gate = try #require(try other.all(Office.Gate.self).first)
            gate.castle = nil
            let missing = try #require(throws: SaveError.self) { try other.save() }
            #expect(missing.code == .relationshipLacksMinimumCount)
            #expect(missing.validationProblems.map(\.key) == ["gates"])
            other.rollback()
            try #require(try other.all(Office.Floor.self).first).tower = nil
            let lacking = try #require(throws: SaveError.self) { try other.save() }
            #expect(lacking.code == .relationshipLacksMinimumCount)
        }

        @Test func `several problems come as a list`() throws {
            _ = try context.insert(Office.Project.self)
            _ = try context.insert(Office.Project.self)
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .multipleValidationErrors)
            #expect(error.validationProblems.map(\.code) == [.missingMandatoryProperty, .missingMandatoryProperty])
        }

        @Test func `prepareForDeletion runs on each call`() throws {
            let diary = try context.insert(Office.Diary.self)
            try context.save()
            diary.events = []
            context.delete(diary)
            context.delete(diary)
            #expect(diary.events == ["prepareForDeletion", "prepareForDeletion"])
        }

        @Test func `prepareForDeletion may delete and change other objects`() throws {
            let diary = try context.insert(Office.Diary.self)
            let copy = try context.insert(Office.Diary.self)
            let monk = try context.employee("Monk")
            try context.save()
            diary.atDeletion = { diary in
                diary.managedObjectContext?.delete(copy)
                monk.name = "without a diary"
            }
            context.delete(diary)
            try context.save()
            #expect(try context.all(Office.Diary.self).isEmpty)
            #expect(try context.all(Office.Employee.self).map(\.name) == ["without a diary"])
            #expect(copy.events.contains("prepareForDeletion") && copy.managedObjectContext == nil)
        }

        @Test func `what is deleted is found no more, by id, fetch or count`() throws {
            let monk = try context.employee("Monk")
            try context.save()
            let id = monk.anyObjectID
            context.delete(monk)
            #expect(try context.all(Office.Employee.self).isEmpty)
            #expect(try context.count(FetchRequest(entityName: "Employee")) == 0)
            #expect(try context.objects(with: [id]).isEmpty)
            let error = try #require(throws: FetchError.self) { try context.existingObject(with: id) }
            #expect(error.code == .objectNotFound && error.objectID == id)
        }

        @Test func `a fault that is deleted is found no more`() throws {
            let office = try OfficeStack(.file)
            let context = office.newContext()
            let monk = try context.employee("Monk")
            try context.save()
            let other = office.newContext()
            var request = FetchRequest(entityName: "Employee")
            request.includesPropertyValues = false
            let fault = try #require(try other.fetch(request).first)
            #expect(fault.isFault)
            other.delete(fault)
            #expect(throws: FetchError.self) { try other.existingObject(with: monk.anyObjectID) }
            try other.save()
            #expect(try office.newContext().all(Office.Employee.self).isEmpty)
        }
    }
#endif
