import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// A model with each type of attribute and each kind of relationship, whose objects have keys.
enum Club {
    static let model = Result {
        try ManagedObjectModel {
            EntityDescription("Member", userInfo: ["relatedByAttribute": "id"]) {
                AttributeDescription("id", .integer64)
                AttributeDescription("name", .string, userInfo: ["mappedKeyName": "full.name"])
                AttributeDescription("rank", .integer16)
                AttributeDescription("share", .double)
                AttributeDescription("weight", .float)
                AttributeDescription("price", .decimal)
                AttributeDescription("born", .date)
                AttributeDescription("joined", .date, userInfo: ["dateFormat": "yyyy-MM-dd"])
                AttributeDescription("isActive", .boolean)
                AttributeDescription("code", .uuid)
                AttributeDescription("link", .uri)
                AttributeDescription("image", .binary)
                RelationshipDescription("mentor", to: "Member", inverse: "students")
                RelationshipDescription("students", to: "Member", inverse: "mentor", isToMany: true)
                RelationshipDescription("tags", to: "Tag", inverse: "members", isToMany: true, isOrdered: true)
                RelationshipDescription("visits", to: "Visit", inverse: "member", isToMany: true)
            }
            EntityDescription("Tag", userInfo: ["relatedByAttribute": "name"]) {
                AttributeDescription("name", .string)
                RelationshipDescription("members", to: "Member", inverse: "tags", isToMany: true)
            }
            // Without a key.
            EntityDescription("Visit") {
                AttributeDescription("day", .integer32)
                RelationshipDescription("member", to: "Member", inverse: "visits")
            }
        }
    }

    static func stack() throws -> Stack {
        let stack = Stack(model: try model.get())
        try stack.addInMemoryStore()
        return stack
    }

    /// Fills a stack with random members, who are each other's mentors in cycles, and tags.
    static func fill(_ stack: Stack, count: Int, seed: UInt64 = 22, visits: Int = 0) throws {
        var random = SeededGenerator(seed: seed)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let tags = try ["red", "a,b", "x\"y", "line\r\nend", "é"].map { name in
            let tag = try context.insert(context.entity(named: "Tag"))
            try tag.setValue(.string(name), forKey: "name")
            return tag
        }
        var members: [ManagedObject] = []
        for number in 0..<count {
            let member = try context.insert(context.entity(named: "Member"))
            try member.setValue(.int(Int64(number)), forKey: "id")
            for (name, value) in values(&random) { try member.setValue(value, forKey: name) }
            try member.setObjects(tags.shuffled(using: &random).dropLast(number % 6), forKey: "tags")
            for day in 0..<visits {
                let visit = try context.insert(context.entity(named: "Visit"))
                try visit.setValue(.int(Int64(day)), forKey: "day")
                try visit.setValue(.object(member.anyObjectID), forKey: "member")
            }
            members.append(member)
        }
        for member in members where Bool.random(using: &random) {
            try member.setValue(
                .object(members[Int.random(in: 0..<count, using: &random)].anyObjectID), forKey: "mentor")
        }
        try context.save()
        context.endTurn()
    }

    /// Returns a value for each attribute but the key, each sometimes null.
    private static func values(_ random: inout SeededGenerator) -> [String: ManagedValue] {
        let texts = [
            "", " ", "Monk", "=1+2", "a\tb", "\"", "\\", "\u{0}", "\u{1F680}e\u{301}", "\r", ",;|", "\u{FEFF}", "null",
        ]
        let number =
            Double.random(in: -1...1, using: &random) * [1, 1e-9, 1e9, 1e300][Int.random(in: 0..<4, using: &random)]
        let date = Date(timeIntervalSinceReferenceDate: Double.random(in: -6e10...2e11, using: &random))
        let recent = Date(timeIntervalSinceReferenceDate: Double.random(in: -1e9...1e9, using: &random))
        let digits = Int64.random(in: -999_999_999...999_999_999, using: &random)
        let all: [String: ManagedValue] = [
            "name": .string(texts[Int.random(in: 0..<texts.count, using: &random)]),
            "rank": .int(Int64.random(in: -32_768...32_767, using: &random)), "share": .double(number),
            "weight": .double(Double(Float.random(in: -1e5...1e5, using: &random))),
            "price": .decimal(Decimal(sign: .plus, exponent: -4, significand: Decimal(digits))),
            "born": .date(Bool.random(using: &random) ? date : recent),
            "joined": .date(
                Date(timeIntervalSinceReferenceDate: 86_400 * (digits % 10_000 == 0 ? 0 : Double(digits % 10_000)))),
            "isActive": .bool(Bool.random(using: &random)),
            "code": .uuid(
                UUID(
                    uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8.random(in: 0...255, using: &random))
                )),
            "link": .url(URL(filePath: "/a b/\(digits)")),
            "image": .data(Data([0, 255, UInt8(truncatingIfNeeded: digits)])),
        ]
        return all.mapValues { Int.random(in: 0..<6, using: &random) == 0 ? .null : $0 }
    }

    /// Everything that an export can have of a stack's members and tags, by their keys, byte for byte.
    static func graph(_ stack: Stack) throws -> [String: [String: [UInt8]]] {
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        defer { context.endTurn() }
        func key(_ object: ManagedObject) throws -> String {
            "\(object.entity.name) \(try object.value(forKey: object.entity.name == "Tag" ? "name" : "id"))"
        }
        var graph: [String: [String: [UInt8]]] = [:]
        for object in try ["Member", "Tag"].flatMap({ try context.fetch(FetchRequest(entityName: $0)) }) {
            var values: [String: [UInt8]] = [:]
            for attribute in object.entity.attributes {
                values[attribute.name] = Array("\(try object.value(forKey: attribute.name))".utf8)
            }
            for relationship in object.entity.relationships where relationship.name != "visits" {
                let keys =
                    relationship.isToMany
                    ? try object.objects(forKey: relationship.name).map(key)
                    : try object.object(forKey: relationship.name).map { [try key($0)] } ?? []
                values[relationship.name] = Array("\(relationship.isOrdered ? keys : keys.sorted())".utf8)
            }
            try #require(graph.updateValue(values, forKey: key(object)) == nil)
        }
        return graph
    }

    /// Exports to a sink, and returns what it was handed.
    static func export(
        _ stack: Stack, _ entityName: String = "Member", _ options: ExportOptions = ExportOptions(),
        where query: Query? = nil
    ) async throws -> (text: String, report: ExportReport) {
        let parts = Locked<Data>(Data())
        let report = try await stack.exportRows(
            entityName: entityName, query, to: .sink { part in parts.withLock { $0.append(part) } }, options: options)
        return (String(decoding: parts.withLock { $0 }, as: UTF8.self), report)
    }
}

extension ManagedObject {
    /// The object of a to-one.
    func object(forKey name: String) throws -> ManagedObject? {
        let relationship = try #require(entity.relationships.first { $0.name == name })
        return property(at: relationship.slot)
    }
}
