import DataMonk
import DataMonkCore
import Foundation
import Testing

/// To-manys that become to-ones by a rule.
@Suite struct `Links that a rule chooses` {
    private let stage: MigrationStage

    init() throws { stage = try MigrationStage() }

    private func model(isToMany: Bool, shares: Bool, hasInverse: Bool = true) throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Album") {
                RelationshipDescription(
                    isToMany ? "photos" : "cover", to: "Photo", inverse: hasInverse ? "album" : nil, isToMany: isToMany)
            }
            EntityDescription("Photo") {
                AttributeDescription("rating", .integer16)
                if hasInverse {
                    RelationshipDescription(
                        "album", to: "Album", inverse: isToMany ? "photos" : "cover", isToMany: shares)
                }
            }
        }
    }

    /// An album with photos of some ratings, and one with none.
    private func write(_ ratings: [Int64?], _ model: ManagedObjectModel) throws {
        try stage.write(model) { context in
            let album = try context.insert("Album")
            try context.insert("Album")
            let photos = try ratings.map { try context.insert("Photo", ["rating": $0.map { .int($0) } ?? .null]) }
            try album.setObjects(photos, forKey: "photos")
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `the greatest or the least value is kept, and of equal ones the first`(
        shares: Bool, ascending: Bool
    ) throws {
        try write([nil, 3, 5, 1, 5, 1], model(isToMany: true, shares: shares))
        let new = try model(isToMany: false, shares: shares)
        let mapping = EntityMapping.transform(
            "Album", [.chosen("cover", from: "photos", by: "rating", ascending: ascending)])
        try stage.open(new, mapping: [mapping])
        let contents = try stage.contents(new)
        let kept = ascending ? "Photo/4" : "Photo/3"
        #expect(contents["Album/1"]["cover"] == kept && contents["Album/2"]["cover"] == "")
        for photo in 1...6 {
            #expect(contents["Photo/\(photo)"]["album"] == ("Photo/\(photo)" == kept ? "Album/1" : ""))
        }
    }

    @Test(arguments: [false, true])
    func `a required inverse of what is not chosen refuses the migration, unless code mends it`(
        isMended: Bool
    ) throws {
        func model(isToMany: Bool) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Album") {
                    RelationshipDescription(
                        isToMany ? "photos" : "cover", to: "Photo", inverse: "album", isToMany: isToMany)
                }
                EntityDescription("Photo") {
                    AttributeDescription("rating", .integer16)
                    RelationshipDescription(
                        "album", to: "Album", inverse: isToMany ? "photos" : "cover", isOptional: false)
                }
            }
        }
        let old = try model(isToMany: true)
        try write([3, 5], old)
        let before = try stage.bytes
        let new = try model(isToMany: false)
        let mapping = EntityMapping.transform("Album", [.chosen("cover", from: "photos", by: "rating")])
        let code: DataMonkCore.MigrationStage.Code = { context in
            if !isMended { return }
            for photo in try context.fetch(FetchRequest(entityName: "Photo"))
            where try photo.value(forKey: "album") == .null {
                context.delete(photo)
            }
        }
        let stages = StagedMigration(from: old, [.custom(to: new, mapping: [mapping], didMigrate: code)])
        if isMended {
            try stage.open(new, stages: stages)
            return #expect(try stage.contents(new).objects.count == 3)
        }
        for stages in [StagedMigration(from: old, [.custom(to: new, mapping: [mapping])]), stages] {
            let error = try #require(throws: MigrationError.self) {
                try Stack(model: new).addDatabaseStore(fileURL: stage.url, stages: stages, resetOnFailure: true)
            }
            #expect(error.problems.map(\.kind) == [.lostLinks] && error.propertyName == "album")
            #expect(try stage.bytes == before && stage.files == ["store.sqlite"])
        }
    }

    @Test func `an object without a value is kept where there is no other`() throws {
        try write([nil], model(isToMany: true, shares: false, hasInverse: false))
        let new = try model(isToMany: false, shares: false, hasInverse: false)
        let mapping = EntityMapping.transform("Album", [.chosen("cover", from: "photos", by: "rating")])
        try stage.open(new, mapping: [mapping])
        #expect(try stage.contents(new)["Album/1"]["cover"] == "Photo/1")
    }

    @Test(arguments: [false, true])
    func `entities that share a to-one choose alike`(isDeclared: Bool) throws {
        func model(isToMany: Bool) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Album") {
                    RelationshipDescription("photos", to: "Photo", isToMany: isToMany)
                }
                EntityDescription("Book", superentityName: "Album") {}
                EntityDescription("Photo") { AttributeDescription("rating", .integer16) }
            }
        }
        try stage.write(model(isToMany: true)) { context in
            for entity in ["Album", "Book"] {
                let photos = try [3, 1].map { try context.insert("Photo", ["rating": .int($0)]) }
                try context.insert(entity).setObjects(photos, forKey: "photos")
            }
        }
        let before = try stage.bytes
        let new = try model(isToMany: false)
        let mappings: [EntityMapping] = [
            .transform("Book", [.chosen("photos", by: "rating")]),
            .transform("Album", isDeclared ? [.chosen("photos", by: "rating", ascending: false)] : []),
        ]
        let error = try #require(throws: MigrationError.self) {
            try stage.open(new, mapping: mappings)
        }
        #expect(error.problems.contains { $0.kind == .invalidMapping && $0.propertyName == "photos" })
        #expect(try stage.bytes == before)
        let common = EntityMapping.transform("Album", [.chosen("photos", by: "rating")])
        try stage.open(new, mapping: [common])
        let contents = try stage.contents(new)
        #expect(contents["Album/1"]["photos"] == "Photo/2" && contents["Book/2"]["photos"] == "Photo/4")
    }

    @Test func `only a to-one is chosen, from a to-many, by a stored attribute`() throws {
        try write([1, 2], model(isToMany: true, shares: false))
        let before = try stage.bytes
        let new = try model(isToMany: false, shares: false)
        for rule in [
            PropertyMapping.chosen("cover", from: "photos", by: "ratings"),
            .chosen("cover", from: "pictures", by: "rating"),
        ] {
            let error = try #require(throws: MigrationError.self) {
                try stage.open(new, mapping: [.transform("Album", [rule])])
            }
            #expect(error.problems.contains { $0.kind == .invalidMapping && $0.propertyName == "cover" })
        }
        #expect(try stage.bytes == before)
    }
}
