import ArgumentParser
import DataMonkCommands
import DataMonkCore
import DataMonkSQLite
import Foundation
import Testing

/// What `inspect` prints and ends with.
@Suite struct InspectionTests {
    private let store: InspectedStore

    init() throws { store = try InspectedStore() }

    private func model(_ attributes: AttributeDescription...) throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Person") {
                attributes.map(PropertyDescription.attribute)
                RelationshipDescription("boss", to: "Person", inverse: "staff")
                RelationshipDescription("staff", to: "Person", isToMany: true)
            }
            EntityDescription("Guest", superentityName: "Person") {}
        }
    }

    /// A store with people; kept open if asked for.
    @discardableResult
    private func makeStore(
        _ model: ManagedObjectModel, isKeptOpen: Bool = false, _ fill: (ManagedObjectContext) throws -> Void = { _ in }
    ) throws -> PersistentStoreCoordinator {
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.add(
            SQLiteStore.open(store.url, configuration: nil, directory: coordinator.directory, index: 0))
        let context = ManagedObjectContext(coordinator: coordinator)
        try fill(context)
        try context.save()
        context.endTurn()
        if !isKeptOpen { try coordinator.close() }
        return coordinator
    }

    private func change(_ sql: String) throws {
        let connection = try SQLiteConnection(fileURL: store.url, options: SQLiteOptions(access: .readWrite))
        try connection.execute(sql)
        try connection.close()
    }

    private var names: AttributeDescription { AttributeDescription("name", .string) }

    private func people(_ names: String?...) -> (ManagedObjectContext) throws -> Void {
        { context in
            for name in names {
                let person = try context.insert(context.entity(named: "Person"))
                try person.setValue(name.map(ManagedValue.string) ?? .null, forKey: "name")
                try context.save()
            }
        }
    }

    // MARK: What is shown

    @Test func `facts, entities and objects stand in aligned columns`() throws {
        try makeStore(model(names)) { context in
            try people("Monk", nil, "僧侶 👩‍👧")(context)
            let guest = try context.insert(context.entity(named: "Guest"))
            let boss = try #require(try context.fetch(FetchRequest(entityName: "Person")).first)
            try guest.setValue(.object(boss.anyObjectID), forKey: "boss")
        }
        let output = try store.inspect("--entity", "Person").output
        #expect(output.contains("Model      read from the store\n"))
        #expect(output.contains("Person     3                  4\n  Guest    1                  1\n"))
        #expect(
            output.hasSuffix(
                """
                Key  Entity  name     boss      staff
                ───  ──────  ───────  ────────  ─────
                  1  Person  Monk     ∅             1
                  2  Person  ∅        ∅             0
                  3  Person  僧侶 👩‍👧  ∅             0
                  4  Guest   ∅        Person/1      0

                Rows 1 to 4 of 4

                """))
    }

    @Test func `full-text indexes are listed, which are no part of Core Data's format`() throws {
        try makeStore(model(AttributeDescription("name", .string, hasTextIndex: true)), people("Monk"))
        #expect(try store.inspect().output.contains("Search     ZPERSON.ZNAME\n"))
        let facts = try #require(try store.json([])["store"] as? [String: Any])
        #expect(facts["textIndexes"] as? [String] == ["ZPERSON.ZNAME"])
    }

    @Test func `filtered attributes are listed, which are not Core Data's either`() throws {
        let derivation = "SUBQUERY(friends, $a, $a.age > 3).@count"
        try makeStore(
            ManagedObjectModel(entities: [
                EntityDescription("Person") {
                    AttributeDescription("age", .integer64)
                    AttributeDescription("grown", .integer64, derivationExpression: derivation)
                    RelationshipDescription("friends", to: "Person", inverse: "friends", isToMany: true)
                }
            ]))
        let output = try store.inspect().output
        #expect(output.contains("Filtered   Person.grown: \(derivation)\n"), "\(output)")
        let json = try #require(try store.json([])["store"] as? [String: Any])
        #expect(json["filteredAttributes"] as? [String] == ["Person.grown: \(derivation)"])
    }

    @Test func `a page begins at the offset and ends with the limit`() throws {
        try makeStore(model(names), people("a", "b", "c", "d"))
        let page = try #require(
            try store.json(["--entity", "Person", "--offset", "1", "--limit", "2"])["page"] as? [String: Any])
        let rows = try #require(page["rows"] as? [[String: Any]])
        #expect(rows.map { $0["primaryKey"] as? Int } == [2, 3] && page["total"] as? Int == 4)
        let last = try store.inspect("--entity", "Person", "--offset", "9").output
        #expect(last.contains("No rows of 4 from 10 on"))
        let beyond = try store.inspect("--entity", "Person", "--offset", "\(Int.max)").output
        #expect(beyond.contains("No rows of 4 from 9223372036854775808 on"))
    }

    @Test func `values keep every digit in JSON`() throws {
        try makeStore(
            model(
                AttributeDescription("i", .integer64), AttributeDescription("d", .double),
                AttributeDescription("t", .date), AttributeDescription("b", .binary), AttributeDescription("s", .string)
            )
        ) { context in
            let person = try context.insert(context.entity(named: "Person"))
            let values: [String: ManagedValue] = [
                "i": .int(.max), "d": 0.1, "t": .date(Date(timeIntervalSinceReferenceDate: 445_103_622.25)),
                "b": .data(Data([0, 255])), "s": "a\"\\\u{1B}[31m\n",
            ]
            for (key, value) in values { try person.setValue(value, forKey: key) }
        }
        let output = try store.inspect("--json", "--entity", "Person").output
        #expect(output.contains(#""i": 9223372036854775807"#))
        #expect(output.contains(#""d": 0.1"#))
        #expect(
            output.contains(#""iso8601": "2015-02-08T15:53:42.250Z""#) && output.contains(#""seconds": 445103622.25"#))
        #expect(output.contains(#""b": "AP8=""#))
        #expect(output.contains(#""s": "a\"\\\u001b[31m\n""#))
    }

    @Test func `a missing file of a large value hides neither its row nor the others`() throws {
        let photo = AttributeDescription("photo", .binary, allowsExternalBinaryDataStorage: true)
        try makeStore(model(names, photo)) { context in
            try people("Monk", "Pigsy")(context)
            for person in try context.fetch(FetchRequest(entityName: "Person")) {
                try person.setValue(.data(Data(count: 400_000)), forKey: "photo")
            }
        }
        let support = store.url.deletingLastPathComponent().appending(path: ".store_SUPPORT/_EXTERNAL_DATA")
        let files = try FileManager.default.contentsOfDirectory(atPath: support.path)
        try #require(files.count == 2)
        try FileManager.default.removeItem(at: support.appending(path: files[0]))
        let outcome = try store.inspect("--entity", "Person")
        #expect(outcome.error == nil && outcome.output.contains("unreadable: "))
        #expect(outcome.output.contains("Monk") && outcome.output.contains("Pigsy"))
        let page = try #require(try store.json(["--entity", "Person"])["page"] as? [String: Any])
        let values = try #require(page["rows"] as? [[String: Any]]).compactMap { $0["values"] as? [String: Any] }
        #expect(values.map { $0["name"] as? String } == ["Monk", "Pigsy"])
        #expect(values.count { ($0["photo"] as? [String: String])?["unreadable"] != nil } == 1)
    }

    @Test func `a terminal is shown control characters and never sent them`() throws {
        try makeStore(model(names), people("\u{1B}[2J\n\u{202E}x"))
        let output = try store.inspect("--entity", "Person").output
        #expect(output.contains(#"\u{1B}[2J\n\u{202E}x"#) && !output.contains("\u{1B}"))
    }

    @Test(arguments: [20, 40, 80]) func `lines are cut to the terminal's width`(width: Int) throws {
        try makeStore(model(names), people(String(repeating: "長い", count: 100)))
        let table = try store.inspect("--entity", "Person", width: width).output.components(separatedBy: "Key")[1]
        for line in table.split(separator: "\n").dropFirst().dropLast() {
            let cells = line.reduce(0) { $0 + ("長い".contains($1) ? 2 : 1) }
            #expect(cells <= width, "\(line)")
        }
    }

    // MARK: What is compared

    @Test func `a model of another version is compared by entity, and ends with 1`() throws {
        try makeStore(model(names), people("Monk"))
        let other = try InspectedStore()
        let coordinator = PersistentStoreCoordinator(
            model: try ManagedObjectModel {
                EntityDescription("Person") { AttributeDescription("age", .integer16) }
                EntityDescription("Place") {}
            })
        try coordinator.add(
            SQLiteStore.open(other.url, configuration: nil, directory: coordinator.directory, index: 0))
        try coordinator.close()
        let outcome = try store.inspect("--model", other.url.path, "--entity", "Person")
        #expect(outcome.status == .incompatible && outcome.error == nil)
        #expect(outcome.output.contains("only in the model: Place"))
        #expect(outcome.output.contains("only in the store: Guest"))
        #expect(outcome.output.contains("different: Person"))
        #expect(outcome.output.contains("Monk"))
        #expect(try store.inspect("--model", store.url.path).status == .success)
    }

    @Test func `without a model inside there are names and counts, with the right one also objects`() throws {
        let model = try InspectedStore()
        try makeStore(self.model(names), people("Monk"))
        try FileManager.default.copyItem(at: store.url, to: model.url)
        try change("DROP TABLE Z_MODELCACHE")
        let outcome = try store.inspect()
        #expect(outcome.status == .success && outcome.output.contains("Model      none: store.sqlite does not contain"))
        #expect(outcome.output.contains("Person     1"))
        let refused = try store.inspect("--entity", "Person")
        #expect(refused.status == .data && refused.error?.contains("Load the model") == true)
        let given = try store.inspect("--entity", "Person", "--model", model.url.path)
        #expect(given.status == .success && given.output.contains("Monk"))
    }

    // MARK: What is left alone

    @Test func `a store at work is shown with what its log holds, and not touched`() throws {
        let coordinator = try makeStore(model(names), isKeptOpen: true, people("logged"))
        let files = try store.files()
        #expect(files.keys.contains("store.sqlite-wal"))
        #expect(try store.inspect("--entity", "Person").output.contains("logged"))
        #expect(try store.files() == files)
        try coordinator.close()
    }

    // MARK: What is refused

    @Test func `a missing file, a folder, something else and a damaged store are told apart`() throws {
        #expect(try store.inspect().status == .noInput)
        let folder = try InspectCommand.parse([store.folder.path]).outcome(width: nil)
        #expect(folder.status == .noInput && folder.error?.contains("is a folder") == true)
        try Data("Hello, hello, hello!".utf8).write(to: store.url)
        let text = try store.inspect()
        #expect(text.status == .data && text.error?.contains("store.sqlite") == true && text.output.isEmpty)
    }

    @Test func `an unknown entity is told with the nearest one`() throws {
        try makeStore(model(names))
        let outcome = try store.inspect("--entity", "Persn")
        #expect(outcome.status == .usage && outcome.error?.contains("Did you mean \"Person\"?") == true)
        #expect(throws: (any Error).self) { try store.inspect("--limit", "-1") }
        #expect(throws: (any Error).self) { try store.inspect("--offset", "-1") }
    }

    @Test func `a model that is not there is told with its place`() throws {
        try makeStore(model(names))
        let outcome = try store.inspect("--model", "/nowhere/Shop.xcdatamodeld")
        #expect(outcome.status == .noInput && outcome.error?.contains("/nowhere/Shop.xcdatamodeld") == true)
    }
}
