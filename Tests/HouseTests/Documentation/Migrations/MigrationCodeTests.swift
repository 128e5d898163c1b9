#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// The code of stages in the article on migrations.
    @Suite @MainActor struct MigrationCodeTests {
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
                                guard let entity = context.coordinator.model.entitiesByName["Page"] else { return }
                                for letter in try context.fetch(FetchRequest(entityName: "Letter")) {
                                    let page = try context.insert(entity)
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
    }
#endif
