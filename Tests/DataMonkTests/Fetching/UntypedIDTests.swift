#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Ids as commits and URIs bring them: without a class.
    @Suite @MainActor struct `An id without its class` {
        private let World: MainContext
        private let id: AnyObjectID

        init() async throws {
            let stack = try Stack(Office.Employee.self, Office.Diary.self)
            try stack.addInMemoryStore()
            World = try MainContext(stack: stack)
            let uri = try await World.update { update in
                let monk = try update.create(Office.Employee.self)
                monk.name = "Monk"
                try update.commit()
                return monk.objectID.uri
            }
            id = try #require(stack.objectID(forURI: uri))
        }

        @Test func `finds its object in the main context, a draft, a read and an update`() async throws {
            #expect(try World.use(id) === World.fetch(Office.Employee.self, id))
            #expect(try World.use([id, id]).count == 2)
            #expect(try World.fetch(Office.Employee.self, [id]).map(\.name) == ["Monk"])
            let draft = World.draft()
            #expect(try draft.use(id).anyObjectID == id && draft.use([id]).count == 1)
            let id = id
            let names = try await World.read { reader in
                [try reader.fetch(Office.Employee.self, id).name]
                    + (try reader.fetch(Office.Employee.self, [id]).map(\.name))
            }
            #expect(names == ["Monk", "Monk"])
            try await World.update { update in
                #expect(try update.use(id) is Office.Employee)
                try update.delete(id)
                try update.commit()
                try update.delete([id])
                #expect(throws: FetchError.self) { try update.use([id]) }
                #expect(try update.fetch(Office.Employee.self, [id]).isEmpty)
            }
            #expect(try World.count(Office.Employee.self) == 0)
        }

        @Test func `is given one that its object has`() throws {
            let typed = try ObjectID(id, as: Office.Employee.self)
            #expect(typed.erased == id)
            #expect(try World.use(typed).name == "Monk")
            #expect(try ObjectID(id, as: ManagedObject.self).erased == id)
            let error = #expect(throws: FetchError.self) { try ObjectID(id, as: Office.Diary.self) }
            #expect(error?.code == .wrongClass)
            let wrong = #expect(throws: FetchError.self) { try World.fetch(Office.Diary.self, [id]) }
            #expect(wrong?.code == .wrongClass)
        }

        @Test func `of another stack is refused`() async throws {
            let other = try Stack(Office.Employee.self)
            try other.addInMemoryStore()
            let Other = try MainContext(stack: other)
            let error = #expect(throws: FetchError.self) { try Other.use(id) }
            #expect(error?.code == .foreignID)
            #expect(throws: FetchError.self) { try Other.fetch(Office.Employee.self, [id]) }
        }
    }
#endif
