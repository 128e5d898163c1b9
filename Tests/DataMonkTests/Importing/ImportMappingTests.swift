import DataMonk
import Foundation
import Testing

/// What user info says of imports, with MagicalRecord's keys.
@Suite struct `Mappings of an import` {
    private func stack(
        _ notes: [String: String] = [:], name: [String: String] = [:], born: [String: String] = [:],
        friends: [String: String] = [:], change: (inout EntityDescription) -> Void = { _ in }
    ) throws -> Stack {
        var nameAttribute = AttributeDescription("name", .string, defaultValue: "nobody")
        nameAttribute.userInfo = name
        var bornAttribute = AttributeDescription("born", .date)
        bornAttribute.userInfo = born
        var friendsRelationship = RelationshipDescription("friends", to: "Person", inverse: "friends", isToMany: true)
        friendsRelationship.userInfo = friends
        var entity = EntityDescription(
            "Person",
            properties: [
                .attribute(AttributeDescription("personID", .integer64)), .attribute(nameAttribute),
                .attribute(bornAttribute), .attribute(AttributeDescription("photo", .binary)),
                .relationship(friendsRelationship),
            ], userInfo: notes)
        change(&entity)
        let pet = EntityDescription(
            "Child", superentityName: "Person", properties: [.attribute(AttributeDescription("toy", .string))])
        let stack = Stack(model: try ManagedObjectModel(entities: [entity, pet]))
        try stack.addInMemoryStore()
        return stack
    }

    private func values(_ key: String, _ rows: [[String: ManagedValue]], in stack: Stack) async throws -> [ManagedValue]
    {
        let rows = rows.enumerated().map { ImportRow(at: ImportPlace(index: $0.offset), values: $0.element) }
        let stream = AsyncStream { continuation in
            for row in rows { continuation.yield(row) }
            continuation.finish()
        }
        let report = try await stack.importRows(entityName: "Person", from: stream)
        #expect(report.failures.isEmpty, "\(report.failures)")
        return try await Context(stack: stack).read { reader in
            try reader.fetchAll(entityName: "Person", orderBy: .Ascending("personID")).map { try $0.value(forKey: key) }
        }
    }

    @Test func `take the first path that a row has`() async throws {
        let stack = try stack(name: [
            "mappedKeyName": "names.first", "mappedKeyName.0": "title", "mappedKeyName.9": "x",
        ])
        let rows: [[String: ManagedValue]] = [
            ["personID": 1, "names": ["first": "a"], "title": "b"], ["personID": 2, "title": "b", "x": "c"],
            ["personID": 3, "names.first": "flat"], ["personID": 4, "x": "c"], ["personID": 5, "names": nil],
            ["personID": 6],
        ]
        #expect(try await values("name", rows, in: stack) == ["a", "b", "flat", "c", nil, "nobody"])
    }

    @Test func `set defaults where a row has no value, if they say so`() async throws {
        let stack = try stack(name: ["useDefaultValueWhenNotPresent": "YES"])
        _ = try await values("name", [["personID": 1, "name": "a"]], in: stack)
        #expect(try await values("name", [["personID": 1]], in: stack) == ["nobody"])
    }

    @Test(
        arguments: [
            (nil, "2001-02-03", "2001-02-03T00:00:00Z"), (nil, "2001-02-03T04:05:06+02:00", "2001-02-03T02:05:06Z"),
            (nil, "2001-02-03 04:05", "2001-02-03T04:05:00Z"), (nil, .int(981_169_506), "2001-02-03T03:05:06Z"),
            ("UnixTime", .int(981_169_506_000), "2001-02-03T03:05:06Z"),
            ("dd.MM.yyyy", "03.02.2001", "2001-02-03T00:00:00Z"),
            (nil, "2000-02-29T23:59:60Z", "2000-03-01T00:00:00Z"),
        ] as [(String?, ManagedValue, String)])
    func `read dates in their format`(format: String?, value: ManagedValue, expected: String) async throws {
        let stack = try stack(born: format.map { ["dateFormat": $0] } ?? [:])
        let born = try await values("born", [["personID": 1, "born": value]], in: stack)
        guard case .date(let date) = born[0] else { return #expect(Bool(false), "\(born)") }
        #expect(date.ISO8601Format() == expected)
    }

    @Test func `add members to those that are there, if they say so, and make objects of a sub-entity`() async throws {
        let stack = try stack(friends: ["mergePolicy": "add", "className": "Child"])
        let rows: [[String: ManagedValue]] = [
            ["personID": 1, "friends": [2]], ["personID": 1, "friends": [["personID": 3, "toy": "car"]]],
        ]
        _ = try await values("name", rows, in: stack)
        let friends = try await Context(stack: stack).read { reader in
            let person = try reader.fetchAll(entityName: "Person", %"personID" == 1)[0]
            return try person.objects(forKey: "friends").map { "\(try $0.value(forKey: "personID")) \($0.entity.name)" }
                .sorted()
        }
        #expect(friends == ["int(2) Child", "int(3) Child"])
    }

    @Test func `relate by the only unique attributes, alone and together, or by none`() async throws {
        let unique = try stack { entity in
            entity.properties = entity.properties.filter { $0.name != "personID" }
            entity.properties.append(.attribute(AttributeDescription("code", .string)))
            entity.properties.append(.attribute(AttributeDescription("day", .integer16)))
            entity.uniquenessConstraints = [["code", "day"]]
        }
        let rows = [("a", 1), ("a", 2), ("b", 1), ("a", 1)].enumerated().map { index, row in
            ImportRow(at: ImportPlace(index: index), values: ["code": .string(row.0), "day": .int(Int64(row.1))])
        }
        for expected in ["3 0 1 0 0", "0 0 4 0 0"] {
            let report = try await Context(stack: unique).update { update in
                let report = try update.import(entityName: "Person", from: rows)
                try update.commit()
                return report
            }
            #expect(report.line == expected)
        }
        let none = try stack { entity in entity.properties = entity.properties.filter { $0.name != "personID" } }
        let report = try await Context(stack: none).update { update in
            let report = try update.import(entityName: "Person", from: Array(rows.prefix(2)))
            try update.commit()
            return report
        }
        #expect(report.line == "2 0 0 0 0" && report.unusedNames == ["code", "day"])
    }

    @Test func `tell texts apart by their bytes`() async throws {
        let stack = try stack(["relatedByAttribute": "name"])
        #expect(try await values("name", [["name": "\u{E9}"], ["name": "e\u{301}"]], in: stack).count == 2)
        #expect(try await values("name", [["name": "e\u{301}"], ["name": "\u{E9}"]], in: stack).count == 2)
    }

    @Test(arguments: [
        ("relatedByAttribute", "nam", "Person", "no such attribute"),
        ("relatedByAttribute", "photo", "Person", "looked for"),
        ("mappedkeyname", "a", "name", "Did you mean mappedKeyName"),
        ("mappedKeyName.10", "a", "name", "mappedKeyName.9"),
        ("mappedKeyName", "a..b", "name", "no key path"), ("mappedKeyName", "", "name", "no key path"),
        ("dateFormat", "yyyy", "name", "is no date"), ("dateFormat", "", "born", "which is none"),
        ("dateFormat", "year", "born", "which is none"),
        ("useDefaultValueWhenNotPresent", "maybe", "name", "neither true nor"),
        ("mergePolicy", "mix", "friends", "Write replace"), ("className", "Dog", "friends", "neither Person"),
        ("relatedByAttribute", "x", "friends", "no such attribute"), ("mergePolicy", "add", "name", "is an attribute"),
    ])
    func `that cannot be are refused before the first row`(
        key: String, value: String, owner: String, message: String
    ) async throws {
        let notes = [key: value]
        let stack = try stack(
            owner == "Person" ? notes : [:], name: owner == "name" ? notes : [:], born: owner == "born" ? notes : [:],
            friends: owner == "friends" ? notes : [:])
        let isRead = Locked(false)
        let stream = AsyncStream<ImportRow> {
            isRead.withLock { $0 = true }
            return nil
        }
        let error = await #expect(throws: ImportError.self) {
            try await stack.importRows(entityName: "Person", from: stream)
        }
        #expect(error?.code == .invalidMapping && error?.message.contains(message) == true, "\(error as Any)")
        #expect(!isRead.withLock { $0 })
    }

    @Test func `are refused if several keys are possible`() async throws {
        let stack = try stack { entity in
            entity.properties = entity.properties.filter { $0.name != "personID" }
            entity.uniquenessConstraints = [["name"], ["born"]]
        }
        let error = await #expect(throws: ImportError.self) {
            try await stack.importRows(entityName: "Person", from: AsyncStream<ImportRow> { nil })
        }
        #expect(error?.message.contains("several unique attributes (name, born)") == true, "\(error as Any)")
    }
}
