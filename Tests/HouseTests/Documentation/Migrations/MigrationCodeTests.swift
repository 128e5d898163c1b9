#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// The code of stages in the article on migrations.
    @Suite @MainActor struct MigrationCodeTests {
        struct Guests: EntityMigrationPolicy {
            func create(from source: ManagedObject, in context: ManagedObjectContext) throws {
                let guest = try context.insert(context.entity(named: "Guest"))
                try guest.convert("name", from: source)
                try guest.convert("age", from: source)
                try source.setValue(.object(guest.anyObjectID), forKey: "guest")
            }
        }

        private func fill(_ url: URL, _ model: ManagedObjectModel, _ names: [String], key: String) throws {
            let stack = Stack(model: model)
            try stack.addDatabaseStore(fileURL: url)
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            for name in names {
                try context.insert(context.entity(named: name)).setValue("Adso", forKey: key)
            }
            try context.save()
            try stack.close()
        }

        private func letters(text: Bool, pages: Bool) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Letter") {
                    if text { AttributeDescription("text", .string) }
                    if pages { RelationshipDescription("pages", to: "Page", inverse: "letter", isToMany: true) }
                }
                if pages {
                    EntityDescription("Page") {
                        AttributeDescription("text", .string)
                        RelationshipDescription("letter", to: "Letter", inverse: "pages")
                    }
                }
            }
        }

        @Test func `code after a stage`() async throws {
            let lettersModel = try letters(text: true, pages: false)
            let (bothModel, model) = (try letters(text: true, pages: true), try letters(text: false, pages: true))
            try await Village.withFile { url in
                try fill(url, lettersModel, ["Letter"], key: "text")
                let migration = StagedMigration(
                    from: lettersModel,
                    [
                        .custom(
                            to: bothModel,
                            didMigrate: { context in
                                for letter in try context.fetch(FetchRequest(entityName: "Letter")) {
                                    let page = try context.insert(context.entity(named: "Page"))
                                    try page.setValue(letter.value(forKey: "text"), forKey: "text")
                                    try page.setValue(.object(letter.anyObjectID), forKey: "letter")
                                }
                            }),
                        .lightweight(to: model),
                    ])
                let stack = Stack(model: model)
                try stack.addDatabaseStore(fileURL: url, stages: migration)
                let context = ManagedObjectContext(coordinator: stack.coordinator)
                let page = try #require(try context.fetch(FetchRequest(entityName: "Page")).first)
                #expect(try page.value(forKey: "text") == "Adso" && page.value(forKey: "letter") != .null)
                try stack.close()
            }
        }

        private func people(old: Bool, guests: Bool) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                if old {
                    ["Monk", "Nun"].map { name in
                        EntityDescription(name) {
                            AttributeDescription("name", .string)
                            AttributeDescription("age", .string)
                            if guests { RelationshipDescription("guest", to: "Guest") }
                        }
                    }
                }
                if guests {
                    EntityDescription("Guest") {
                        AttributeDescription("name", .string)
                        AttributeDescription("age", .integer16)
                    }
                }
            }
        }

        @Test func `policies of a stage`() async throws {
            let (old, bothModel) = (try people(old: true, guests: false), try people(old: true, guests: true))
            let model = try people(old: false, guests: true)
            try await Village.withFile { url in
                try fill(url, old, ["Monk", "Nun"], key: "name")
                let merging = MigrationStage.custom(
                    to: bothModel, didMigrate: { try $0.migrate(["Monk": Guests(), "Nun": Guests()]) })
                let stack = Stack(model: model)
                try stack.addDatabaseStore(
                    fileURL: url, stages: StagedMigration(from: old, [merging, .lightweight(to: model)]))
                let context = ManagedObjectContext(coordinator: stack.coordinator)
                #expect(try context.count(FetchRequest(entityName: "Guest")) == 2)
                try stack.close()
            }
        }
    }
#endif
