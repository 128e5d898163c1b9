#if Macros
    import DataMonk
    import Testing

    /// What Core Data was observed to fetch. The graph: alpha 22, bravo 25 and charlie 10 are saved; then alpha became 5,
    /// charlie 21, bravo was deleted, delta 30 and echo 40 are new.
    @Suite struct `Scenarios of fetches` {
        private struct Stage {
            let office: OfficeStack
            let context: ManagedObjectContext

            init(_ kind: StoreKind) throws {
                office = try OfficeStack(kind)
                context = office.newContext()
                var saved: [Office.Employee] = []
                for (name, age) in [("alpha", 22), ("bravo", 25), ("charlie", 10)] {
                    saved.append(try context.employee(name))
                    saved.last?.age = age
                }
                try context.save()
                saved[0].age = 5
                context.delete(saved[1])
                saved[2].age = 21
                try context.employee("delta").age = 30
                try context.employee("echo").age = 40
            }

            func names(_ request: FetchRequest) throws -> [String] {
                try context.fetch(request).compactMap { ($0 as? Office.Employee)?.name }
            }
        }

        private func older(than age: Int64) -> FetchRequest {
            var request = FetchRequest(entityName: "Employee", condition: .compare("age", .greaterThan, .int(age)))
            request.sortTerms = [SortTerm("name")]
            return request
        }

        @Test(.scenario("scn/fetch/001"), arguments: StoreKind.allCases)
        func `unsaved changes decide who matches, or the store does, over the values of the context`(kind: StoreKind)
            throws
        {
            let stage = try Stage(kind)
            var request = older(than: 20)
            #expect(try stage.names(request) == ["charlie", "delta", "echo"])
            request.includesPendingChanges = false
            #expect(try stage.names(request) == ["alpha", "bravo"])
            #expect(try stage.context.fetch(request).compactMap { ($0 as? Office.Employee)?.age } == [5, 25])
        }

        @Test(.scenario("scn/fetch/002"), arguments: StoreKind.allCases)
        func `rows of values are the store's`(kind: StoreKind) throws {
            let stage = try Stage(kind)
            var request = older(than: 20)
            request.propertiesToFetch = [.init("name"), .init("age")]
            #expect(try stage.context.values(request) == [["alpha", 22], ["bravo", 25]])
        }

        @Test(.scenario("scn/fetch/003"), arguments: StoreKind.allCases, [true, false])
        func `a count is of the members of the fetch`(kind: StoreKind, pending: Bool) throws {
            let stage = try Stage(kind)
            var request = older(than: 20)
            request.includesPendingChanges = pending
            #expect(try stage.context.count(request) == (pending ? 3 : 2))
            #expect(try stage.context.objectIDs(request).count == (pending ? 3 : 2))
        }

        @Test(.scenario("scn/fetch/005"), arguments: StoreKind.allCases)
        func `without sub-entities neither rows nor unsaved objects of them are found`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let (tower, _) = (try context.insert(Office.Tower.self), try context.insert(Office.Castle.self))
            var request = FetchRequest(entityName: "Tower")
            request.includesSubentities = false
            // The castle has no gate, so it cannot be saved, and need not be: it is unsaved in both fetches.
            #expect(try context.fetch(request) == [tower] && context.count(request) == 1)
            request.includesSubentities = true
            #expect(try context.fetch(request).count == 2)
        }

        @Test(.scenario("scn/fetch/006"), arguments: StoreKind.allCases)
        func `distinct rows of two objects with one name are one`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            for _ in 0..<2 { _ = try context.employee("Monk") }
            try context.save()
            var request = FetchRequest(entityName: "Employee")
            request.propertiesToFetch = [.init("name")]
            request.resultType = .dictionaries
            #expect(try context.values(request).count == 2)
            request.returnsDistinctResults = true
            #expect(try context.values(request) == [["Monk"]])
        }

        @Test(.scenario("scn/fetch/007"), arguments: StoreKind.allCases)
        func `an aggregate without grouping is one row under its name`(kind: StoreKind) async throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            for age in [10, 20] { try context.employee("e").age = age }
            try context.save()
            let rows = try await Context(stack: office.stack).read { reader in
                try reader.query(Office.Employee.self, .Max("age", alias: "oldest"))
            }
            #expect(rows == [["oldest": 20]])
        }

        @Test(.scenario("scn/fetch/009"), arguments: StoreKind.allCases)
        func `a to-many is no column`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            var request = FetchRequest(entityName: "Department")
            request.propertiesToFetch = [.init("employees")]
            #expect(throws: FetchError.self) { try context.values(request) }
        }

        @Test(.scenario("scn/fetch/010")) func `a new request has Core Data's defaults`() {
            let request = FetchRequest(entityName: "Employee")
            #expect(request.fetchLimit == 0 && request.fetchOffset == 0 && request.fetchBatchSize == 0)
            #expect(request.includesSubentities && request.includesPendingChanges && request.includesPropertyValues)
            #expect(request.returnsObjectsAsFaults && !request.returnsDistinctResults)
        }

        @Test(.scenario("scn/fetch/011"), arguments: StoreKind.allCases)
        func `an unknown entity is refused by name`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let error = try #require(throws: FetchError.self) { try context.fetch(FetchRequest(entityName: "Nobody")) }
            #expect(error.code == .unknownEntity && error.message.contains("Nobody"))
        }
    }
#endif
