#if Macros
    import DataMonk
    import Testing

    /// What a child sees of its parents.
    @Suite struct `Reading through parents` {
        @Test(arguments: StoreKind.allCases, 1...3)
        func `unsaved objects of the parent are seen with their values`(_ kind: StoreKind, _ depth: Int) throws {
            let family = try Family(kind, depth: depth)
            let kitchen = try family.root.department("kitchen")
            let above = try family.root.employee("Monk")
            above.department = kitchen
            let monk = try family.only(Office.Employee.self, in: family.child)
            #expect(monk.name == "Monk" && !monk.isInserted && !monk.hasChanges)
            #expect(monk !== above && monk.managedObjectContext === family.child)
            #expect(monk.department?.name == "kitchen")
            #expect(monk.department?.employees == [monk])
        }

        @Test(arguments: StoreKind.allCases, 1...3)
        func `stored values come through every level, and no parent registers them`(_ kind: StoreKind, _ depth: Int)
            throws
        {
            let family = try Family(kind, depth: depth)
            let writing = family.office.newContext()
            let kitchen = try writing.department("kitchen")
            try writing.employee("Monk").department = kitchen
            try writing.save()
            let monk = try family.only(Office.Employee.self, in: family.child)
            #expect(monk.name == "Monk")
            #expect(monk.department?.employees == [monk])
            for context in family.contexts.dropLast() { #expect(context.identities.count == 0) }
        }

        @Test func `a child does not copy the rows of its parents' clean objects`() throws {
            let family = try Family(depth: 2)
            let above = try family.root.employee("Monk")
            try family.root.save()
            #expect(try family.child.own(above).storedRow?.pointer == above.storedRow?.pointer)
        }

        @Test(arguments: StoreKind.allCases, 1...3)
        func `changed values of the nearest level count`(_ kind: StoreKind, _ depth: Int) throws {
            let family = try Family(kind, depth: depth)
            let saved = try family.root.employee("Monk")
            try family.root.save()
            for (level, context) in family.contexts.enumerated() {
                let own = try context.own(saved)
                #expect(own.age == level)
                own.age = level + 1
            }
        }

        @Test(arguments: StoreKind.allCases)
        func `a faulted to-many has the changes of every level`(_ kind: StoreKind) throws {
            let family = try Family(kind, depth: 3)
            let writing = family.office.newContext()
            let stored = try writing.department("kitchen")
            for name in ["a", "b", "c"] { try writing.employee(name).department = stored }
            try writing.save()
            // None of these reads the department's employees.
            let root = try family.root.own(stored)
            try family.root.employee("d").department = root
            let first = try #require(
                try family.contexts[1].all(Office.Employee.self).first { $0.name == "a" })
            first.department = nil
            let second = try #require(
                try family.contexts[2].all(Office.Employee.self).first { $0.name == "b" })
            family.contexts[2].delete(second)
            let kitchen = try family.child.own(stored)
            #expect(Set(kitchen.employees.map(\.name)) == ["c", "d"])
        }

        @Test func `links without an inverse and of many-to-manys come through`() throws {
            let family = try Family(depth: 2)
            let kitchen = try family.root.department("kitchen")
            let (monk, farmer) = (try family.root.employee("Monk"), try family.root.employee("Farmer"))
            kitchen.guests = [monk]
            monk.friends = [farmer, monk]
            let own = try family.child.own(kitchen)
            #expect(own.guests.map(\.name) == ["Monk"])
            #expect(Set(try family.child.own(monk).friends.map(\.name)) == ["Monk", "Farmer"])
            own.guests = try [family.child.own(farmer)]
            try family.child.own(farmer).friends = []
            try family.child.save()
            try family.contexts[1].save()
            #expect(kitchen.guests == [farmer])
            #expect(monk.friends == [monk])
            try family.root.save()
            #expect(
                try family.only(Office.Department.self, in: family.office.newContext()).guests.map(\.name) == ["Farmer"]
            )
        }

        @Test(arguments: StoreKind.allCases)
        func `order and reorder go down and up`(_ kind: StoreKind) throws {
            let family = try Family(kind, depth: 2)
            let company = try family.root.insert(Office.Company.self)
            company.departments = try ["a", "b", "c"].map(family.root.department)
            try family.root.save()
            let own = try family.child.own(company)
            #expect(own.departments.map(\.name) == ["a", "b", "c"])
            own.departments = own.departments.reversed() + [try family.child.department("d")]
            company.departments.append(try family.root.department("e"))
            try family.child.save()
            try family.contexts[1].save()
            #expect(company.departments.map(\.name) == ["c", "b", "a", "d", "e"])
            try family.root.save()
            let read = try family.only(Office.Company.self, in: family.office.newContext())
            #expect(read.departments.map(\.name) == ["c", "b", "a", "d", "e"])
        }

        @Test(arguments: StoreKind.allCases)
        func `moves between owners go up`(_ kind: StoreKind) throws {
            let family = try Family(kind, depth: 1)
            let (kitchen, garden) = (try family.root.department("kitchen"), try family.root.department("garden"))
            let monk = try family.root.employee("Monk")
            monk.department = kitchen
            try family.root.save()
            try family.child.own(monk).department = try family.child.own(garden)
            #expect(kitchen.employees == [monk])
            try family.child.save()
            #expect(kitchen.employees.isEmpty && garden.employees == [monk])
        }

        @Test(arguments: StoreKind.allCases)
        func `one-to-ones that change places in the child do so in the parent`(_ kind: StoreKind) throws {
            let family = try Family(kind, depth: 1)
            let (monk, farmer) = (try family.root.employee("Monk"), try family.root.employee("Farmer"))
            let (one, two) = (try family.root.insert(Office.Badge.self), try family.root.insert(Office.Badge.self))
            (monk.badge, farmer.badge) = (one, two)
            try family.root.save()
            let (own, other) = (try family.child.own(monk), try family.child.own(farmer))
            let badges = (own.badge, other.badge)
            (own.badge, other.badge) = (badges.1, badges.0)
            try family.child.save()
            #expect(monk.badge === two && farmer.badge === one)
            #expect(one.owner === farmer && two.owner === monk)
        }

        @Test(arguments: StoreKind.allCases)
        func `delete rules run in the child, and again over what the parent knows besides`(_ kind: StoreKind) throws {
            let family = try Family(kind, depth: 1)
            let company = try family.root.insert(Office.Company.self)
            let kitchen = try family.root.department("kitchen")
            company.departments = [kitchen]
            let monk = try family.root.employee("Monk")
            monk.department = kitchen
            try family.root.save()
            let own = try family.child.own(company)
            _ = own.departments.map(\.employees)
            // The child does not know this one.
            let late = try family.root.employee("Late")
            late.department = kitchen
            family.child.delete(own)
            #expect(throws: SaveError.self) { try family.child.save() }
            family.child.mergePolicy = .mergeByPropertyObjectTrump
            try family.child.save()
            #expect(Set(family.root.deletedObjects) == [company, kitchen])
            #expect(monk.department == nil && late.department == nil)
            try family.root.save()
            #expect(try family.stored(Office.Department.self).isEmpty)
        }

        @Test func `an object of the parent that was never saved can be deleted in the child`() throws {
            let family = try Family(depth: 2)
            let above = try family.root.employee("Monk")
            family.child.delete(try family.child.own(above))
            for context in family.contexts.reversed() { try context.save() }
            #expect(try family.stored(Office.Employee.self).isEmpty)
            #expect(!family.root.hasChanges)
        }

        @Test func `what the parent has deleted is not there`() throws {
            let family = try Family(.file, depth: 2)
            let kitchen = try family.root.department("kitchen")
            let monk = try family.root.employee("Monk")
            monk.department = kitchen
            try family.root.save()
            let id = kitchen.anyObjectID
            family.root.delete(kitchen)
            let error = #expect(throws: FetchError.self) { try family.child.existingObject(with: id) }
            #expect(error?.code == .objectNotFound)
            #expect(try family.child.own(monk).department == nil)
            #expect(try family.child.objects(with: [id]).isEmpty)
        }

        @Test func `rollback drops to the parent's state`() throws {
            let family = try Family(depth: 1)
            let above = try family.root.employee("Monk")
            let friend = try family.root.employee("Friend")
            let monk = try family.child.own(above)
            monk.age = 1
            monk.friends = [try family.child.employee("New")]
            above.age = 5
            above.friends = [friend]
            family.child.rollback()
            #expect(!family.child.hasChanges)
            #expect(monk.age == 5)
            #expect(monk.friends.map(\.name) == ["Friend"])
            #expect(family.root.insertedObjects.count == 2)
        }

        @Test func `refresh gives the parent's values, and keeps the child's where they are merged`() throws {
            let family = try Family(depth: 1)
            let above = try family.root.employee("Monk")
            let monk = try family.child.own(above)
            monk.name = "child"
            above.age = 3
            try family.child.refresh(monk, mergeChanges: true)
            #expect(monk.name == "child" && monk.age == 3 && monk.isUpdated)
            try family.child.refresh(monk, mergeChanges: false)
            #expect(monk.isFault && monk.name == "Monk")
        }

        @Test func `reset forgets the child's objects and leaves the parent's alone`() throws {
            let family = try Family(depth: 1)
            let above = try family.root.employee("Monk")
            try family.child.own(above).age = 9
            family.child.reset()
            #expect(!family.child.hasChanges && family.root.hasChanges)
            #expect(try family.only(Office.Employee.self, in: family.child).age == 0)
        }
    }
#endif
