#if Macros
    import DataMonk
    import Testing

    enum Mailbox {
        struct Draft {
            var text = ""
        }

        static func send(_ draft: Draft) -> String { draft.text }

        @MainActor static func save(_ draft: DataMonk.Draft) async throws { try await draft.commit() }
    }

    @Suite @MainActor struct NamesTests {
        @Test func `a type of one's own beside ours`() async throws {
            let World = try await Village().world
            let draft = World.draft()
            try draft.fetch(Person.self, %"name" == "Monk").name = "Abbot"
            try await Mailbox.save(draft)
            #expect(try World.exists(Person.self, %"name" == "Abbot"))
            #expect(Mailbox.send(Mailbox.Draft(text: "Come home")) == "Come home")
        }

        @Test func `both spellings of an order`() async throws {
            let World = try await Village().world
            let byString = try World.fetchAll(Person.self, orderBy: .Ascending("name") | .Descending("age"))
            let byKeyPath = try World.fetchAll(Person.self, orderBy: .ascending(\.name) | .descending(\.age))
            #expect(byString == byKeyPath && byString.count == 4)
        }
    }
#endif
