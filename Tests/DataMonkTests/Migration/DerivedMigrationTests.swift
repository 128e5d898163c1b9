import DataMonk
import DataMonkSQLite
import Foundation
import Testing

/// Derived attributes that a new version adds, or whose sources it changes, have values in the objects of the version before.
@Suite struct `Derived attributes over a migration` {
    private let stage: MigrationStage

    init() throws { stage = try MigrationStage() }

    private static let kinds: [(String, AttributeType, String)] = [
        ("plain", .string, "canonical:(name)"), ("loud", .string, "uppercase:(name)"),
        ("quiet", .string, "lowercase:(name)"), ("same", .integer32, "height"), ("twice", .string, "uppercase:(plain)"),
        ("country", .string, "region.name"), ("visitCount", .integer64, "visits.@count"),
        ("tagCount", .integer64, "count:(tags)"), ("sum", .integer64, "sum:(visits.length)"),
        ("average", .double, "average:(visits.length)"), ("least", .integer64, "min:(visits.length)"),
        ("most", .integer64, "visits.length.@max"),
        ("long", .integer64, "SUBQUERY(visits, $v, $v.length >= 5).@count"),
    ]

    /// - Parameter more: Entities that sort before the others, so that every table is rebuilt.
    private func model(derived: Bool, more: [EntityDescription] = []) throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Place") {
                AttributeDescription("name", .string)
                AttributeDescription("height", .integer32)
                RelationshipDescription("region", to: "Region", inverse: "places")
                RelationshipDescription("visits", to: "Visit", inverse: "place", isToMany: true)
                RelationshipDescription("tags", to: "Tag", inverse: "places", isToMany: true)
                if derived {
                    Self.kinds.map { .attribute(AttributeDescription($0.0, $0.1, derivationExpression: $0.2)) }
                }
            }
            EntityDescription("Castle", superentityName: "Place") { AttributeDescription("towers", .integer16) }
            EntityDescription("Region") {
                AttributeDescription("name", .string)
                RelationshipDescription("places", to: "Place", inverse: "region", isToMany: true)
            }
            EntityDescription("Visit") {
                AttributeDescription("length", .integer64)
                RelationshipDescription("place", to: "Place", inverse: "visits")
            }
            EntityDescription("Tag") {
                RelationshipDescription("places", to: "Place", inverse: "tags", isToMany: true)
            }
            more
        }
    }

    private static func fill(_ context: ManagedObjectContext) throws {
        let region = try context.insert("Region", ["name": "Latium"])
        let tags = try [context.insert("Tag"), context.insert("Tag")]
        for (name, entity) in [("Caffè Ñandú", "Place"), ("Straße", "Castle"), (nil, "Place")] {
            let place = try context.insert(
                entity, ["name": name.map { .string($0) } ?? .null, "height": .int(Int64(name?.count ?? 0))])
            guard name != nil else { continue }
            try place.setValue(.object(region.anyObjectID), forKey: "region")
            let lengths: [Int64] = name == "Straße" ? [7] : [3, 5, 10]
            try place.setObjects(lengths.map { try context.insert("Visit", ["length": .int($0)]) }, forKey: "visits")
            try place.setObjects(tags, forKey: "tags")
        }
    }

    @Test(arguments: [false, true])
    func `each kind has the values of objects that are saved with it`(rebuilds: Bool) throws {
        let more = rebuilds ? [EntityDescription("Area") { AttributeDescription("name", .string) }] : []
        let new = try model(derived: true, more: more)
        try stage.write(model(derived: false), Self.fill)
        let migrated = try stage.migrate(to: new)
        let fresh = try MigrationStage()
        try fresh.write(new, Self.fill)
        let expected = try fresh.contents(new)
        #expect(migrated.differences(from: expected).isEmpty, "\(migrated.differences(from: expected))")
        #expect(migrated["Place/1"]["plain"] == "string(\"caffe nandu\")")
        #expect(migrated["Castle/2"]["loud"] == "string(\"STRASSE\")")
        #expect(migrated["Place/1"]["sum"] == "int(18)" && migrated["Castle/2"]["long"] == "int(1)")
    }

    @Test func `a time of saving is that of the migration where it is new, and stays where it is not`() throws {
        func model(_ attributes: [AttributeDescription]) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Place") {
                    AttributeDescription("name", .string)
                    attributes.map { .attribute($0) }
                }
            }
        }
        let saved = AttributeDescription("saved", .date, isOptional: false, derivationExpression: "now()")
        try stage.write(model([])) { try $0.insert("Place", ["name": "Rome"]) }
        let first = try #require(try stage.contents(model([saved]))["Place/1"]["saved"])
        #expect(first != "null")
        let later = try stage.contents(model([saved, AttributeDescription("other", .string)]))
        #expect(later["Place/1"]["saved"] == first)
    }

    private func place(
        _ name: String, _ type: AttributeType = .string, default value: ManagedValue = .null, from old: String? = nil,
        as expression: String = "canonical", more: [AttributeDescription] = []
    ) throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Place") {
                AttributeDescription(
                    name, type, isOptional: value.isNull, defaultValue: value, renamingIdentifier: old)
                AttributeDescription("plain", .string, derivationExpression: "\(expression):(\(name))")
                more.map { .attribute($0) }
            }
        }
    }

    @Test func `a changed source changes what is derived from it`() throws {
        try stage.write(place("name")) { context in
            try context.insert("Place", ["name": "Zürich"])
            try context.insert("Place")
        }
        let renamed = try stage.contents(place("title", from: "name"))
        #expect(renamed["Place/1"] == ["title": "string(\"Zürich\")", "plain": "string(\"zurich\")"])
        let filled = try stage.contents(place("title", default: "No One"))
        #expect(filled["Place/2"] == ["title": "string(\"No One\")", "plain": "string(\"no one\")"])
        let loud = try stage.contents(place("title", default: "No One", as: "uppercase"))
        #expect(loud["Place/1"]["plain"] == "string(\"ZÜRICH\")")
        let next = try place("label", default: "No One", as: "uppercase")
        let label = PropertyMapping.computed("label", from: ["title"]) { row in
            guard case .string(let title) = try row.value(forKey: "title") else { return "" }
            return .string(String(title.reversed()))
        }
        try stage.open(next, mapping: [.transform("Place", [label])])
        #expect(
            try stage.contents(next)["Place/1"] == ["label": "string(\"hcirüZ\")", "plain": "string(\"HCIRÜZ\")"])
    }

    @Test func `values that stay right are not written`() throws {
        try stage.write(place("name")) { try $0.insert("Place", ["name": "Zürich"]) }
        let same = try planned(place("name", more: [AttributeDescription("height", .double)]))
        #expect(same.steps.map(\.rowCount) == [nil], "\(same.steps)")
        let other = try planned(place("name", as: "uppercase"))
        #expect(other.steps.map(\.kind) == [.updatedObjects], "\(other.steps)")
    }

    private func planned(_ model: ManagedObjectModel) throws -> MigrationPlan {
        try SQLiteStore.migrationPlan(
            of: stage.url, to: model, configuration: nil, options: StoreMigrationOptions())
    }
}
