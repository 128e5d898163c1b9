#if Macros
    import DataMonk
    import DataMonkCore
    import Foundation
    import Testing

    /// Each row of the manual's tables: the string keys say what the format string beside them says.
    @Suite("The manual's tables") @MainActor struct ManualTableTests {
        /// Both spellings make the same condition, and find the same in both stores.
        private func expectSame(
            _ query: Query, _ format: String, _ arguments: [ManagedValue] = [], finds names: [String],
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            #expect(
                try query.condition == Condition(format: format, arguments: arguments), sourceLocation: sourceLocation)
            for (World, _) in try await Abbey.inEachStore() {
                #expect(try World.names(query) == names, sourceLocation: sourceLocation)
            }
        }

        // MARK: Keys

        @Test func `a key`() { #expect((%"name").keyPath == "name") }

        @Test func `a key with ANY`() async throws {
            try await expectSame(%"pupils.age"%.any < 18, "ANY pupils.age < 18", finds: ["Wei"])
        }

        @Test func `a key with ALL`() async throws {
            let names = ["Bo", "Chan", "Wei", "Émile"]
            try await expectSame(%"pupils.age"%.all < 60, "ALL pupils.age < 60", finds: names)
        }

        // MARK: Comparisons

        @Test func `a key and a value`() async throws {
            try await expectSame(%"name" == "Wei", "%K == %@", ["name", "Wei"], finds: ["Wei"])
        }

        @Test func `a key and a key`() async throws {
            try await expectSame(%"name" == %"nick", "%K == %K", ["name", "nick"], finds: ["Bo"])
        }

        @Test func `the other five operators, with a value`() async throws {
            try await expectSame(%"age" != 30, "age != 30", finds: ["Wei", "Émile"])
            try await expectSame(%"age" > 30, "age > 30", finds: ["Wei"])
            try await expectSame(%"age" < 30, "age < 30", finds: ["Émile"])
            try await expectSame(%"age" >= 30, "age >= 30", finds: ["Bo", "Chan", "Wei"])
            try await expectSame(%"age" <= 30, "age <= 30", finds: ["Bo", "Chan", "Émile"])
        }

        @Test func `the other five operators, with a key`() async throws {
            try await expectSame(%"name" != %"nick", "name != nick", finds: ["Chan", "Wei", "Émile"])
            try await expectSame(%"teacher.age" > %"age", "teacher.age > age", finds: ["Bo", "Émile"])
            try await expectSame(%"age" < %"teacher.age", "age < teacher.age", finds: ["Bo", "Émile"])
            try await expectSame(%"nick" >= %"name", "nick >= name", finds: ["Bo", "Wei"])
            try await expectSame(%"nick" <= %"name", "nick <= name", finds: ["Bo", "Émile"])
        }

        @Test func `a key and nil`() async throws {
            try await expectSame(%"nick" == nil, "nick == nil", finds: ["Chan"])
            try await expectSame(%"nick" != nil, "nick != nil", finds: ["Bo", "Wei", "Émile"])
        }

        @Test func `a format string`() async throws {
            try await expectSame(
                .Where("name LIKE %@", "*e*"), "name LIKE %@", ["*e*"], finds: ["Wei", "Émile"])
            try await expectSame(.Where("age IN %@", [17, 60]), "age IN {17, 60}", finds: ["Wei", "Émile"])
        }

        @Test func `a condition made elsewhere`() async throws {
            let condition = Condition.compare("age", .equal, 60)
            try await expectSame(.Predicate(condition), "age == 60", finds: ["Wei"])
        }

        // MARK: Joining

        @Test func `and, or, not`() async throws {
            let (name, age) = ("Bo", 20)
            try await expectSame(
                %"name" == name && %"age" > age, "name == %@ and age > %@", ["Bo", 20], finds: ["Bo"])
            try await expectSame(
                %"name" == name || %"name" == name + " sam", "name == %@ or name = %@", ["Bo", "Bo sam"], finds: ["Bo"])
            try await expectSame(
                !(%"name" == name && %"age" > age), "not (name == %@ and age > %@)", ["Bo", 20],
                finds: ["Chan", "Wei", "Émile"])
        }

        // MARK: Order

        @Test func `orders, and orders joined`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                @MainActor func names(_ order: OrderBy) throws -> [String] {
                    try World.fetchAll(Abbey.Monk.self, orderBy: order).map(\.name)
                }
                #expect(try names(.Ascending("name")) == ["Bo", "Chan", "Wei", "Émile"])
                #expect(try names(.Descending("name")) == ["Émile", "Wei", "Chan", "Bo"])
                #expect(try names(.Ascending("age") | .Descending("name")) == ["Émile", "Chan", "Bo", "Wei"])
                #expect(try names(.Sort(SortTerm("height"))) == ["Chan", "Émile", "Wei", "Bo"])
            }
        }

        // MARK: Selections

        @Test(arguments: [
            (Select.Average("age"), ManagedValue.decimal(Decimal(string: "34.25") ?? 0)), (.Sum("age"), .decimal(137)),
            (.Min("age"), .int(17)), (.Max("age"), .int(60)), (.Median("age"), .int(30)), (.Count("nick"), .int(3)),
            (.Expression(.init(.maximum, of: "name")), .string("Émile")),
        ])
        func `a figure`(select: Select, value: ManagedValue) async throws {
            for (World, _) in try await Abbey.inEachStore() {
                #expect(try World.queryValue(Abbey.Monk.self, select) == value)
            }
        }

        @Test func `the standard deviation`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let value = try World.queryValue(Abbey.Monk.self, .StdDev("age"), %"age" == 30 || %"age" == 60)
                let deviation = try #require(Double(managedValue: value))
                #expect(abs(deviation - 200.0.squareRoot()) < 1e-9)
            }
        }

        @Test func `columns joined, grouped, with a condition on groups`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let rows = try World.query(
                    Abbey.Monk.self, .Select("age") | .Average("height") | .Min("height", alias: "min_height"),
                    orderBy: .Descending("age"), groupBy: %"age", having: %"height" > 1.6)
                #expect(rows.map { $0["age"] } == [60, 30])
                #expect(rows.map { $0["min_height"] } == [1.7, 1.5])
                let pairs = try World.query(
                    Abbey.Monk.self, .Select("age", "rank") | .Count("self"), orderBy: .Ascending("age"),
                    groupBy: %"age" | %"rank")
                #expect(pairs.map { $0["self"] } == [1, 2, 1])
            }
        }
    }
#endif
