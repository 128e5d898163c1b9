#if Macros
    import DataMonk
    import Testing

    /// Permanent ids before the save.
    @Suite struct `Obtaining permanent ids` {
        @Test(arguments: StoreKind.allCases, 0...3)
        func `every level that knows the object renames it at once`(_ kind: StoreKind, _ depth: Int) throws {
            let family = try Family(kind, depth: depth)
            let saved = try family.root.employee("Saved")
            try family.root.save()
            let above = try family.root.employee("Monk")
            let kitchen = try family.root.department("kitchen")
            above.department = kitchen
            let temporary = above.anyObjectID
            let known = try family.contexts.map { try $0.own(above) }
            try family.child.obtainPermanentIDs(for: [known[depth], try family.child.own(saved)])
            for (context, object) in zip(family.contexts, known) {
                #expect(!object.anyObjectID.isTemporaryID)
                #expect(object.anyObjectID == above.anyObjectID)
                #expect(try context.existingObject(with: temporary) === object)
                #expect(try context.existingObject(with: above.anyObjectID) === object)
                #expect(object.department?.employees == [object])
            }
            #expect(above.isInserted && kitchen.anyObjectID.isTemporaryID)
            #expect(try family.stored(Office.Employee.self).map(\.name) == ["Saved"])
        }

        @Test(arguments: StoreKind.allCases, 0...2)
        func `the save keeps the id`(_ kind: StoreKind, _ depth: Int) throws {
            let family = try Family(kind, depth: depth)
            let kitchen = try family.child.department("kitchen")
            let (monk, farmer) = (try family.child.employee("Monk"), try family.child.employee("Farmer"))
            monk.department = kitchen
            monk.friends = [farmer]
            try family.child.obtainPermanentIDs(for: [monk, kitchen, monk])
            let id = monk.anyObjectID
            #expect(farmer.anyObjectID.isTemporaryID)
            for context in family.contexts.reversed() { try context.save() }
            #expect(monk.anyObjectID == id)
            #expect(monk.friends == [farmer] && monk.department === kitchen)
            let read = family.office.newContext()
            let stored = try #require(try read.existingObject(with: id) as? Office.Employee)
            #expect(stored.department?.name == "kitchen")
            #expect(stored.friends.map(\.name) == ["Farmer"])
            #expect(Set(try read.all(Office.Employee.self).map(\.anyObjectID)) == [id, farmer.anyObjectID])
        }

        @Test func `keys that were given out are not given again`() throws {
            let family = try Family(.file, depth: 0)
            let monk = try family.root.employee("Monk")
            try family.root.obtainPermanentIDs(for: [monk])
            let id = monk.anyObjectID
            family.root.rollback()
            let next = try family.root.employee("Next")
            try family.root.save()
            #expect(next.anyObjectID != id)
            let error = #expect(throws: FetchError.self) { try family.root.existingObject(with: id) }
            #expect(error?.code == .objectNotFound)
        }

        @Test func `nobody is told of a commit`() throws {
            let family = try Family(depth: 0)
            let commits = Locked(0)
            let token = family.office.stack.coordinator.commitObservers.add { _ in commits.withLock { $0 += 1 } }
            defer { family.office.stack.coordinator.commitObservers.remove(token) }
            try family.root.obtainPermanentIDs(for: [try family.root.employee("Monk")])
            #expect(commits.withLock { $0 } == 0)
            try family.root.save()
            #expect(commits.withLock { $0 } == 1)
        }
    }
#endif
