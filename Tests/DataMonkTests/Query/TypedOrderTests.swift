#if Macros
    import DataMonk
    import Testing

    @Suite("Orders with typed keys") @MainActor struct TypedOrderTests {
        private static let byName = ["Bo", "Chan", "Wei", "Émile"]

        @Test func `every call that takes a named order takes a typed one`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let byAge: TypedOrder<Abbey.Monk> = .descending(\.age) | .ascending(\.name)
                let names = ["Wei", "Bo", "Chan", "Émile"]
                let ids = try World.fetchAllID(Abbey.Monk.self, orderBy: .Descending("age") | .Ascending("name"))
                #expect(try World.fetchAll(Abbey.Monk.self, orderBy: byAge).map(\.name) == names)
                #expect(try World.fetch(Abbey.Monk.self, orderBy: byAge).name == "Wei")
                #expect(try World.fetch(Abbey.Monk.self, %"age" < 60, orderBy: byAge).name == "Bo")
                #expect(try World.fetchID(Abbey.Monk.self, orderBy: byAge) == ids[0])
                #expect(try World.fetchAllID(Abbey.Monk.self, orderBy: byAge) == ids)
                let batched = try World.fetchBatched(Abbey.Monk.self, orderBy: byAge, options: .Batch(2))
                #expect(batched.map(\.name) == names)
                let grown = try World.fetchBatched(Abbey.Monk.self, orderBy: byAge, options: .Batch(2)) { $0.age > 18 }
                #expect(grown.map(\.name) == ["Wei", "Bo", "Chan"])
                #expect(try await World.fetchAsynchronously(Abbey.Monk.self, orderBy: byAge).map(\.name) == names)
                let some = try await World.fetchAsynchronously(Abbey.Monk.self, orderBy: byAge) { $0.age < 60 }
                #expect(some.map(\.name) == ["Bo", "Chan", "Émile"])
                #expect(try World.fetchAll(Abbey.Monk.self).sorted(using: byAge).map(\.name) == names)
            }
        }

        @Test func `a property may name its class`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let named = try World.fetchAll(Abbey.Monk.self, orderBy: .ascending(\Abbey.Monk.name)).map(\.name)
                #expect(named == Self.byName)
                let ids = try World.fetchAllID(
                    Abbey.Monk.self, orderBy: .ascending(\Abbey.Monk.nick) | .descending(\.teacher.age))
                #expect(
                    try ids
                        == World.fetchAllID(
                            Abbey.Monk.self, orderBy: .Ascending("nick") | .Descending("teacher.age")))
                let terms = TypedOrder<Abbey.Monk>.descending(\Abbey.Monk.name, comparator: .caseInsensitive).terms
                #expect(terms == [SortTerm("name", ascending: false, comparator: .caseInsensitive)])
            }
        }

        @Test func `explanations are those of names`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let named = try World.explain(Abbey.Monk.self, %"age" > 18, orderBy: .Ascending("name")).description
                let query: Query = %"age" > 18
                #expect(try World.explain(Abbey.Monk.self, query, orderBy: .ascending(\.name)).description == named)
                #expect(
                    try World.explain(Abbey.Monk.self, orderBy: .ascending(\.name)) { $0.age > 18 }.description == named
                )
            }
        }

        @Test func `what has no key is refused`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                for order in [
                    TypedOrder<Abbey.Monk>.ascending(\.isGrown), .ascending(\Abbey.Monk.isGrown),
                    .ascending(\Abbey.Monk.teacher?.name),
                ] {
                    let error = #expect(throws: FetchError.self) { try World.fetchAll(Abbey.Monk.self, orderBy: order) }
                    #expect(error?.code == .unknownKey)
                }
            }
        }
    }
#endif
