#if Macros
    import DataMonk
    import Testing

    /// What Core Data was observed to do with objects, nil and limits in conditions.
    @Suite struct `Scenarios of conditions` {
        private func names(_ context: ManagedObjectContext, _ format: String, _ value: ManagedValue) throws -> [String]
        {
            let request = FetchRequest(
                entityName: "Employee", condition: try Condition(format: format, arguments: [value]))
            let names = try context.fetch(request).compactMap { ($0 as? Office.Employee)?.name }.sorted()
            #expect(try context.count(request) == names.count)
            return names
        }

        /// Whether the condition runs in the store or, over an unsaved change, in memory.
        @Test(.scenario("scn/fetch/013"), arguments: StoreKind.allCases, [true, false])
        func `objects in conditions mean the same everywhere; an unsaved one matches none`(
            kind: StoreKind, inMemory: Bool
        ) throws {
            let office = try OfficeStack(kind)
            let writing = office.newContext()
            let (monk, abbot) = (try writing.employee("Monk"), try writing.employee("Abbot"))
            let kitchen = try writing.department("kitchen")
            monk.department = kitchen
            monk.friends = [abbot]
            try writing.save()
            let context = office.newContext()
            if inMemory { for employee in try context.all(Office.Employee.self) { employee.age = 1 } }
            // The ids are those of another context's objects.
            let (monkID, abbotID) = (ManagedValue.object(monk.anyObjectID), ManagedValue.object(abbot.anyObjectID))
            #expect(try names(context, "department == %@", .object(kitchen.anyObjectID)) == ["Monk"])
            #expect(try names(context, "department IN %@", .list([.object(kitchen.anyObjectID)])) == ["Monk"])
            #expect(try names(context, "SELF == %@", monkID) == ["Monk"])
            #expect(try names(context, "SELF IN %@", .list([monkID, abbotID])) == ["Abbot", "Monk"])
            #expect(try names(context, "ANY friends == %@", abbotID) == ["Monk"])
            let unsaved = try office.newContext().department("unsaved")
            #expect(try names(context, "department == %@", .object(unsaved.anyObjectID)) == [])
        }

        /// Core Data's SQLite store leaves nil out, its evaluation in memory does not. Chosen: nil differs from a value, in
        /// both.
        @Test(.scenario("scn/fetch/014"), arguments: StoreKind.allCases, [true, false])
        func `nil is not equal to a value, in the store and in memory`(kind: StoreKind, inMemory: Bool) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            try context.employee("none").note = nil
            try context.employee("some").note = "x"
            if !inMemory { try context.save() }
            #expect(try names(context, "note != %@", "x") == ["none"])
            #expect(try names(context, "note == %@", .null) == ["none"])
        }

        /// Core Data's SQL store allows a list of sort selectors and one ANY, ALL or IN a condition. Ours sorts by its own
        /// comparators and has no such limit on conditions; what no store keeps it refuses, in memory too.
        @Test(.scenario("scn/fetch/015"), arguments: StoreKind.allCases)
        func `a transient property is no order, in any store`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            _ = try context.insert(Office.Diary.self)
            var request = FetchRequest(entityName: "Diary")
            request.sortTerms = [SortTerm("mood")]
            for attempt in [{ _ = try context.fetch(request) }, { _ = try context.objectIDs(request) }] {
                let error = try #require(throws: FetchError.self) { try attempt() }
                #expect(error.code == .unsupportedByStore && error.message.contains("Diary.mood"))
            }
        }

        @Test(.scenario("scn/fetch/015"), arguments: StoreKind.allCases)
        func `text has three orders, the same in every store`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            for name in ["b10", "B9", "a"] { _ = try context.employee(name) }
            try context.save()
            func names(_ comparator: SortTerm.Comparator) throws -> [String] {
                var request = FetchRequest(entityName: "Employee")
                request.sortTerms = [SortTerm("name", comparator: comparator)]
                return try context.fetch(request).compactMap { ($0 as? Office.Employee)?.name }
            }
            #expect(try names(.standard) == ["B9", "a", "b10"])
            #expect(try names(.caseInsensitive) == ["a", "b10", "B9"])
            #expect(try names(.localizedStandard) == ["a", "B9", "b10"])
        }
    }
#endif
