#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Requests at the edges of what numbers, lists and texts can be: an answer or a typed error, never a trap.
    @Suite struct `Requests at the edges` {
        private let office: OfficeStack
        private let context: ManagedObjectContext

        init() throws {
            office = try OfficeStack(.file)
            context = office.newContext()
            for number in 0..<10 { try context.employee("e\(number)").age = number }
            try context.save()
        }

        @Test(arguments: [false, true]) func `limits and offsets of any size`(hasPendingChanges: Bool) throws {
            if hasPendingChanges { _ = try context.employee("pending") }
            let all = hasPendingChanges ? 11 : 10
            let numbers = [Int.min, -1, 0, 1, 3, 100, Int.max - 1, Int.max]
            for limit in numbers {
                for offset in numbers {
                    var request = FetchRequest(entityName: "Employee")
                    (request.fetchLimit, request.fetchOffset) = (limit, offset)
                    do {
                        let left = max(0, all - max(0, offset))
                        let expected = limit <= 0 ? left : min(left, limit)
                        #expect(try context.fetch(request).count == expected, "limit \(limit), offset \(offset)")
                        #expect(try context.count(request) == expected, "limit \(limit), offset \(offset)")
                    } catch let error as FetchError {
                        #expect(error.code == .invalidRequest && (limit < 0 || offset < 0))
                    }
                }
            }
        }

        @Test func `data of lists in lists`() throws {
            var data: ManagedValue = ["size": 1]
            for _ in 0..<1_000 { data = [data] }
            let error = #expect(throws: FetchError.self) {
                try Condition(format: "ANY parts.size == 1").evaluate(with: ["parts": data])
            }
            #expect(error?.message.contains("levels deep") == true)
        }

        @Test func `requests with deep expressions, as text`() {
            var expression = ConditionExpression.keyPath("age")
            for _ in 0..<5_000 { expression = expression + 1 }
            let request = BatchUpdateRequest(entityName: "Employee", propertiesToUpdate: ["age": expression])
            let text = "\(request)"
            #expect(text.contains("age + 1) + 1)"))
        }

        @Test func `long lists`() throws {
            let list = ManagedValue.list((0..<50_000).map { .int(Int64($0)) })
            let request = FetchRequest(entityName: "Employee", condition: .compare("age", .isIn, list))
            #expect(try answer(request) ?? 10 == 10)
        }

        @Test(arguments: [900, 20_000]) func `conditions of many parts`(count: Int) throws {
            let parts = (0..<count).map { Condition.compare("age", .equal, .int(Int64($0))) }
            #expect(try answer(FetchRequest(entityName: "Employee", condition: .or(parts))) ?? 10 == 10)
            let names = (0..<count).map { _ in Condition.compare("name", .notEqual, "nobody") }
            #expect(try answer(FetchRequest(entityName: "Employee", condition: .and(names))) ?? 10 == 10)
        }

        @Test(arguments: [50, 3_000]) func `deep conditions`(depth: Int) throws {
            var condition = Condition.compare("age", .greaterThanOrEqual, 0)
            for _ in 0..<depth { condition = .not(.or([.not(condition), .constant(false)])) }
            _ = try answer(FetchRequest(entityName: "Employee", condition: condition))
        }

        /// How many objects a request has, in memory and in the store; nil if it is refused with a typed error.
        private func answer(_ request: FetchRequest) throws -> Int? {
            do {
                return try context.fetch(request).count
            } catch is FetchError {
                return nil
            } catch is StoreError {
                return nil
            }
        }

        @Test func `many ids`() throws {
            let ids = try context.objectIDs(FetchRequest(entityName: "Employee"))
            let many = (0..<5_000).flatMap { _ in ids }
            #expect(try office.newContext().objects(with: many).count == 50_000)
        }

        @Test func `URIs of other kinds are of no object`() throws {
            let monk = try #require(try context.all(Office.Employee.self).first)
            let good = monk.objectID.uri.absoluteString
            #expect(office.stack.objectID(forURI: monk.objectID.uri) == monk.anyObjectID)
            let host = try #require(monk.objectID.uri.host)
            let bad = [
                "https://example.org", "x-coredata://", "x-coredata:///Employee/t1", "x-coredata://\(host)/Employee",
                "x-coredata://\(host)/Nobody/p1", "x-coredata://\(host)/Employee/p0",
                "x-coredata://\(host)/Employee/p-1",
                "x-coredata://\(host)/Employee/p99999999999999999999", "x-coredata://\(host)/Employee/1",
                "x-coredata://\(host)/Employee/p70368744177664", "x-coredata://\(UUID())/Employee/p1", good + "/p1",
            ]
            for text in bad {
                let uri = try #require(URL(string: text))
                #expect(office.stack.objectID(forURI: uri) == nil, "\(text)")
            }
        }

        @Test func `an id of an object that never was is told as not found`() throws {
            let monk = try #require(try context.all(Office.Employee.self).first)
            let text = monk.objectID.uri.absoluteString.replacing(/p\d+$/, with: "p70368744177663")
            let uri = try #require(URL(string: text))
            let id = try #require(office.stack.objectID(forURI: uri))
            let error = try #require(throws: FetchError.self) { try context.existingObject(with: id) }
            #expect(error.code == .objectNotFound)
        }

        @Test func `texts of any kind are values, never SQL`() throws {
            for text in ["'; DROP TABLE ZEMPLOYEE; --", "%", "_", "\\", "*", "?", "\0", "\u{1F469}\u{200D}\u{1F680}"] {
                let employee = try context.employee(text)
                try context.save()
                for operation in [Condition.Comparison.Operator.equal, .contains, .beginsWith, .endsWith] {
                    let request = FetchRequest(
                        entityName: "Employee", condition: .compare("name", operation, .string(text)))
                    #expect(try office.newContext().fetch(request).count == 1, "\(operation) \(text.debugDescription)")
                }
                context.delete(employee)
                try context.save()
            }
            #expect(try context.count(FetchRequest(entityName: "Employee")) == 10)
        }
    }
#endif
