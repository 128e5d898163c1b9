#if Macros
    import DataMonk
    import Testing

    /// What Core Data was observed to say of conflicts.
    @Suite struct `Scenarios of conflicts` {
        /// A context with a stale name, over a store where another context has written one.
        private struct Stage {
            let office: OfficeStack
            let context: ManagedObjectContext
            let monk: Office.Employee

            init(_ kind: StoreKind) throws {
                office = try OfficeStack(kind)
                let other = office.newContext()
                let theirs = try other.employee("old")
                theirs.department = try other.department("kitchen")
                theirs.friends = [theirs]
                try other.save()
                context = office.newContext()
                monk = try context.own(theirs)
                theirs.name = "theirs"
                try other.save()
                monk.name = "mine"
            }

            func conflict() throws -> MergeConflict {
                let error = try #require(throws: SaveError.self) { try context.save() }
                #expect(error.code.rawValue == 133_020 && error.conflicts.count == 1)
                return try #require(error.conflicts.first)
            }
        }

        @Test(.scenario("scn/merge/001"), arguments: StoreKind.allCases)
        func `a conflict has the old value, the other context's, and none that is only in the store`(kind: StoreKind)
            throws
        {
            let stage = try Stage(kind)
            let conflict = try stage.conflict()
            #expect(conflict.objectID == stage.monk.anyObjectID)
            #expect(conflict.objectSnapshot["name"] == "old")
            #expect(conflict.cachedSnapshot?["name"] == "theirs")
            #expect(conflict.persistedSnapshot == nil)
            #expect(stage.monk.name == "mine" && stage.monk.hasChanges)
        }

        @Test(.scenario("scn/merge/008"), arguments: StoreKind.allCases)
        func `a snapshot holds attributes and the ids of to-ones, and no to-many`(kind: StoreKind) throws {
            let stage = try Stage(kind)
            let snapshot = try stage.conflict().objectSnapshot
            let department = try #require(stage.monk.department)
            #expect(snapshot["department"] == .object(department.anyObjectID))
            #expect(snapshot["age"] == 0 && snapshot["note"] == .null && snapshot["friends"] == nil)
        }

        /// Core Data says a new version of 0; here there is none.
        @Test(.scenario("scn/merge/008"), arguments: StoreKind.allCases)
        func `of an object that was deleted there is no stored version`(kind: StoreKind) throws {
            let stage = try Stage(kind)
            let other = stage.office.newContext()
            other.delete(try other.own(stage.monk))
            try other.save()
            let conflict = try stage.conflict()
            #expect(conflict.storedVersion == nil && conflict.storedValues.isEmpty && conflict.baseVersion > 0)
        }
    }
#endif
