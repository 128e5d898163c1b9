import DataMonk
import Foundation
import Testing

/// What a model can have beside attributes and relationships, over a migration that rebuilds every table.
@Suite struct `Features over a migration` {
    private let stage: MigrationStage

    init() throws { stage = try MigrationStage() }

    private static let indexes = [
        FetchIndexDescription("named", on: ["name"], partialIndexPredicateFormat: "name != nil"),
        FetchIndexDescription(
            "area",
            on: [
                FetchIndexElementDescription(.property("north"), collationType: .rTree),
                FetchIndexElementDescription(.property("east"), collationType: .rTree),
            ]),
        FetchIndexDescription("sum", on: [FetchIndexElementDescription(.expression("north + east"))]),
    ]

    /// - Parameter more: Entities that sort before the others, and so give them other numbers.
    private func model(_ more: [EntityDescription] = []) throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Place", indexes: Self.indexes) {
                AttributeDescription("name", .string)
                AttributeDescription("north", .double)
                AttributeDescription("east", .double)
                AttributeDescription(
                    "address", .composite,
                    elements: [AttributeDescription("city", .string), AttributeDescription("code", .integer32)])
                AttributeDescription("photo", .binary, allowsExternalBinaryDataStorage: true)
                RelationshipDescription("visits", to: "Visit", inverse: "place", isToMany: true)
            }
            EntityDescription("Visit") {
                AttributeDescription("day", .date)
                RelationshipDescription("place", to: "Place", inverse: "visits")
            }
            more
        }
    }

    private var more: [EntityDescription] { [EntityDescription("Area") { AttributeDescription("name", .string) }] }

    private func write(_ model: ManagedObjectModel, photo: ManagedValue = .null) throws {
        try stage.write(model) { context in
            let address: ManagedValue = .dictionary(["city": "Rome", "code": 186])
            let place = try context.insert(
                "Place", ["name": "Caffè", "north": 41.9, "east": 12.5, "address": address, "photo": photo])
            try context.insert("Place", ["address": .dictionary(["code": 7])])
            try place.setObjects([context.insert("Visit"), context.insert("Visit")], forKey: "visits")
        }
    }

    @Test func `values of composite attributes stay`() throws {
        try write(model())
        let before = try stage.contents(model())
        #expect(before["Place/1"]["address"]?.contains("Rome") == true)
        #expect(try stage.migrate(to: model(more)).objects.keys == before.objects.keys)
        let after = try stage.contents(model(more))
        // The members of a composite value are written in any order.
        for (name, values) in before.objects {
            #expect(after[name].mapValues { String($0.sorted()) } == values.mapValues { String($0.sorted()) })
        }
    }

    @Test func `a partial index stays partial, and is used`() throws {
        try write(model())
        _ = try stage.migrate(to: model(more))
        let sql = try stage.text("SELECT sql FROM sqlite_schema WHERE name = 'Z_Place_named'")
        #expect(sql?.contains("WHERE") == true, "\(sql ?? "none")")
        let plan = try stage.text("EXPLAIN QUERY PLAN SELECT Z_PK FROM ZPLACE WHERE ZNAME = 'x' AND ZNAME IS NOT NULL")
        #expect(plan != nil)
        #expect(try stage.text("SELECT count(*) FROM ZPLACE INDEXED BY Z_Place_named WHERE ZNAME IS NOT NULL") == "1")
    }

    @Test func `indexes that no database file has stay in the model`() throws {
        try write(model())
        _ = try stage.migrate(to: model(more))
        let loaded = try ManagedObjectModel.load(fromStoreAt: stage.url)
        let kept = try #require(loaded.entitiesByName["Place"]).description.indexes
        #expect(Set(kept.map(\.name)) == ["named", "area", "sum"])
        #expect(kept.first { $0.name == "area" }?.elements.map(\.collationType) == [.rTree, .rTree])
    }

    @Test func `files of large values are not touched`() throws {
        let photo = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        try write(model(), photo: .data(photo))
        let before = try externalFiles()
        #expect(before.count == 1)
        let contents = try stage.migrate(to: model(more))
        #expect(try externalFiles() == before)
        #expect(contents.objects.count == 4)
        let stack = Stack(model: try model(more))
        try stack.addDatabaseStore(fileURL: stage.url, synchronous: .normal)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let request = FetchRequest(entityName: "Place", condition: .compare("name", .equal, "Caffè"))
        #expect(try context.fetch(request).first?.value(forKey: "photo") == .data(photo))
        context.endTurn()
        try stack.close()
    }

    /// The bytes and the time of each file beside the store.
    private func externalFiles() throws -> [String: Data] {
        let folder = stage.url.deletingLastPathComponent()
        let manager = FileManager.default
        var files: [String: Data] = [:]
        for path in try manager.subpathsOfDirectory(atPath: folder.path) where path.contains("_EXTERNAL_DATA/") {
            let date =
                try manager.attributesOfItem(atPath: folder.appending(path: path).path)[.modificationDate] as? Date
            files["\(path) \(date?.timeIntervalSinceReferenceDate ?? 0)"] = try Data(
                contentsOf: folder.appending(path: path))
        }
        return files
    }
}
