#if Macros
    import DataMonk
    import DataMonkSQLite
    import Testing

    /// Taking over, by notice, what others changed, in a context that follows no commits.
    @Suite(.serialized) struct `Merging by hand` {
        private func stage(_ kind: StoreKind) throws -> (OfficeStack, ManagedObjectContext, ManagedObjectContext) {
            let office = try OfficeStack(kind)
            return (office, office.newContext(), office.newContext(followsCommits: false))
        }

        /// Saves, and returns what the save's notice says.
        private func save(_ context: ManagedObjectContext) throws -> ObjectChangeNotice {
            var notice = ObjectChangeNotice()
            let observation = context.observeSaves { if case .didSave(let changes) = $0 { notice = changes.notice } }
            try context.save()
            _ = observation
            return notice
        }

        @Test(arguments: StoreKind.allCases) func `clean objects take over what a notice names`(_ kind: StoreKind)
            throws
        {
            let (office, writing, still) = try stage(kind)
            defer { withExtendedLifetime(office) {} }
            let monk = try writing.employee("Monk")
            try writing.save()
            let mine = try still.own(monk)
            monk.name = "Abbot"
            let notice = try save(writing)
            #expect(mine.name == "Monk")
            try still.mergeChanges(from: notice)
            #expect(mine.name == "Abbot" && !mine.hasChanges)
        }

        @Test(arguments: StoreKind.allCases) func `to-manys are read again`(_ kind: StoreKind) throws {
            let (office, writing, still) = try stage(kind)
            defer { withExtendedLifetime(office) {} }
            let department = try writing.department("d")
            let (monk, friend) = (try writing.employee("Monk"), try writing.employee("Friend"))
            try writing.save()
            let (mine, myDepartment) = (try still.own(monk), try still.own(department))
            #expect(mine.friends.isEmpty && myDepartment.employees.isEmpty)
            monk.department = department
            monk.friends = [friend]
            try still.mergeChanges(from: save(writing))
            #expect(mine.friends.map(\.name) == ["Friend"] && myDepartment.employees == [mine])
        }

        @Test(arguments: StoreKind.allCases)
        func `a remote delete leaves a held object registered and deleted`(_ kind: StoreKind) throws {
            let (office, writing, still) = try stage(kind)
            defer { withExtendedLifetime(office) {} }
            let monk = try writing.employee("Monk")
            try writing.save()
            let mine = try still.own(monk)
            writing.delete(monk)
            try still.mergeChanges(from: save(writing))
            #expect(mine.isDeleted && mine.managedObjectContext === still)
            #expect(try still.objects(with: [mine.anyObjectID]).isEmpty)
        }

        @Test(arguments: StoreKind.allCases)
        func `an object with unsaved changes keeps them, and meets the conflict at its save`(_ kind: StoreKind) throws {
            let (office, writing, still) = try stage(kind)
            defer { withExtendedLifetime(office) {} }
            let monk = try writing.employee("Monk")
            try writing.save()
            let mine = try still.own(monk)
            mine.age = 5
            monk.name = "Abbot"
            try still.mergeChanges(from: save(writing))
            #expect(mine.age == 5 && mine.name == "Monk")
            let error = #expect(throws: SaveError.self) { try still.save() }
            #expect(error?.code == .mergeConflict)
        }

        @Test(arguments: StoreKind.allCases) func `observers are told what was merged`(_ kind: StoreKind) throws {
            let (office, writing, still) = try stage(kind)
            defer { withExtendedLifetime(office) {} }
            let (monk, prior) = (try writing.employee("Monk"), try writing.employee("Prior"))
            try writing.save()
            let (mine, myPrior) = (try still.own(monk), try still.own(prior))
            var told: [ObjectChanges] = []
            let observation = still.observeChanges { told.append($0) }
            monk.age = 2
            writing.delete(prior)
            let abbot = try writing.employee("Abbot")
            try still.mergeChanges(from: save(writing))
            #expect(told.count == 1 && told.first?.updated == [mine] && told.first?.deleted == [myPrior])
            #expect(told.first?.notice.inserted == [abbot.anyObjectID])
            _ = observation
        }

        @Test func `a remote change is read from the store, not from what the stack remembers`() throws {
            let (office, writing, still) = try stage(.file)
            let monk = try writing.employee("Monk")
            try writing.save()
            let mine = try still.own(monk)
            let file = office.fileURL
            let connection = try SQLiteConnection(fileURL: file, options: SQLiteOptions(access: .readWrite))
            try connection.execute("UPDATE ZEMPLOYEE SET ZNAME = 'Abbot', Z_OPT = Z_OPT + 1")
            try connection.close()
            try still.mergeChanges(from: ObjectChangeNotice(updated: [mine.anyObjectID]))
            #expect(mine.name == "Monk")
            try still.mergeChanges(fromRemote: ObjectChangeNotice(updated: [mine.anyObjectID]))
            #expect(mine.name == "Abbot")
        }

        @Test func `an id of another stack is refused before anything is merged`() throws {
            let (office, writing, still) = try stage(.memory)
            defer { withExtendedLifetime(office) {} }
            let monk = try writing.employee("Monk")
            let elsewhere = try OfficeStack()
            let foreign = try elsewhere.newContext().employee("Foreign").anyObjectID
            try writing.save()
            let mine = try still.own(monk)
            monk.age = 3
            var notice = try save(writing)
            notice.updated.append(foreign)
            let error = #expect(throws: FetchError.self) { try still.mergeChanges(from: notice) }
            #expect(error?.code == .foreignID && mine.age == 0)
        }
    }
#endif
