#if Macros
    import DataMonk
    import Testing

    /// What Core Data was observed to do with parents and children.
    @Suite struct `Scenarios of parents` {
        @Test(.scenario("scn/parent/001"), arguments: StoreKind.allCases)
        func `a child's save makes it clean and the parent dirty, and no row`(kind: StoreKind) throws {
            let family = try Family(kind, depth: 1)
            _ = try family.child.employee("Monk")
            try family.child.save()
            #expect(!family.child.hasChanges && family.root.hasChanges)
            #expect(try family.root.all(Office.Employee.self).map(\.name) == ["Monk"])
            #expect(try family.stored(Office.Employee.self).isEmpty)
            try family.root.save()
            #expect(try family.stored(Office.Employee.self).count == 1)
        }

        @Test(.scenario("scn/parent/003"), arguments: StoreKind.allCases)
        func `a child fetches what is unsaved in its parent, with its values`(kind: StoreKind) throws {
            let family = try Family(kind, depth: 1)
            _ = try family.root.employee("Monk")
            #expect(try family.child.all(Office.Employee.self).map(\.name) == ["Monk"])
        }

        @Test(.scenario("scn/parent/004"), arguments: StoreKind.allCases)
        func `a saved row's values come through every level`(kind: StoreKind) throws {
            let family = try Family(kind, depth: 3)
            _ = try family.root.employee("Monk")
            try family.root.save()
            family.root.reset()
            #expect(try family.child.all(Office.Employee.self).map(\.name) == ["Monk"])
        }

        @Test(.scenario("scn/parent/005"), arguments: StoreKind.allCases)
        func `a child's own insert and deletion lie over its parent's answer`(kind: StoreKind) throws {
            let family = try Family(kind, depth: 1)
            _ = try family.root.employee("Monk")
            _ = try family.root.employee("Abbot")
            let monk = try #require(try family.child.all(Office.Employee.self).first { $0.name == "Monk" })
            family.child.delete(monk)
            _ = try family.child.employee("New")
            #expect(try Set(family.child.all(Office.Employee.self).map(\.name)) == ["Abbot", "New"])
            #expect(try Set(family.root.all(Office.Employee.self).map(\.name)) == ["Abbot", "Monk"])
        }

        @Test(.scenario("scn/parent/007"), arguments: StoreKind.allCases, [true, false])
        func `a child takes its parent's save over if it follows`(kind: StoreKind, follows: Bool) throws {
            let family = try Family(kind, depth: 1)
            family.child.automaticallyMergesChangesFromParent = follows
            let monk = try family.root.employee("Monk")
            try family.root.save()
            let mine = try family.child.own(monk)
            #expect(mine.name == "Monk")
            monk.name = "Abbot"
            try family.root.save()
            #expect(mine.name == (follows ? "Abbot" : "Monk"))
        }

        @Test(.scenario("scn/parent/008"), arguments: StoreKind.allCases)
        func `a child's transient value reaches its parent's object`(kind: StoreKind) throws {
            let family = try Family(kind, depth: 1)
            let diary = try family.root.insert(Office.Diary.self)
            try family.root.save()
            let mine = try family.child.own(diary)
            mine.mood = "grim"
            mine.text = "edit"
            try family.child.save()
            #expect(diary.mood == "grim")
            // Read anew in the child it has no value: what the class gives then.
            try family.child.refresh(mine, mergeChanges: false)
            #expect(mine.mood != "grim" && mine.text == "edit")
        }
    }
#endif
