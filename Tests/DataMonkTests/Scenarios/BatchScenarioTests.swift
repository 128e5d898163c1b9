#if Macros
    import DataMonk
    import Testing

    /// What Core Data was observed to do with batch requests.
    @Suite struct `Scenarios of batch requests` {
        @Test(.scenario("scn/batch/001"), arguments: StoreKind.allCases)
        func `three dictionaries are three rows with defaults, and no context knows of them`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            var request = BatchInsertRequest(
                entityName: "Employee", objects: [["name": "a", "age": 3], ["name": "b"], ["age": 5]])
            request.resultType = .objectIDs
            let result = try context.execute(request)
            #expect(result.count == 3)
            #expect(!context.hasChanges && context.insertedObjects.isEmpty && context.registeredObjects.isEmpty)
            let ids = try #require(result.objectIDs)
            #expect(ids.allSatisfy { !$0.isTemporaryID })
            let objects = try office.newContext().objects(with: ids)
            #expect(objects.compactMap { ($0 as? Office.Employee)?.name } == ["a", "b", ""])
            #expect(objects.compactMap { ($0 as? Office.Employee)?.age } == [3, 0, 5])
        }

        @Test(.scenario("scn/batch/002"), arguments: StoreKind.allCases)
        func `a handler that returns true stops, and its dictionary is not inserted`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            var calls = 0
            let request = BatchInsertRequest(entityName: "Employee") { values in
                #expect(values.isEmpty)
                calls += 1
                values["name"] = .string("\(calls)")
                return calls == 3
            }
            #expect(try office.newContext().execute(request).count == 2)
            #expect(Set(try office.newContext().all(Office.Employee.self).map(\.name)) == ["1", "2"])
        }

        @Test(.scenario("scn/batch/003"), arguments: StoreKind.allCases)
        func `a loaded object is stale after a batch update, until it is refreshed`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let monk = try context.employee("Monk")
            try context.save()
            try context.execute(BatchUpdateRequest(entityName: "Employee", propertiesToUpdate: ["name": "Knight"]))
            #expect(monk.name == "Monk" && !context.hasChanges)
            #expect(try office.newContext().all(Office.Employee.self).map(\.name) == ["Knight"])
            try context.refresh(monk, mergeChanges: false)
            #expect(monk.name == "Knight")
        }

        @Test(.scenario("scn/batch/005"), arguments: StoreKind.allCases)
        func `a missing mandatory value and a duplicate throw, and nothing is inserted`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let missing = try #require(throws: SaveError.self) {
                try context.execute(
                    BatchInsertRequest(entityName: "Project", objects: [["name": "without department"]]))
            }
            #expect(missing.code.rawValue == 1570)
            let duplicate = try #require(throws: SaveError.self) {
                try context.execute(BatchInsertRequest(entityName: "Badge", objects: [["code": "1"], ["code": "1"]]))
            }
            #expect(duplicate.code == .constraintConflict)
            #expect(try office.newContext().all(Office.Project.self).isEmpty)
            #expect(try office.newContext().all(Office.Badge.self).isEmpty)
        }

        @Test(.scenario("scn/batch/006"), arguments: StoreKind.allCases)
        func `a batch delete without sub-entities leaves their rows`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            try context.execute(BatchInsertRequest(entityName: "Tower", objects: [[:], [:]]))
            try context.execute(BatchInsertRequest(entityName: "Castle", objects: [[:]]))
            var towers = FetchRequest(entityName: "Tower")
            towers.includesSubentities = false
            #expect(try context.execute(BatchDeleteRequest(fetchRequest: towers)).count == 2)
            let left = try office.newContext().all(Office.Tower.self)
            #expect(left.count == 1 && left.allSatisfy { $0 is Office.Castle })
        }

        /// Core Data lets it pass and leaves broken rows.
        @Test(.scenario("scn/batch/007"), arguments: StoreKind.allCases)
        func `a batch update that empties a mandatory property is refused`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            _ = try context.employee("Monk")
            try context.save()
            for nothing in [ConditionExpression.value(.null), .keyPath("note")] {
                let error = try #require(throws: SaveError.self) {
                    try context.execute(
                        BatchUpdateRequest(entityName: "Employee", propertiesToUpdate: ["name": nothing]))
                }
                #expect(error.code.rawValue == 1570)
            }
            #expect(try office.newContext().all(Office.Employee.self).map(\.name) == ["Monk"])
        }
    }
#endif
