import DataMonk
import DataMonkCore
import Foundation
import Synchronization
import Testing

/// Stages that run an application's code over objects, inside the migration's transaction.
@Suite struct `Code in stages`: LetterSuite {
    let letters: Letters

    init() throws { letters = try Letters() }

    @Test func `an entity is split in two`() throws {
        try letters.write()
        let (identity, files) = (try stage.text("SELECT Z_UUID FROM Z_METADATA"), try letters.externalFiles())
        try stage.open(models[2], stages: letters.stages)
        let contents = try stage.contents(models[2])
        #expect(contents["Letter/1"]["pages"] == "Page/1 Page/2")
        #expect(contents["Page/2"] == ["text": "string(\"two\")", "number": "int(1)", "letter": "Letter/1"])
        #expect(contents.objects.count == 4)
        #expect(try stage.text("SELECT Z_UUID FROM Z_METADATA") == identity)
        #expect(try letters.externalFiles() == files && files.count == 1)
        let fresh = try MigrationStage()
        _ = try fresh.contents(models[2])
        #expect(try StoreShape(stage.url).differences(from: StoreShape(fresh.url)).isEmpty)
        for model in models.dropLast() { #expect(try stage.refusal(model, discarding: []).code == .newerStore) }
    }

    @Test func `code before a stage has the objects of the version before`() throws {
        try letters.write()
        let texts = Mutex<[ManagedValue: ManagedValue]>([:])
        let direct = StagedMigration(
            from: models[0],
            [
                .custom(
                    to: models[2],
                    willMigrate: { context in
                        for letter in try context.fetch(FetchRequest(entityName: "Letter")) {
                            let (name, text) = (try letter.value(forKey: "name"), try letter.value(forKey: "text"))
                            texts.withLock { $0[name] = text }
                            try letter.setValue("noted", forKey: "name")
                        }
                    },
                    didMigrate: { context in
                        for (name, text) in texts.withLock({ $0 }) where text != .null {
                            try context.insert("Page", ["text": name])
                        }
                    })
            ])
        try stage.open(models[2], stages: direct)
        let contents = try stage.contents(models[2])
        #expect(contents["Page/1"]["text"] == "string(\"a\")")
        #expect(
            contents["Letter/1"]["name"] == "string(\"noted\")" && contents["Letter/2"]["name"] == "string(\"noted\")")
    }

    @Test func `large values that code writes and reads are there afterwards`() throws {
        try letters.write()
        let (old, new) = (Letters.seal, Data(Letters.seal.reversed()))
        let stages = StagedMigration(
            from: models[0],
            [
                .custom(
                    to: models[1],
                    willMigrate: { context in
                        let letters = try context.fetch(FetchRequest(entityName: "Letter"))
                        #expect(try letters.contains { try $0.value(forKey: "seal") == .data(old) })
                        for letter in letters { try letter.setValue(.data(new), forKey: "seal") }
                    })
            ])
        try stage.open(models[1], stages: stages)
        let stack = Stack(model: models[1])
        try stack.addDatabaseStore(fileURL: stage.url)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        for letter in try context.fetch(FetchRequest(entityName: "Letter")) {
            #expect(try letter.value(forKey: "seal") == .data(new))
        }
        context.endTurn()
        try stack.close()
        #expect(try !letters.externalFiles().isEmpty)
    }

    @Test func `code may use batch requests, children and the metadata`() throws {
        try letters.write()
        let url = stage.url
        let stages = StagedMigration(
            from: models[0],
            [
                .custom(
                    to: models[2],
                    didMigrate: { context in
                        try context.execute(
                            BatchInsertRequest(
                                entityName: "Page", objects: (0..<50).map { ["number": .int(Int64($0))] }))
                        let low = FetchRequest(
                            entityName: "Page", condition: .compare("number", .lessThan, 10))
                        try context.execute(BatchDeleteRequest(fetchRequest: low))
                        let child = ManagedObjectContext(parent: context)
                        try child.insert("Page", ["text": "child"])
                        try child.save()
                        try context.coordinator.setMetadata(["split": true], ofStoreAt: url)
                    })
            ])
        try stage.open(models[2], stages: stages, discarding: .everything)
        let contents = try stage.contents(models[2])
        #expect(contents.objects.keys.filter { $0.hasPrefix("Page/") }.count == 41)
        #expect(try Stack.metadata(ofStoreAt: stage.url)["split"] == true)
    }

    @Test func `derived attributes and full-text indexes follow what code writes`() throws {
        func model(_ hasNotes: Bool) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Letter") {
                    AttributeDescription("name", .string, hasTextIndex: true)
                    AttributeDescription("plain", .string, derivationExpression: "canonical:(name)")
                    AttributeDescription("pageCount", .integer64, derivationExpression: "pages.@count")
                    RelationshipDescription("pages", to: "Page", inverse: "letter", isToMany: true)
                }
                EntityDescription("Page") { RelationshipDescription("letter", to: "Letter", inverse: "pages") }
                if hasNotes { EntityDescription("Note") { AttributeDescription("text", .string) } }
            }
        }
        let (old, new) = (try model(false), try model(true))
        try stage.write(old) { try $0.insert("Letter", ["name": "Ä first"]) }
        let add: DataMonkCore.MigrationStage.Code = { context in
            let letters = try context.fetch(FetchRequest(entityName: "Letter"))
            for letter in letters {
                let count = Int64(try letter.members("pages").count)
                #expect(try letter.value(forKey: "pageCount") == .int(count))
                try letter.setValue("Ö second", forKey: "name")
                try context.insert("Page", ["letter": .object(letter.anyObjectID)])
            }
            try context.save()
            for letter in letters { #expect(try letter.value(forKey: "plain") == "o second") }
        }
        try stage.open(
            new, stages: StagedMigration(from: old, [.custom(to: new, willMigrate: add, didMigrate: add)]))
        let contents = try stage.contents(new)
        #expect(
            contents["Letter/1"]["pageCount"] == "int(2)" && contents["Letter/1"]["plain"] == "string(\"o second\")")
        let fresh = try MigrationStage()
        _ = try fresh.contents(new)
        #expect(try StoreShape(stage.url).differences(from: StoreShape(fresh.url)).isEmpty)
    }

    @Test func `progress grows from stage to stage`() throws {
        try letters.write()
        let fractions = Mutex<[Double]>([])
        let stack = Stack(model: models[2])
        try stack.addDatabaseStore(fileURL: stage.url, stages: letters.stages) { progress in
            fractions.withLock { $0.append(progress.fractionCompleted) }
        }
        try stack.close()
        let found = fractions.withLock { $0 }
        #expect(found == found.sorted() && found.last == 1 && found.contains { $0 < 0.5 })
    }

}
