#if Macros
    import DataMonk
    import Testing

    @Suite struct `Access by key path` {
        private let office: OfficeStack
        private let context: ManagedObjectContext
        private let monk: Office.Employee

        init() throws {
            office = try OfficeStack(.file)
            let writing = office.newContext()
            let monk = try writing.employee("Monk")
            monk.department = try writing.department("kitchen")
            for (name, age) in [("a", 20), ("b", 30), ("b", 31)] {
                let friend = try writing.employee(name)
                friend.age = age
                if age == 20 { friend.department = monk.department }
                friend.note = age == 31 ? "tall" : nil
                monk.friends.insert(friend)
            }
            try writing.save()
            context = office.newContext()
            self.monk = try context.own(monk)
        }

        /// The elements of a list, in an order of their own.
        private func elements(_ keyPath: String) throws -> [String] {
            guard case .list(let values) = try monk.value(forKeyPath: keyPath) else { return ["no list"] }
            return values.map { "\($0)" }.sorted()
        }

        private func texts(_ values: [ManagedValue]) -> [String] { values.map { "\($0)" }.sorted() }

        @Test func `values are read and written across to-ones`() throws {
            #expect(try monk.value(forKeyPath: "name") == "Monk")
            #expect(try monk.value(forKeyPath: "department.name") == "kitchen")
            let department = try #require(monk.department)
            #expect(try monk.value(forKeyPath: "department") == .object(department.anyObjectID))
            try monk.setValue("hall", forKeyPath: "department.name")
            try monk.setValue(18, forKeyPath: "age")
            #expect(department.name == "hall" && monk.age == 18)
            try monk.setValue(nil, forKeyPath: "department")
            #expect(monk.department == nil && department.name == "hall")
        }

        @Test func `nil on the way is nil, and refuses to be written through`() throws {
            monk.department = nil
            #expect(try monk.value(forKeyPath: "department.name") == .null)
            #expect(try monk.value(forKeyPath: "manager.department.name") == .null)
            let error = try #require(throws: FetchError.self) {
                try monk.setValue("hall", forKeyPath: "department.name")
            }
            #expect(error.code == .objectNotFound && error.keyPath == "department.name")
        }

        @Test func `across a to-many there is a value for each object`() throws {
            #expect(try elements("friends.name") == texts(["a", "b", "b"]))
            #expect(try elements("friends.note") == texts(["tall", .null, .null]))
            #expect(try elements("friends.department.name") == texts(["kitchen", .null, .null]))
            #expect(try elements("department.employees.age") == texts([0, 20]))
            #expect(try elements("friends") == texts(monk.friends.map { .object($0.anyObjectID) }))
        }

        @Test func `operators yield what they yield in conditions`() throws {
            let figures: [(String, ManagedValue)] = [
                ("friends.@count", 3), ("friends.@sum.age", 81), ("friends.@avg.age", .double(27)),
                ("friends.@min.age", 20), ("friends.@max.name", "b"), ("department.employees.@count", 2),
            ]
            for (keyPath, figure) in figures {
                #expect(try monk.value(forKeyPath: keyPath) == figure, "\(keyPath)")
                let request = FetchRequest(
                    entityName: "Employee", condition: .compare(keyPath, .equal, figure))
                #expect(try context.fetch(request).contains(monk), "\(keyPath)")
            }
            monk.friends = []
            #expect(try monk.value(forKeyPath: "friends.@sum.age") == 0)
            #expect(try monk.value(forKeyPath: "friends.@avg.age") == .null)
            #expect(try monk.value(forKeyPath: "friends.@count") == 0)
        }

        @Test func `unions leave nil out, and distinct ones what is the same`() throws {
            #expect(try elements("friends.@unionOfObjects.name") == texts(["a", "b", "b"]))
            #expect(try elements("friends.@distinctUnionOfObjects.name") == texts(["a", "b"]))
            #expect(try elements("friends.@distinctUnionOfObjects.note") == texts(["tall"]))
            #expect(try elements("friends.@unionOfObjects.department.name") == texts(["kitchen"]))
            monk.friends = []
            #expect(try monk.value(forKeyPath: "friends.@distinctUnionOfObjects.name") == .list([]))
        }

        @Test(arguments: [
            ("department.nam", FetchError.Code.unknownKey), ("friends.@count.age", .invalidKeyPath),
            ("department.@count", .invalidKeyPath), ("friends.@sum.name", .notComparable),
            ("name.length", .invalidKeyPath),
            ("name.@unionOfObjects.age", .invalidKeyPath), ("friends.@unionOfObjects", .invalidKeyPath),
            ("friends.@unionOfObjects.@count", .invalidKeyPath),
            ("friends.@distinctUnionOfObjects.@sum.age", .invalidKeyPath),
            ("@count", .invalidKeyPath), ("", .unknownKey),
        ])
        func `paths that lead nowhere are refused`(keyPath: String, code: FetchError.Code) throws {
            let reading = try #require(throws: FetchError.self) { try monk.value(forKeyPath: keyPath) }
            #expect(reading.code == code, "\(reading.message)")
        }

        @Test(arguments: ["friends.name", "friends", "friends.@count", "self", "entity", "department.nam"])
        func `what has no single place is not written`(keyPath: String) throws {
            #expect(throws: FetchError.self) { try monk.setValue(nil, forKeyPath: keyPath) }
            #expect(!context.hasChanges)
        }
    }
#endif
