#if Macros
    import DataMonk
    import Testing

    /// Fetches during which objects change or are swept.
    @Suite struct `Changes during fetches` {
        private enum Desk {
            static let model = Result { try ManagedObjectModel(classes: [Drawer.self, Paper.self]) }

            @Entity final class Drawer: ManagedObject {
                var number: Int = 0
                @Relationship(inverse: \Paper.drawer) var papers: Set<Paper>
            }

            @Entity final class Paper: ManagedObject {
                var text: String = ""
                var readings: Int = 0
                var drawer: Drawer?

                override func awakeFromFetch() { readings += 1 }
            }
        }

        private let stack: Stack
        private let context: ManagedObjectContext

        init() throws {
            stack = Stack(model: try Desk.model.get())
            try stack.addInMemoryStore()
            let writer = ManagedObjectContext(coordinator: stack.coordinator)
            let drawer = try writer.insert(Desk.Drawer.self)
            for text in ["a", "a", "b"] {
                let paper = try writer.insert(Desk.Paper.self)
                paper.text = text
                paper.drawer = drawer
            }
            try writer.save()
            context = ManagedObjectContext(coordinator: stack.coordinator)
        }

        @Test func `objects that change when they awake are found beside unsaved ones`() throws {
            try context.insert(Desk.Paper.self).text = "a"
            #expect(try context.fetch(FetchRequest(entityName: "Paper")).count == 4)
        }

        @Test func `objects that change when they awake are found by equal values`() throws {
            try context.insert(Desk.Paper.self).text = "a"
            let request = FetchRequest(entityName: "Paper", condition: .compare("text", .equal, "a"))
            #expect(try context.fetch(request).count == 3)
            #expect(try context.count(request) == 3)
            #expect(try context.objectIDs(request).count == 3)
        }

        @Test func `objects of a relationship stay in their context while they are held`() throws {
            let request = FetchRequest(entityName: "Drawer")
            let papers = try #require(try context.fetch(request).first).objects(forKey: "papers")
            _ = context.registeredObjects
            for paper in papers { try paper.setValue(.string("c"), forKey: "text") }
            #expect(context.updatedObjects.count == 3)
        }
    }
#endif
