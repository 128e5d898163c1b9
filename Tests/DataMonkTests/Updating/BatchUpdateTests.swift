#if Macros
    import DataMonk
    import Testing

    @MainActor @Suite struct `Batches of an update` {
        @Test func `run at once, and the update's and the main context's objects show them`() async throws {
            let stack = try Stack(Person.self)
            try stack.addInMemoryStore()
            let World = try MainContext(stack: stack)
            try await World.update { update in
                #expect(try update.batchInsert(Person.self, [["name": "Monk", "age": 3], ["name": "Knight"]]) == 2)
                let monk = try update.fetch(Person.self, %"name" == "Monk")
                #expect(try update.batchUpdate(Person.self, %"age" == 3, set: ["age": .keyPath("age") + 4]) == 1)
                #expect(monk.age == 7 && !update.hasChanges)
                var names = ["a", "b"].makeIterator()
                try update.batchInsert(Person.self) { person in
                    guard let name = names.next() else { return true }
                    person.name = name
                    return false
                }
                #expect(try update.batchDelete(Person.self, %"name" == "Knight") == 1)
                update.rollback()
            }
            let all = try World.fetchAll(Person.self, orderBy: .Ascending("name"))
            #expect(all.map(\.name) == ["Monk", "a", "b"])
        }
    }
#endif
