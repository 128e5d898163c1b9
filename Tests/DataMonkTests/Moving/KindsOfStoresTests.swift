import DataMonk
import DataMonkFixtures
import Foundation
import Testing

/// Stores of every kind, migrated into each other, replaced and destroyed.
@Suite struct `Stores of every kind` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The contents after some migrations, from those before them.
    private func moved(
        _ dump: GraphDump, by migrations: [StoreMigration], _ model: ManagedObjectModel
    ) throws -> GraphDump {
        func name(_ old: String) throws -> String {
            var parts = old.split(separator: "/").map(String.init)
            for migration in migrations {
                let text = "x-coredata://\(migration.sourceIdentifier.uuidString)/\(parts[0])/p\(parts[1])"
                let uri = try #require(URL(string: text).flatMap(migration.uri))
                parts[1] = String(uri.lastPathComponent.dropFirst())
            }
            return parts.joined(separator: "/")
        }
        var result = GraphDump()
        for (old, values) in dump.objects {
            var values = values
            let entity = try #require(model.entitiesByName[String(old.prefix { $0 != "/" })])
            for relationship in entity.relationships {
                guard let text = values[relationship.name] else { continue }
                let names = try text.split(separator: " ").map { try name(String($0)) }
                values[relationship.name] =
                    (relationship.isOrdered ? names : names.sorted()).joined(separator: " ")
            }
            result.objects[try name(old)] = values
        }
        return result
    }

    /// Migrates a store through every kind into a database file.
    private func migrate(_ url: URL, _ model: ManagedObjectModel) async throws -> (URL, [StoreMigration]) {
        let stack = Stack(model: model)
        let place = folder.file("Last.sqlite")
        let kinds: [StoreDescription] = [
            .xml(fileURL: folder.file("First.xml")), .binary(fileURL: folder.file("Second.binary")),
            .database(fileURL: folder.file("Third.sqlite")), .binary(fileURL: folder.file("Fourth.binary")),
            .database(fileURL: place),
        ]
        var migrations: [StoreMigration] = []
        var source = StoreDescription.database(fileURL: url)
        for kind in kinds {
            do {
                migrations.append(try await stack.migrateStore(source, to: kind))
                source = kind
            } catch let error as StoreError where kind.type == .xml && error.code == .incompatibleSchema {
                // XML has no case: the model has two names that differ in nothing else.
                print("\(url.lastPathComponent): \(error.message)")
            }
        }
        return (place, migrations)
    }

    @Test(.requiresFixtures("stores", "more-stores"), arguments: StoreCopy.paths)
    func `hold what Core Data wrote, and give it back`(path: String) async throws {
        let copy = try StoreCopy(of: path)
        let model = try copy.model()
        guard try Stack.examine(storeAt: copy.url, model: model).findings.isEmpty else { return }
        let before = try GraphDump(copy.openStack())
        let (url, migrations) = try await migrate(copy.url, model)
        #expect(migrations.count >= 4)
        let stack = Stack(model: model)
        try stack.addDatabaseStore(fileURL: url)
        #expect(try GraphDump(stack).differences(from: moved(before, by: migrations, model)) == [])
        try stack.close()
    }

    @Test func `hold orders, links and files, and give them back`() async throws {
        let school = try School()
        let model = try School.model.get()
        let stack = try School.openStack(at: school.url)
        let before = try GraphDump(stack)
        try stack.close()
        let (url, migrations) = try await migrate(school.url, model)
        #expect(migrations.count == 5)
        let copy = try School.openStack(at: url)
        #expect(try GraphDump(copy).differences(from: moved(before, by: migrations, model)) == [])
        try copy.close()
        #expect(try Stack.examine(storeAt: url).findings == [])
    }

    @Test(arguments: AtomicKind.allCases) func `are replaced and destroyed`(kind: AtomicKind) async throws {
        let (first, second) = (folder.file("First.file"), folder.file("Second.file"))
        for (url, text) in [(first, "one"), (second, "two")] {
            let stack = try await kind.open(url)
            try AtomicKind.add(text, to: stack)
            try stack.close()
        }
        let reading = try await kind.open(first)
        try await Stack.replaceStore(kind.description(first), with: kind.description(second))
        #expect(try Data(contentsOf: first) == Data(contentsOf: second))
        // It saves nothing over a file that it has not read.
        #expect(throws: (any Error).self) { try AtomicKind.add("three", to: reading) }
        try reading.close()
        #expect(try await Stack.destroyStore(kind.description(first)))
        #expect(try await !Stack.destroyStore(kind.description(first)))
        try await Stack.replaceStore(kind.description(first), with: kind.description(second))
        let stack = try await kind.open(first)
        #expect(try AtomicKind.texts(stack) == [.string("two")])
        try stack.close()
    }

    @Test(arguments: AtomicKind.allCases) func `are refused in the place of another`(kind: AtomicKind) async throws {
        let school = try School()
        let file = folder.file("Notes.file")
        let stack = try await kind.open(file)
        try stack.close()
        let bytes = try Data(contentsOf: file)
        func refusal(_ body: () async throws -> Void) async -> StoreError.Code? {
            await #expect(throws: StoreError.self) { try await body() }?.code
        }
        #expect(await refusal { try await Stack.destroyStore(kind.description(school.url)) } == .invalidType)
        #expect(await refusal { try await Stack.destroyStore(.database(fileURL: file)) } == .notADatabase)
        #expect(
            await refusal {
                try await Stack.replaceStore(.database(fileURL: school.url), with: kind.description(file))
            } == .unsupportedRequest)
        #expect(
            await refusal {
                try await Stack.replaceStore(kind.description(file), with: kind.description(school.url))
            } == .invalidType)
        #expect(
            await refusal {
                try await Stack.replaceStore(kind.description(file), with: kind.description(folder.file("none")))
            } == .fileNotFound)
        #expect(try Data(contentsOf: file) == bytes)
        #expect(try Stack.examine(storeAt: school.url).findings == [])
    }

    @Test(arguments: AtomicKind.allCases)
    func `leave nothing of a migration that fails`(kind: AtomicKind) async throws {
        struct Stop: Error {}
        let school = try School()
        let stack = Stack(model: try School.model.get())
        let target = kind.description(folder.file("New.file"))
        await #expect(throws: Stop.self) {
            try await stack.migrateStore(.database(fileURL: school.url), to: target) {
                if $0.fractionCompleted > 0.5 { throw Stop() }
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        try await stack.migrateStore(.database(fileURL: school.url), to: target)
        let error = await #expect(throws: StoreError.self) {
            try await stack.migrateStore(.database(fileURL: school.url), to: target)
        }
        #expect(error?.code == .fileExists)
    }
}
