#if Macros
    import DataMonk
    import Testing

    /// What reaches a child's registered objects by itself.
    @Suite struct `Following a parent` {
        @Test(arguments: [true, false])
        func
            `a child that merges automatically shows what the parent saved, another keeps stale values until refreshed`(
                _ follows: Bool
            ) throws
        {
            let family = try Family(depth: 1, follows: follows)
            let above = try family.root.employee("Monk")
            try family.root.save()
            let monk = try family.child.own(above)
            above.name = "Abbot"
            #expect(monk.name == "Monk", "unsaved changes do not come by themselves")
            try family.root.save()
            #expect(monk.name == (follows ? "Abbot" : "Monk"))
            try family.child.refreshAllObjects()
            #expect(monk.name == "Abbot")
        }

        @Test func `a save of a level in the middle reaches the levels under it`() throws {
            let family = try Family(depth: 2, follows: true)
            let above = try family.root.employee("Monk")
            let middle = try family.contexts[1].own(above)
            let monk = try family.child.own(above)
            middle.name = "Abbot"
            try family.contexts[1].save()
            #expect(monk.name == "Abbot" && above.name == "Abbot")
        }

        @Test func `what others commit comes when the family advances, to-manys too`() throws {
            let family = try Family(.file, depth: 2, follows: true)
            let kitchen = try family.root.department("kitchen")
            let monk = try family.root.employee("Monk")
            monk.department = kitchen
            try family.root.save()
            let own = try family.child.own(kitchen)
            #expect(own.employees.count == 1)
            let member = try #require(own.employees.first)
            let other = family.office.newContext()
            try other.own(monk).name = "Abbot"
            try other.employee("Farmer").department = try other.own(kitchen)
            try other.save()
            #expect(member.name == "Monk")
            family.child.mergeCommits()
            #expect(member.name == "Abbot")
            #expect(Set(own.employees.map(\.name)) == ["Abbot", "Farmer"])
        }

        @Test func `changes of a child are kept, whatever its parent saves`() throws {
            let family = try Family(depth: 1, follows: true)
            let above = try family.root.employee("Monk")
            try family.root.save()
            let monk = try family.child.own(above)
            monk.age = 1
            above.age = 2
            try family.root.save()
            #expect(monk.age == 1 && monk.isUpdated)
            try family.child.save()
            #expect(above.age == 1)
        }

        @Test func `an object deleted by the parent's save is deleted in a child that follows`() throws {
            let family = try Family(depth: 1, follows: true)
            let above = try family.root.employee("Monk")
            try family.root.save()
            let monk = try family.child.own(above)
            family.root.delete(above)
            #expect(!monk.isDeleted)
            try family.root.save()
            #expect(monk.isDeleted)
        }

        @Test func `what others commit reaches a child that follows although its parent is reset`() throws {
            let family = try Family(.file, depth: 1, follows: true)
            let above = try family.root.employee("Monk")
            try family.root.save()
            let monk = try family.child.own(above)
            let other = family.office.newContext()
            try other.own(above).name = "Abbot"
            try other.save()
            #expect(monk.name == "Monk")
            family.root.reset()
            #expect(monk.name == "Abbot")
        }

        @Test func `a child that merges by hand moves its family`() throws {
            let family = try Family(.file, depth: 1)
            let above = try family.root.employee("Monk")
            try family.root.save()
            let monk = try family.child.own(above)
            let other = family.office.newContext()
            try other.own(above).name = "Abbot"
            try other.save()
            #expect(monk.name == "Monk" && above.name == "Monk")
            try family.child.mergeChanges(from: ObjectChangeNotice(updated: [monk.anyObjectID]))
            #expect(monk.name == "Abbot" && above.name == "Abbot")
        }

        @Test(arguments: [MergePolicy.mergeByPropertyStoreTrump, .rollback])
        func `a child that follows shows what its parent has resolved in the store's favor`(policy: MergePolicy) throws
        {
            let family = try Family(.file, depth: 2, follows: true)
            family.root.mergePolicy = policy
            let (first, second) = (try family.root.department("first"), try family.root.department("second"))
            let above = try family.root.employee("Monk")
            above.department = first
            try family.root.save()
            let (monk, owner) = (try family.child.own(above), try family.child.own(second))
            monk.name = "mine"
            monk.department = owner
            #expect(owner.employees == [monk])
            for context in family.contexts.dropFirst().reversed() { try context.save() }
            let other = family.office.newContext()
            let theirs = try other.own(above)
            theirs.name = "theirs"
            theirs.department = nil
            try other.save()
            try family.root.save()
            #expect(monk.name == "theirs" && monk.department == nil && owner.employees.isEmpty)
            #expect(!monk.hasChanges && !monk.hasConflict)
            try family.root.checkInvariants()
        }

        @Test func `a parent does not keep its children`() throws {
            let family = try Family(depth: 0)
            weak var child: ManagedObjectContext?
            do {
                let short = ManagedObjectContext(parent: family.root)
                child = short
                _ = try short.employee("Monk")
            }
            #expect(child == nil)
            _ = try family.root.employee("Farmer")
            try family.root.save()
        }
    }
#endif
