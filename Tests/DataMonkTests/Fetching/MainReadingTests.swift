#if Macros
    import DataMonk
    import Testing

    /// The reading calls that the main context and a draft share.
    @Suite @MainActor struct `Reading on the main actor` {
        private let World: MainContext

        init() async throws {
            let stack = try Stack(Office.Employee.self, Office.Diary.self)
            try stack.addInMemoryStore()
            World = try MainContext(stack: stack)
            try await World.update { update in
                for name in ["Abbot", "Monk"] { try update.create(Office.Employee.self).name = name }
                try update.commit()
            }
        }

        /// The names that each call finds, in order.
        private func names(in source: some MainReading) throws -> [[String]] {
            let ids = try source.fetchAllID(Office.Employee.self, orderBy: .Ascending("name"))
            let first = try source.fetchID(Office.Employee.self) { $0.name == "Monk" }
            return [
                try source.fetchAll(Office.Employee.self, orderBy: .Ascending("name")).map(\.name),
                try source.fetchAll(Office.Employee.self, orderBy: .ascending(\.name)).map(\.name),
                try source.fetchBatched(Office.Employee.self, orderBy: .Ascending("name"), options: .Batch(1))
                    .map(\.name),
                try source.use(ids).map(\.name),
                try source.fetch(Office.Employee.self, ids).map(\.name),
                try source.use(ids.map(\.erased)).compactMap { ($0 as? Office.Employee)?.name },
                try source.fetchAll(entityName: "Employee").compactMap { ($0 as? Office.Employee)?.name }.sorted(),
                [try source.fetch(Office.Employee.self, first).name],
            ]
        }

        @Test func `finds the same by every call`() throws {
            #expect(try names(in: World) == Array(repeating: ["Abbot", "Monk"], count: 7) + [["Monk"]])
            #expect(try names(in: World.draft()) == names(in: World))
            #expect(try World.draft().queryValue(Office.Employee.self, .Max("name"), as: String.self) == "Monk")
            let explanation = try World.draft().explain(Office.Employee.self, %"name" == "Monk").description
            #expect(try explanation == World.explain(Office.Employee.self, %"name" == "Monk").description)
        }

        @Test func `of a draft includes its unsaved changes`() throws {
            let draft = World.draft()
            try draft.fetch(Office.Employee.self, %"name" == "Abbot").name = "Brother"
            #expect(try names(in: draft) == Array(repeating: ["Brother", "Monk"], count: 7) + [["Monk"]])
            #expect(try names(in: World)[0] == ["Abbot", "Monk"])
            #expect(try draft.count(entityName: "Employee", %"name" == "Brother") == 1)
        }
    }
#endif
