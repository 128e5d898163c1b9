#if Macros
    import DataMonk
    import Testing

    /// A child's fetches over what its parents have not saved.
    @Suite struct `Fetching in a child` {
        private func request(_ condition: Condition? = nil) -> FetchRequest {
            var request = FetchRequest(entityName: "Employee", condition: condition)
            request.sortTerms = [SortTerm("age"), SortTerm("name")]
            return request
        }

        private func names(_ request: FetchRequest, _ context: ManagedObjectContext) throws -> [String] {
            try context.fetch(request).map { object in
                #expect(object.managedObjectContext === context)
                return (object as? Office.Employee)?.name ?? ""
            }
        }

        private func find(_ name: String, _ context: ManagedObjectContext) throws -> Office.Employee {
            try #require(
                try context.fetch(request(.compare("name", .equal, .string(name)))).first as? Office.Employee)
        }

        /// e0 to e9 in the store, their numbers as ages.
        private func makeFamily(_ kind: StoreKind, depth: Int) throws -> Family {
            let family = try Family(kind, depth: depth)
            let writing = family.office.newContext()
            for number in 0..<10 { try writing.employee("e\(number)").age = number }
            try writing.save()
            return family
        }

        @Test(arguments: StoreKind.allCases)
        func `rows fall in and out at every level`(_ kind: StoreKind) throws {
            let family = try makeFamily(kind, depth: 2)
            let (root, middle, child) = (family.root, family.contexts[1], family.child)
            let old = request(.compare("age", .greaterThanOrEqual, 8))
            try find("e9", root).age = 1
            try find("e2", middle).age = 50
            try child.employee("new").age = 8
            #expect(try names(old, root) == ["e8"])
            #expect(try names(old, middle) == ["e8", "e2"])
            #expect(try names(old, child) == ["e8", "new", "e2"])
            middle.delete(try find("e8", middle))
            try find("e9", child).age = 9
            #expect(try names(old, child) == ["new", "e9", "e2"])
            #expect(try child.count(old) == 3)
            #expect(try child.objectIDs(old) == child.fetch(old).map(\.anyObjectID))
        }

        @Test(arguments: StoreKind.allCases)
        func `limit and offset are exact over every level`(_ kind: StoreKind) throws {
            let family = try makeFamily(kind, depth: 2)
            try find("e0", family.root).age = 100
            family.contexts[1].delete(try find("e1", family.contexts[1]))
            try family.contexts[1].employee("middle").age = 4
            try family.child.employee("new").age = 3
            let expected = ["e2", "e3", "new", "e4", "middle", "e5", "e6", "e7", "e8", "e9", "e0"]
            for offset in 0..<12 {
                for limit in 0..<13 {
                    var request = request()
                    request.fetchLimit = limit
                    request.fetchOffset = offset
                    let page = expected.dropFirst(offset).prefix(limit == 0 ? 100 : limit)
                    #expect(try names(request, family.child) == Array(page), "limit \(limit), offset \(offset)")
                    #expect(try family.child.count(request) == page.count)
                }
            }
        }

        @Test(arguments: StoreKind.allCases)
        func `without pending changes the members are the store's, the values the context's`(_ kind: StoreKind) throws {
            let family = try makeFamily(kind, depth: 2)
            try find("e3", family.root).age = 4
            _ = try family.contexts[1].employee("new")
            family.root.delete(try find("e5", family.root))
            var request = request(.compare("age", .equal, 3))
            request.includesPendingChanges = false
            #expect(try names(request, family.child) == ["e3"])
            #expect(try find("e3", family.child).age == 4)
            request = self.request()
            request.includesPendingChanges = false
            #expect(try family.child.count(request) == 10)
            #expect(try family.child.fetch(request).count == 10)
        }

        @Test func `rows of values never have pending changes`() throws {
            let family = try makeFamily(.file, depth: 1)
            try find("e3", family.root).age = 1_000
            var request = FetchRequest(entityName: "Employee")
            request.resultType = .dictionaries
            request.propertiesToFetch = [.init(.count, of: "age")]
            request.condition = .compare("age", .greaterThan, 100)
            #expect(try family.child.values(request) == [[.int(0)]])
        }

        @Test
        func `an unsaved change of the parent is found by its new value, and the child's stale object keeps its own`()
            throws
        {
            let family = try makeFamily(.memory, depth: 1)
            let own = try find("e3", family.child)
            try find("e3", family.root).age = 77
            let found = try family.child.fetch(request(.compare("age", .equal, 77)))
            #expect(found == [own])
            #expect(own.age == 3)
            try family.child.refresh(own, mergeChanges: false)
            #expect(own.age == 77)
        }

        @Test func `sub-entities that are not asked for stay out of the overlay`() throws {
            let family = try Family(depth: 1)
            _ = try family.root.insert(Office.Castle.self)
            _ = try family.root.insert(Office.Tower.self)
            var request = FetchRequest(entityName: "Tower")
            #expect(try family.child.count(request) == 2)
            request.includesSubentities = false
            #expect(try family.child.count(request) == 1)
        }
    }
#endif
