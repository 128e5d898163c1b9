import DataMonk
import DataMonkSQLite
import DataMonkTesting
import Foundation
import Testing

/// Files that cannot be opened, or not as they are.
@Suite struct `Store files that are refused` {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.sqlite")
    }

    private func model(_ attributes: String...) throws -> ManagedObjectModel {
        try ManagedObjectModel(configurations: ["part": ["Note"]]) {
            EntityDescription("Note") { attributes.map { .attribute(AttributeDescription($0, .string)) } }
        }
    }

    /// A stack with a store at `url` that holds some notes.
    private func makeStore(_ texts: [String] = ["kept"]) throws {
        let stack = Stack(model: try model("text"))
        try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        for text in texts { try context.insert(stack.model.entities[0]).setValue(.string(text), forKey: "text") }
        try context.save()
        try stack.close()
    }

    private func texts(at url: URL) throws -> [ManagedValue] {
        let stack = Stack(model: try model("text"))
        try stack.addDatabaseStore(fileURL: url)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        defer { context.endTurn() }
        return try context.fetch(FetchRequest(entityName: "Note")).map { try $0.value(forKey: "text") }
    }

    private func refusal(
        _ attributes: String..., at other: URL? = nil, configuration: String? = nil, autoMigrating: Bool = true,
        resetOnFailure: Bool = false
    ) throws -> StoreError {
        let stack = Stack(model: try model(attributes.first ?? "text"))
        return try #require(throws: StoreError.self) {
            try stack.addDatabaseStore(
                fileURL: other ?? url, configuration: configuration, autoMigrating: autoMigrating,
                resetOnFailure: resetOnFailure)
        }
    }

    /// The names of what lies in the folder.
    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    // MARK: Not a store

    @Test(arguments: [5, 200, 5_000, 200_000]) func `a text file is no database, and stays as it is`(length: Int) throws
    {
        let text = Data(String(repeating: "Hello", count: length / 5).utf8)
        try text.write(to: url)
        for resetOnFailure in [false, true] {
            let error = try refusal(resetOnFailure: resetOnFailure)
            #expect(error.code == .notADatabase && error.storeURL == url)
            #expect(error.message.contains("store.sqlite"))
        }
        #expect(try Data(contentsOf: url) == text)
        #expect(try files() == ["store.sqlite"])
    }

    @Test func `a database of something else is left alone`() throws {
        let other = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readWriteCreate))
        try other.execute("CREATE TABLE accounts(id INTEGER PRIMARY KEY, name TEXT)")
        try other.execute("INSERT INTO accounts VALUES(1, 'a')")
        try other.close()
        let error = try refusal(resetOnFailure: true)
        #expect(error.code == .incompatibleSchema && error.storeURL == url)
        let again = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readOnly))
        #expect(try again.text("SELECT name FROM accounts") == "a")
        #expect(try again.int64("SELECT count(*) FROM sqlite_schema") == 1)
    }

    @Test func `a store with a trigger is refused`() throws {
        try makeStore()
        let other = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readWrite))
        try other.execute("CREATE TRIGGER evil AFTER INSERT ON ZNOTE BEGIN DELETE FROM ZNOTE; END")
        try other.close()
        let error = try refusal(resetOnFailure: true)
        #expect(error.code == .incompatibleSchema && error.message.contains("evil"))
    }

    @Test(arguments: [0.2, 0.6, 0.95]) func `a store that was cut off is told as damaged, or read as far as it goes`(
        share: Double
    ) throws {
        try makeStore((0..<500).map { "note \($0) " + String(repeating: "x", count: 100) })
        let whole = try Data(contentsOf: url)
        try whole.prefix(Int(Double(whole.count) * share)).write(to: url)
        do {
            _ = try texts(at: url)
        } catch let error as StoreError {
            #expect([.corrupt, .notADatabase, .incompatibleSchema].contains(error.code), "\(error)")
        }
    }

    @Test(arguments: 0..<40) func `a store with damaged bytes throws or answers, and never traps`(seed: UInt64) throws {
        try makeStore((0..<50).map { "note \($0)" })
        var bytes = try Data(contentsOf: url)
        var random = SeededGenerator(seed: seed)
        var places: [Int] = []
        for _ in 0..<20 {
            let place = Int.random(in: 100..<bytes.count, using: &random)
            places.append(place)
            bytes[place] = UInt8.random(in: 0...255, using: &random)
        }
        try bytes.write(to: url)
        do {
            _ = try texts(at: url)
        } catch is StoreError {
        } catch {
            Issue.record("\(error) with damage at \(places)")
        }
    }

    @Test func `an empty file becomes a store`() throws {
        try Data().write(to: url)
        try makeStore()
        #expect(try texts(at: url) == ["kept"])
    }

    // MARK: Places

    @Test func `a folder, a path through a file, and no file at all are named`() throws {
        #expect(try refusal(at: folder.url).code == .openFailed)
        try makeStore()
        let through = try refusal(at: url.appendingPathComponent("store.sqlite"))
        #expect(through.code == .openFailed && through.message.contains("path"))
        let remote = try #require(URL(string: "https://example.org/store.sqlite"))
        #expect(try refusal(at: remote).message.contains("store.sqlite"))
    }

    @Test func `missing folders are made`() throws {
        let deep = folder.url.appendingPathComponent("a/b/c/store.sqlite")
        let stack = Stack(model: try model("text"))
        try stack.addDatabaseStore(fileURL: deep)
        #expect(FileManager.default.fileExists(atPath: deep.path))
    }

    @Test func `an unknown configuration is named, with those there are, and no file is made`() throws {
        let stack = Stack(model: try model("text"))
        let error = #expect(throws: (any Error).self) {
            try stack.addDatabaseStore(fileURL: url, configuration: "nowhere")
        }
        #expect("\(error as Any)".contains("nowhere") && "\(error as Any)".contains("part"))
        #expect(try files() == [])
        let memory = #expect(throws: (any Error).self) { try stack.addInMemoryStore(configuration: "nowhere") }
        #expect("\(memory as Any)".contains("nowhere"))
    }

    // MARK: Versions

    @Test func `a store of another version says what differs, and stays as it is`() throws {
        try makeStore()
        let error = try refusal("title", autoMigrating: false)
        #expect(error.code == .incompatibleVersionHash && error.storeURL == url)
        #expect(error.message.contains("Note") && error.message.contains("resetOnFailure"))
        #expect(try texts(at: url) == ["kept"])
    }

    @Test func `resetOnFailure puts a store of another version aside, whole`() throws {
        try makeStore()
        for attribute in ["title", "subtitle", "headline"] {
            let stack = Stack(model: try model(attribute))
            try stack.addDatabaseStore(fileURL: url, autoMigrating: false, resetOnFailure: true)
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            #expect(try context.count(FetchRequest(entityName: "Note")) == 0)
            context.endTurn()
            try stack.close()
        }
        let aside = try files().filter { $0.hasPrefix("store.") && !$0.hasPrefix("store.sqlite") }
        #expect(aside.count == 3, "\(aside)")
        let kept = aside.filter { name in
            // Reason for try?: those of the other versions are not opened.
            (try? texts(at: folder.file("\(name)/store.sqlite"))) == ["kept"]
        }
        #expect(kept.count == 1)
    }

    @Test func `resetOnFailure leaves a store of this version alone`() throws {
        try makeStore()
        let stack = Stack(model: try model("text"))
        try stack.addDatabaseStore(fileURL: url, resetOnFailure: true)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        #expect(try context.count(FetchRequest(entityName: "Note")) == 1)
        context.endTurn()
    }

    // MARK: Twice

    @Test func `the same file with the same options is nothing, with others an error`() throws {
        let stack = Stack(model: try model("text"))
        try stack.addDatabaseStore(fileURL: url)
        try stack.addDatabaseStore(fileURL: url)
        try stack.addDatabaseStore(fileURL: folder.url.appendingPathComponent("./x/../store.sqlite"))
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        _ = try context.insert(stack.model.entities[0])
        try context.save()
        #expect(try context.count(FetchRequest(entityName: "Note")) == 1)
        context.endTurn()
        let error = #expect(throws: StoreError.self) { try stack.addDatabaseStore(fileURL: url, synchronous: .normal) }
        #expect(error?.code == .openFailed && error?.storeURL == url)
        #expect(throws: StoreError.self) { try stack.addDatabaseStore(fileURL: url, configuration: "part") }
    }

    @Test func `two stacks work on one file`() throws {
        try makeStore()
        let stacks = [Stack(model: try model("text")), Stack(model: try model("text"))]
        for stack in stacks { try stack.addDatabaseStore(fileURL: url) }
        for stack in stacks + stacks {
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            _ = try context.insert(stack.model.entities[0])
            try context.save()
        }
        for stack in stacks {
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            #expect(try context.count(FetchRequest(entityName: "Note")) == 5)
            context.endTurn()
        }
    }
}
