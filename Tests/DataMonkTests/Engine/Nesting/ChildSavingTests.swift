#if Macros
    import DataMonk
    import Testing

    /// A child's save, one level at a time.
    @Suite struct `Saving a child` {
        @Test(arguments: StoreKind.allCases)
        func `leaves the child clean, the parent dirty and the store untouched`(_ kind: StoreKind) throws {
            let family = try Family(kind, depth: 1)
            let monk = try family.child.employee("Monk")
            try family.child.save()
            #expect(!family.child.hasChanges)
            #expect(!monk.isInserted && !monk.hasChanges)
            #expect(family.root.insertedObjects.count == 1)
            #expect(try family.stored(Office.Employee.self).isEmpty)
            try family.root.save()
            #expect(!family.root.hasChanges)
            #expect(try family.stored(Office.Employee.self).map(\.name) == ["Monk"])
        }

        @Test(arguments: StoreKind.allCases, 1...3)
        func `goes up one level, through any depth`(_ kind: StoreKind, _ depth: Int) throws {
            let family = try Family(kind, depth: depth)
            let kitchen = try family.root.department("kitchen")
            try family.root.employee("Monk").department = kitchen
            try family.root.save()
            let monk = try family.only(Office.Employee.self, in: family.child)
            monk.age = 40
            try family.child.employee("Farmer").department = monk.department
            for level in (1...depth).reversed() {
                try family.contexts[level].save()
                #expect(!family.contexts[level].hasChanges)
                #expect(family.contexts[level - 1].hasChanges)
                #expect(try family.stored(Office.Employee.self).map(\.age) == [0])
            }
            try family.root.save()
            let stored = try family.stored(Office.Employee.self).sorted { $0.name > $1.name }
            #expect(stored.map(\.age) == [40, 0])
            #expect(stored.map { $0.department?.name } == ["kitchen", "kitchen"])
        }

        @Test(arguments: StoreKind.allCases, 1...3)
        func `ids stay temporary until the root saves`(_ kind: StoreKind, _ depth: Int) throws {
            let family = try Family(kind, depth: depth)
            let monk = try family.child.employee("Monk")
            let temporary = monk.anyObjectID
            for context in family.contexts.reversed().dropLast() { try context.save() }
            #expect(monk.anyObjectID == temporary && temporary.isTemporaryID)
            try family.root.save()
            #expect(!monk.anyObjectID.isTemporaryID)
            for context in family.contexts {
                let own = try context.existingObject(with: temporary)
                #expect(own.anyObjectID == monk.anyObjectID)
                #expect(try context.existingObject(with: monk.anyObjectID) === own)
            }
            #expect(try family.child.existingObject(with: temporary) === monk)
            let sibling = ManagedObjectContext(parent: family.root)
            #expect(try sibling.existingObject(with: temporary).anyObjectID == monk.anyObjectID)
        }

        @Test(arguments: StoreKind.allCases)
        func `what points at a new object follows its permanent id`(_ kind: StoreKind) throws {
            let family = try Family(kind, depth: 2)
            let kitchen = try family.child.department("kitchen")
            let monk = try family.child.employee("Monk")
            monk.department = kitchen
            for context in family.contexts.reversed() { try context.save() }
            #expect(monk.department === kitchen)
            #expect(kitchen.employees == [monk])
            // A comparison of keys, not of objects: the same destination is no change.
            monk.department = kitchen
            #expect(!family.child.hasChanges)
            family.child.delete(kitchen)
            family.child.processPendingChanges()
            #expect(monk.department == nil)
        }

        @Test func `a change of a child alone makes nothing of its own dirty`() throws {
            let family = try Family(depth: 2)
            _ = try family.child.employee("Monk")
            #expect(!family.contexts[1].hasChanges && !family.root.hasChanges)
        }

        @Test(arguments: StoreKind.allCases)
        func `property by property the child's values win`(_ kind: StoreKind) throws {
            let family = try Family(kind, depth: 1)
            let above = try family.root.employee("Monk")
            try family.root.save()
            let monk = try family.child.own(above)
            monk.name = "child"
            above.name = "parent"
            above.age = 7
            try family.child.save()
            #expect(above.name == "child" && above.age == 7)
            // A clean child's object is what the parent's is.
            #expect(monk.name == "child" && monk.age == 7)
            try family.root.save()
            #expect(try family.stored(Office.Employee.self).map(\.age) == [7])
        }

        @Test func `versions are checked when the root saves`() throws {
            let family = try Family(depth: 1)
            let above = try family.root.employee("Monk")
            try family.root.save()
            try family.child.own(above).name = "child"
            let other = try family.office.newContext().own(above)
            other.name = "other"
            try #require(other.managedObjectContext).save()
            try family.child.save()
            let error = #expect(throws: SaveError.self) { try family.root.save() }
            #expect(error?.conflicts.map(\.objectID) == [above.anyObjectID])
        }

        @Test func `a commit of others that the parent has taken over is still met in the root's save`() throws {
            let family = try Family(depth: 2)
            let above = try family.root.employee("Monk")
            try family.root.save()
            try family.child.own(above).name = "child"
            let other = try family.office.newContext().own(above)
            other.name = "other"
            try #require(other.managedObjectContext).save()
            family.root.mergeCommits()
            #expect(above.name == "other")
            #expect(try family.child.own(above).hasConflict)
            try family.child.save()
            try family.contexts[1].save()
            #expect(above.name == "child")
            let error = #expect(throws: SaveError.self) { try family.root.save() }
            #expect(error?.conflicts.map(\.objectID) == [above.anyObjectID])
            try family.root.refresh(above, mergeChanges: true)
            try family.root.save()
            #expect(try family.stored(Office.Employee.self).map(\.name) == ["child"])
        }

        @Test(arguments: [true, false])
        func `a family is not in conflict with itself`(_ follows: Bool) throws {
            let family = try Family(depth: 2, follows: follows)
            let above = try family.root.employee("Monk")
            let monk = try family.child.own(above)
            try family.root.save()
            monk.name = "child"
            for age in 1...3 {
                above.age = age
                try family.root.save()
            }
            #expect(!monk.hasConflict)
            for context in family.contexts.reversed() { try context.save() }
            let stored = try family.stored(Office.Employee.self)
            #expect(stored.map(\.name) == ["child"] && stored.map(\.age) == [3])
        }

        @Test func `an object that the parent has deleted stays deleted, and the policy says whether that is an error`()
            throws
        {
            for policy in [
                MergePolicy.error, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback,
            ] {
                let family = try Family(depth: 1, mergePolicy: policy)
                let above = try family.root.employee("Monk")
                let other = try family.root.employee("Farmer")
                try family.root.save()
                try family.child.own(above).age = 1
                try family.child.own(other).age = 2
                family.root.delete(above)
                if policy == .error {
                    let error = #expect(throws: SaveError.self) { try family.child.save() }
                    #expect(error?.code == .mergeConflict)
                    #expect(error?.conflicts.map(\.objectID) == [above.anyObjectID])
                    #expect(other.age == 0, "nothing was saved")
                    #expect(family.child.updatedObjects.count == 2)
                } else {
                    try family.child.save()
                    #expect(other.age == 2)
                    #expect(!family.child.hasChanges)
                }
                #expect(family.root.deletedObjects == [above])
            }
        }

        @Test func `hooks run in each level's save, and those of a life's beginning and end once`() throws {
            let family = try Family(depth: 1)
            let diary = try family.child.insert(Office.Diary.self)
            try family.child.save()
            #expect(diary.events == ["awakeFromInsert untitled", "willSave", "didSave"])
            let above = try #require(family.root.insertedObjects.first as? Office.Diary)
            #expect(above.events == [])
            try family.root.save()
            #expect(above.events == ["willSave", "didSave"])
            family.child.delete(diary)
            try family.child.save()
            #expect(diary.events.suffix(3) == ["prepareForDeletion", "willSave deleted", "didSave"])
            #expect(above.events == ["willSave", "didSave"])
            try family.root.save()
            #expect(above.events.suffix(2) == ["willSave deleted", "didSave"])
        }

        @Test func `validation runs in the child, and a failed save leaves both as they were`() throws {
            let family = try Family(depth: 1)
            let project = try family.child.insert(Office.Project.self)
            let error = #expect(throws: SaveError.self) { try family.child.save() }
            #expect(error?.code == .missingMandatoryProperty)
            #expect(family.child.insertedObjects == [project])
            #expect(!family.root.hasChanges)
            project.department = try family.child.department("kitchen")
            try family.child.save()
            #expect(family.root.insertedObjects.count == 2)
        }

        @Test func `transient values go up, and a refetch in the child gives the default`() throws {
            let family = try Family(depth: 1)
            let above = try family.root.insert(Office.Diary.self)
            try family.root.save()
            let diary = try family.child.own(above)
            diary.mood = "grim"
            try family.child.save()
            #expect(above.mood == "grim")
            #expect(diary.mood == "grim")
            try family.child.refresh(diary, mergeChanges: false)
            #expect(diary.mood != "grim")
            #expect(above.mood == "grim")
        }
    }
#endif
