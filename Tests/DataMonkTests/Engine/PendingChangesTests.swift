#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Unsaved changes lie over what a fetch finds in the store, both ways.
    @Suite struct `Unsaved changes in fetches` {
        private let office: OfficeStack
        private let context: ManagedObjectContext

        init() throws {
            office = try OfficeStack(.file)
            let writing = office.newContext()
            for number in 0..<10 { try writing.employee("e\(number)").age = number }
            try writing.save()
            context = office.newContext()
        }

        private func request(_ condition: Condition? = nil, by keyPath: String = "age") -> FetchRequest {
            var request = FetchRequest(entityName: "Employee", condition: condition)
            request.sortTerms = [SortTerm(keyPath)]
            return request
        }

        private func names(_ request: FetchRequest) throws -> [String] {
            try context.fetch(request).compactMap { ($0 as? Office.Employee)?.name }
        }

        private func employee(_ name: String) throws -> Office.Employee {
            try #require(
                try context.fetch(
                    FetchRequest(entityName: "Employee", condition: .compare("name", .equal, .string(name)))
                )
                .first as? Office.Employee)
        }

        @Test func `rows fall in and out`() throws {
            let old = request(.compare("age", .greaterThanOrEqual, 8))
            try employee("e9").age = 1
            try employee("e2").age = 50
            #expect(try names(old) == ["e8", "e2"])
            try context.employee("new").age = 8
            context.delete(try employee("e8"))
            #expect(try names(old) == ["new", "e2"])
            #expect(try context.count(old) == 2)
            #expect(try context.objectIDs(old) == context.fetch(old).map(\.anyObjectID))
        }

        @Test func `changed objects are sorted in`() throws {
            try employee("e9").age = -1
            try context.employee("new").age = 5
            #expect(try names(request()) == ["e9", "e0", "e1", "e2", "e3", "e4", "e5", "new", "e6", "e7", "e8"])
        }

        @Test func `limit and offset are exact`() throws {
            try employee("e0").age = 100
            context.delete(try employee("e1"))
            try context.employee("new").age = 3
            let expected = ["e2", "e3", "new", "e4", "e5", "e6", "e7", "e8", "e9", "e0"]
            for offset in 0..<11 {
                for limit in 0..<12 {
                    var request = request()
                    request.fetchLimit = limit
                    request.fetchOffset = offset
                    let page = expected.dropFirst(offset).prefix(limit == 0 ? 100 : limit)
                    let found = try names(request)
                    #expect(found == Array(page), "limit \(limit), offset \(offset)")
                    #expect(try context.count(request) == page.count)
                }
            }
        }

        @Test func `without pending changes the members are the store's, the values the context's`() throws {
            var request = request(.compare("age", .equal, 3))
            request.includesPendingChanges = false
            try employee("e3").age = 4
            _ = try context.employee("new")
            #expect(try names(request) == ["e3"])
            #expect(try employee("e3").age == 4)
            #expect(try context.count(request) == 1)
        }

        @Test func `rows of values never have pending changes`() throws {
            try employee("e3").age = 1_000
            var request = FetchRequest(entityName: "Employee")
            request.resultType = .dictionaries
            request.propertiesToFetch = [.init(.sum, of: "age")]
            #expect(try context.values(request) == [[.int(45)]] || context.values(request) == [[.decimal(45)]])
        }

        @Test func `a condition over an unsaved relationship sees it`() throws {
            let department = try context.department("kitchen")
            try employee("e3").department = department
            #expect(try names(request(.compare("department.name", .equal, "kitchen"))) == ["e3"])
            #expect(try names(request(.compare("department", .equal, .object(department.anyObjectID)))) == ["e3"])
        }

        @Test func `random changes find what a plain filter finds`() throws {
            for seed in UInt64(1)...20 {
                context.reset()
                var random = SeededGenerator(seed: seed)
                let all = try context.all(Office.Employee.self)
                for employee in all where Bool.random(using: &random) {
                    if Int.random(in: 0..<4, using: &random) == 0 {
                        context.delete(employee)
                    } else {
                        employee.age = Int.random(in: 0..<12, using: &random)
                    }
                }
                for number in 0..<Int.random(in: 0..<4, using: &random) {
                    try context.employee("new\(number)").age = Int.random(in: 0..<12, using: &random)
                }
                let bound = Int.random(in: 0..<12, using: &random)
                var request = request(.compare("age", .lessThan, .int(Int64(bound))))
                request.sortTerms = [SortTerm("age", ascending: Bool.random(using: &random)), SortTerm("name")]
                request.fetchLimit = Int.random(in: 0..<8, using: &random)
                request.fetchOffset = Int.random(in: 0..<4, using: &random)
                let living = (all + context.insertedObjects.compactMap { $0 as? Office.Employee }).filter {
                    !$0.isDeleted
                }
                let sorted = living.filter { $0.age < bound }.sorted { left, right in
                    if left.age == right.age { return left.name < right.name }
                    return request.sortTerms[0].ascending ? left.age < right.age : left.age > right.age
                }
                let page = sorted.dropFirst(request.fetchOffset)
                    .prefix(request.fetchLimit == 0 ? 100 : request.fetchLimit)
                #expect(try names(request) == page.map(\.name), "seed \(seed)")
            }
        }
    }
#endif
