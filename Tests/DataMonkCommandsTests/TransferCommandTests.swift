import ArgumentParser
import DataMonkCommands
import DataMonkCore
import DataMonkSQLite
import Foundation
import Testing

/// `datamonk import` and `export`: what they write, and the status that they end with.
@Suite struct TransferCommandTests {
    private let store: InspectedStore

    init() throws {
        store = try InspectedStore()
        let model = try ManagedObjectModel {
            EntityDescription("Person") {
                AttributeDescription("id", .integer64)
                AttributeDescription("name", .string)
                RelationshipDescription("boss", to: "Person", inverse: "staff")
                RelationshipDescription("staff", to: "Person", isToMany: true)
            }
        }
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.add(
            SQLiteStore.open(store.url, configuration: nil, directory: coordinator.directory, index: 0))
        try coordinator.close()
        try write(
            "{\"Person\": {\"relatedByAttribute\": \"id\", \"name\": {\"mappedKeyName\": \"full.name\"}}}", "map.json")
    }

    private func path(_ name: String) -> String { store.folder.appending(path: name).path }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: store.folder.appending(path: name))
    }

    private func read(_ name: String) throws -> String {
        try String(contentsOf: store.folder.appending(path: name), encoding: .utf8)
    }

    private func `import`(_ file: String, _ arguments: String...) async throws -> CommandOutcome {
        try await ImportCommand.parse(
            [store.url.path, path(file), "--entity", "Person", "--mapping", path("map.json")] + arguments
        ).outcome()
    }

    private func export(_ file: String, _ arguments: String...) async throws -> CommandOutcome {
        try await ExportCommand.parse(
            [store.url.path, path(file), "--entity", "Person", "--mapping", path("map.json")] + arguments
        ).outcome()
    }

    @Test func `rows go into a store and out of it, in every format`() async throws {
        try write(
            "{\"id\": 1, \"full\": {\"name\": \"Monk\"}, \"boss\": 2}\n{\"id\": 2, \"full.name\": \"Abbot\"}\n",
            "a.jsonl")
        let outcome = try await `import`("a.jsonl")
        #expect(outcome.status == .success && outcome.error == nil)
        #expect(outcome.output.contains("Rows        2\n  inserted  "))
        #expect(try await export("b.csv", "--properties", "id,name,boss").status == .success)
        #expect(try read("b.csv") == "id,full.name,boss\r\n1,Monk,2\r\n2,Abbot,\r\n")
        let json = try await export("b.json", "--where", "name == 'Monk'", "--json")
        #expect(json.status == .success && json.output.contains("\"rows\": 1"))
        #expect(try read("b.json") == "[\n{\"id\":1,\"full.name\":\"Monk\",\"boss\":2,\"staff\":[]}\n]\n")
        for file in ["b.csv", "b.json"] {
            let again = try await `import`(file)
            #expect(again.status == .success && again.output.contains("inserted  0"), "\(again.output)")
        }
    }

    @Test func `a run with failed rows has a status of its own and names them`() async throws {
        try write("id,full.name\n1,Monk\nx,Knight\n3,\"a\"b\n", "a.csv")
        let outcome = try await `import`("a.csv")
        #expect(outcome.status == .findings && outcome.error == nil)
        #expect(outcome.output.contains("inserted  1") && outcome.output.contains("failed    2"))
        #expect(outcome.output.contains("row 2 (line 4): Line 4, column 6: A delimiter is expected"))
        let json = try await `import`("a.csv", "--json")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect(report["failed"] as? Int == 2 && report["unchanged"] as? Int == 1)
        #expect((report["failures"] as? [[String: Any]])?.map { $0["line"] as? Int } == [3, 4])
        #expect(try await `import`("a.csv", "--stop-at-first-failure").status == .findings)
    }

    @Test func `a row is as large as the command is told`() async throws {
        let name = String(repeating: "x", count: 2 << 20)
        for format in ["json", "jsonl", "csv"] {
            let row = "{\"id\":1,\"full.name\":\"\(name)\"}"
            let text = format == "json" ? "[\(row)]" : format == "jsonl" ? row : "id,full.name\n1,\(name)\n"
            try write(text, "a.\(format)")
            let refused = try await `import`("a.\(format)", "--maximum-row-size", "1")
            #expect(refused.status == .findings && refused.output.contains("failed    1"), "\(refused)")
            #expect(try await `import`("a.\(format)", "--maximum-row-size", "3").status == .success)
        }
        for size in ["0", "-1", "9000000000000000000"] {
            #expect(throws: (any Error).self) {
                try ImportCommand.parse(["a", "b", "--entity", "c", "--maximum-row-size", size])
            }
        }
    }

    @Test func `objects with one key are named`() async throws {
        try write("{\"Person\": {}}", "none.json")
        try write("[{\"id\": 1}, {\"id\": 1}]", "a.json")
        _ = try await `import`("a.json", "--mapping", path("none.json"))
        let outcome = try await export("b.json")
        #expect(outcome.status == .success)
        #expect(outcome.error?.contains("of which an import makes one: 1.") == true, "\(outcome)")
    }

    @Test func `a dry run writes nothing`() async throws {
        try write("[{\"id\": 1}]", "a.json")
        // Reading leaves the log's index behind, and perhaps an empty log.
        func contents() throws -> Data? { try store.files()[store.url.lastPathComponent] }
        let before = try contents()
        let outcome = try await `import`("a.json", "--dry-run")
        #expect(outcome.status == .success && outcome.output.contains("inserted  1"), "\(outcome)")
        #expect(outcome.output.contains("nothing was written"))
        #expect(try contents() == before && store.files()[store.url.lastPathComponent + "-wal"]?.isEmpty != false)
    }

    @Test func `an input that is cut off says where to go on`() async throws {
        try write("[{\"id\": 1}, {\"id\": 2}", "a.json")
        let outcome = try await `import`("a.json")
        #expect(outcome.status == .data && outcome.error?.contains("The input ends before") == true, "\(outcome)")
        try write("[" + (0..<1_000).map { "{\"id\": \($0)}," }.joined() + "{", "b.json")
        for (arguments, isImported) in [(["--dry-run"], false), ([], true)] {
            let outcome = try await ImportCommand.parse(
                [store.url.path, path("b.json"), "--entity", "Person", "--mapping", path("map.json")] + arguments
            ).outcome()
            #expect(outcome.error?.contains("go on with --from 1000") == isImported, "\(outcome)")
            #expect(outcome.error?.contains("Nothing was written.") == !isImported, "\(outcome)")
            #expect(outcome.error?.contains("resumingAt") == false, "\(outcome)")
        }
    }

    @Test(arguments: [false, true])
    func `a row that ends the import is named, with the way to go on`(isDryRun: Bool) async throws {
        try write("[" + (0..<1_000).map { "{\"id\": \($0)}," }.joined() + "{\"id\": \"x\"}]", "a.json")
        let outcome = try await ImportCommand.parse(
            [store.url.path, path("a.json"), "--entity", "Person", "--mapping", path("map.json")]
                + ["--stop-at-first-failure"] + (isDryRun ? ["--dry-run"] : [])
        ).outcome()
        #expect(outcome.status == .findings && outcome.error?.hasPrefix("row 1000 (line 1): ") == true, "\(outcome)")
        #expect(outcome.error?.contains("Nothing was written.") == isDryRun, "\(outcome)")
        let way = "go on with --from 1000. Without --stop-at-first-failure,"
        #expect(outcome.error?.contains(way) == !isDryRun, "\(outcome)")
        #expect(outcome.error?.contains("stopsAtFirstFailure") == false, "\(outcome)")
    }

    @Test(arguments: [
        (#"{"relatedByAtribute": "id"}"#, #""relatedByAtribute" at Person, where imports read relatedByAttribute. "#),
        (#"{"mappedKeyName": "id"}"#, #""mappedKeyName" at Person, where"#),
        (#"{"name": "full_name"}"#, #"Write {"name": {"mappedKeyName": "full_name"}}."#),
        (#"{"name": {"mappedKeyname": "a"}}"#, #""mappedKeyname" at Person.name, where imports read mappedKeyName, "#),
        (#"{"name": {"mappedKeyName.10": "a"}}"#, #""mappedKeyName.10" at Person.name, where"#),
        (#"{"name": {"className": "a"}}"#, #""className" at Person.name, where"#),
        (#"{"boss": {"dateFormat": "a"}}"#, #""dateFormat" at Person.boss, where imports read mappedKeyName, "#),
    ])
    func `a mapping with a key that no import reads is refused`(notes: String, part: String) async throws {
        try write("[{\"id\": 1}]", "a.json")
        try write("{\"Person\": \(notes)}", "wrong.json")
        for outcome in [
            try await `import`("a.json", "--mapping", path("wrong.json")),
            try await export("b.json", "--mapping", path("wrong.json")),
        ] { #expect(outcome.status == .data && outcome.error?.contains(part) == true, "\(outcome)") }
    }

    @Test func `a mapping may have several places for a value`() async throws {
        try write("[{\"id\": 1, \"other\": \"Monk\"}]", "a.json")
        try write(#"{"Person": {"relatedByAttribute": "id", "name": {"mappedKeyName.9": "other"}}}"#, "places.json")
        #expect(try await `import`("a.json", "--mapping", path("places.json")).status == .success)
        #expect(try await export("b.csv", "--properties", "id,name").status == .success)
        #expect(try read("b.csv") == "id,full.name\r\n1,Monk\r\n")
    }

    @Test func `an export replaces none of the files that it reads`() async throws {
        let folder = path("Shop.xcdatamodeld")
        try #require(try ModelCommand.Export.parse([store.url.path, folder]).outcome().status == .success)
        let contents = try #require(
            FileManager.default.subpaths(atPath: folder)?.first { $0.hasSuffix("contents") })
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: store.url.path)
        try FileManager.default.linkItem(atPath: store.url.path, toPath: path("second"))
        for name in [store.url.lastPathComponent, "link", "second", "map.json", "Shop.xcdatamodeld/\(contents)"] {
            let before = try Data(contentsOf: store.folder.appending(path: name))
            let outcome = try await export(name, "--format", "csv", "--replace", "--model", folder)
            #expect(outcome.status == .cannotWrite, "\(outcome)")
            #expect(outcome.error?.contains("is read by this export, and is not replaced.") == true, "\(outcome)")
            #expect(try Data(contentsOf: store.folder.appending(path: name)) == before)
        }
        // SQLite would take it for its own.
        let journal = try await export("\(store.url.lastPathComponent)-journal", "--format", "csv")
        #expect(journal.error?.contains("is read by this export, and is not replaced.") == true, "\(journal)")
    }

    @Test func `wrong arguments and files have the statuses of the other commands`() async throws {
        try write("[]", "a.json")
        #expect(try await `import`("none.json").status == .noInput)
        #expect(try await `import`("a.json", "--mapping", path("none.json")).status == .noInput)
        try write("{\"Persn\": {}}", "other.json")
        let mapping = try await `import`("a.json", "--mapping", path("other.json"))
        #expect(mapping.status == .data && mapping.error?.contains("Persn") == true)
        try write("", "rows")
        #expect(try await `import`("rows").status == .usage)
        let entity = try await ImportCommand.parse([store.url.path, path("a.json"), "--entity", "Nobody"]).outcome()
        #expect(entity.status == .usage)
        let missing = try await ImportCommand.parse([path("no.sqlite"), path("a.json"), "--entity", "Person"]).outcome()
        #expect(missing.status == .noInput)
        #expect(try await export("a.json").status == .cannotWrite)
        #expect(try await export("a.json", "--replace").status == .success)
        #expect(try await export("none/a.json").status == .cannotWrite)
        #expect(try await export("c.json", "--where", "name ==").status == .usage)
        #expect(try await export("c.json", "--properties", "nam").status == .usage)
        #expect(try await `import`("a.json", "--delimiter", "tab").status == .usage)
        #expect(try await export("c.json", "--delimiter", "tab").status == .usage)
        try write("", "a.jsonl")
        #expect(try await `import`("a.jsonl", "--at", "data").status == .usage)
        #expect(throws: (any Error).self) { try ExportCommand.parse(["a", "b", "--entity", "c", "--depth", "-1"]) }
    }

    @Test func `what an export cannot write is named`() async throws {
        let outcome = try await ExportCommand.parse([store.url.path, path("a.json"), "--entity", "Person"]).outcome()
        #expect(outcome.status == .success)
        #expect(outcome.error == "Not exported, since the rows cannot have it: Person.boss, Person.staff.")
    }
}
