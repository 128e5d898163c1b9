#if Macros
    import DataMonk
    import Testing

    /// What observers of saves are told.
    @Suite struct `Save notices` {
        private let office: OfficeStack
        private let context: ManagedObjectContext

        init() throws {
            office = try OfficeStack()
            context = office.newContext()
        }

        @Test func `a save posts one notice with the exact inserted, updated and deleted sets`() throws {
            let (changed, deleted) = (try context.employee("Changed"), try context.employee("Deleted"))
            let same = try context.employee("Same")
            try context.save()
            var notices: [String] = []
            let observation = context.observeSaves { notice in
                switch notice {
                case .willSave(let changes): notices.append("will \(changes.count)")
                case .didSave(let changes):
                    let names = [changes.inserted, changes.updated, changes.deleted].map { objects in
                        objects.compactMap { ($0 as? Office.Employee)?.name }.sorted()
                    }
                    notices.append("did \(names)")
                    #expect(changes.notice.inserted.allSatisfy { !$0.isTemporaryID })
                }
            }
            _ = try context.employee("a")
            _ = try context.employee("b")
            changed.age = 1
            same.age = 0
            context.delete(deleted)
            try context.save()
            #expect(notices == ["will 5", "did [[\"a\", \"b\"], [\"Changed\"], [\"Deleted\"]]"])
            _ = observation
        }

        @Test func `an object whose to-many alone changed has been updated`() throws {
            let department = try context.department("d")
            let monk = try context.employee("Monk")
            try context.save()
            var updated: [ManagedObject] = []
            let observation = context.observeSaves { notice in
                if case .didSave(let changes) = notice { updated = changes.updated }
            }
            monk.department = department
            try context.save()
            #expect(Set(updated) == [monk, department])
            _ = observation
        }

        @Test func `willSave comes after the objects' own, didSave too`() throws {
            let diary = try context.insert(Office.Diary.self)
            diary.events = []
            let observation = context.observeSaves { notice in
                if case .willSave = notice { diary.events.append("notice") } else { diary.events.append("second") }
            }
            try context.save()
            #expect(diary.events == ["willSave", "notice", "didSave", "second"])
            _ = observation
        }

        @Test func `a failed save posts no didSave`() throws {
            _ = try context.insert(Office.Project.self)
            var count = 0
            let observation = context.observeSaves { notice in
                if case .didSave = notice { count += 1 }
            }
            #expect(throws: SaveError.self) { try context.save() }
            #expect(count == 0)
            _ = observation
        }

        @Test func `a context without changes posts nothing`() throws {
            var count = 0
            let observation = context.observeSaves { _ in count += 1 }
            try context.save()
            #expect(count == 0)
            _ = observation
        }
    }
#endif
