#if Macros
    import DataMonk
    import Testing

    @Suite("Lists with typed keys") @MainActor struct TypedResultsTests {
        /// The names of the sections, each with its objects.
        private func contents(of list: FetchedResults<Abbey.Monk>) -> [[String]] {
            list.sections.map { section in [section.name] + section.map(\.name) }
        }

        @Test func `sections by a key path are those by its name`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let named = try World.fetchedResults(
                    Abbey.Monk.self, orderBy: .Ascending("rank") | .Ascending("name"), sectionBy: %"rank")
                let typed = try World.fetchedResults(
                    Abbey.Monk.self, orderBy: .ascending(\.rank) | .ascending(\.name), sectionBy: \.rank)
                #expect(contents(of: typed) == [["0", "Émile"], ["1", "Bo", "Chan"], ["2", "Wei"]])
                #expect(contents(of: typed) == contents(of: named))
                let grown = try World.fetchedResults(
                    Abbey.Monk.self, %"age" > 18, orderBy: .ascending(\.rank), sectionBy: \.rank)
                #expect(grown.sections.map(\.name) == ["1", "2"])
            }
        }

        @Test func `conditions, and sections over a relationship`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let pupils = try World.fetchedResults(
                    Abbey.Monk.self, orderBy: .ascending(\.teacher.name) | .ascending(\.name), sectionBy: \.teacher.name
                ) { $0.age < 60 }
                #expect(contents(of: pupils) == [["", "Chan"], ["Wei", "Bo", "Émile"]])
                let plain = try World.fetchedResults(Abbey.Monk.self, orderBy: .descending(\.name)) { $0.age == 30 }
                #expect(contents(of: plain) == [["", "Chan", "Bo"]])
            }
        }

        @Test func `the list follows commits`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let list = try World.fetchedResults(
                    Abbey.Monk.self, orderBy: .ascending(\.age) | .ascending(\.name), sectionBy: \.age
                ) { $0.age >= 18 }
                var changes = list.changes.makeAsyncIterator()
                try await World.update { update in
                    _ = try update.batchUpdate(Abbey.Monk.self, set: [.set(\.age) { $0.age + 1 }]) { $0.age < 60 }
                }
                #expect(await changes.next() != nil)
                #expect(contents(of: list) == [["18", "Émile"], ["31", "Bo", "Chan"], ["60", "Wei"]])
            }
        }

        @Test func `an order that splits the sections is refused`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                #expect(throws: FetchError.self) {
                    try World.fetchedResults(Abbey.Monk.self, orderBy: .ascending(\.name), sectionBy: \.rank)
                }
                #expect(throws: FetchError.self) {
                    try World.fetchedResults(Abbey.Monk.self, orderBy: .ascending(\.isGrown), sectionBy: \.isGrown)
                }
            }
        }
    }
#endif
