import DataMonk
import DataMonkFixtures
import DataMonkTesting
import Foundation
import Testing

@Suite struct `A store that is migrated into a new one` {
    private let folder: TemporaryFolder
    private var target: URL { folder.file("New.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    @Test func `has the values, links and orders of the old one, and its files`() async throws {
        let school = try School()
        let stack = try School.openStack(at: school.url)
        try stack.coordinator.setMetadata(["author": "me"], ofStoreAt: school.url)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try context.insert("Club", ["title": "in the log alone"])
        try context.save()
        context.endTurn()
        let migration = try await stack.migrateStore(.database(fileURL: school.url), to: .database(fileURL: target))
        let dump = try GraphDump(stack)
        #expect(migration.objectCount == dump.objects.count)
        #expect(try Stack.examine(storeAt: target).findings == [])
        #expect(try Stack.metadata(ofStoreAt: target)["author"] == "me")
        let copy = try School.openStack(at: target)
        #expect(try GraphDump(copy).differences(from: dump) == [])
        try copy.close()
        try stack.close()
        let files = folder.file(".New_SUPPORT").appending(path: "_EXTERNAL_DATA")
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).count == 2)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == [
                ".New_SUPPORT", "New.sqlite",
            ])
    }

    @Test func `tells the new URIs, and gives out no key again`() async throws {
        let school = try School()
        let stack = try School.openStack(at: school.url)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let last = try context.insert("Club", ["title": "last"])
        try context.save()
        let uri = last.anyObjectID.uri
        context.delete(last)
        let person = try #require(try context.fetch(FetchRequest(entityName: "Person")).first)
        let (old, name) = (person.anyObjectID.uri, try person.value(forKey: "name"))
        try context.save()
        context.endTurn()
        let migration = try await stack.migrateStore(.database(fileURL: school.url), to: .database(fileURL: target))
        try stack.close()
        let copy = try School.openStack(at: target)
        let new = try #require(migration.uri(for: old).flatMap { copy.objectID(forURI: $0) })
        let other = ManagedObjectContext(coordinator: copy.coordinator)
        #expect(try other.existingObject(with: new).value(forKey: "name") == name)
        #expect(migration.uri(for: try #require(URL(string: "x-coredata://\(UUID())/Club/p1"))) == nil)
        let club = try other.insert("Club", ["title": "new"])
        try other.save()
        #expect(club.anyObjectID.uri.lastPathComponent > uri.lastPathComponent)
        other.endTurn()
        try copy.close()
    }

    @Test(.requiresFixtures("stores", "more-stores"), arguments: StoreCopy.paths)
    func `equals the one that Core Data wrote`(path: String) async throws {
        let copy = try StoreCopy(of: path)
        let stack = Stack(model: try copy.model())
        guard try Stack.examine(storeAt: copy.url, model: stack.model).findings.isEmpty else {
            let error = await #expect(throws: StoreError.self) {
                try await stack.migrateStore(.database(fileURL: copy.url), to: .database(fileURL: target))
            }
            #expect(error?.code == .corrupt)
            return
        }
        let migration = try await stack.migrateStore(.database(fileURL: copy.url), to: .database(fileURL: target))
        let old = try StoreDump(of: copy.openStack())
        try stack.addDatabaseStore(fileURL: target)
        #expect(try StoreDump(of: stack).differences(from: old) == [])
        #expect(migration.objectCount == old.objects.count)
        try stack.close()
    }

    @Test func `may be as large as it likes, part by part`() async throws {
        let stack = Stack(model: try School.model.get())
        try stack.addDatabaseStore(fileURL: folder.file("Old.sqlite"))
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let clubs = try (0..<3).map { try context.insert("Club", ["title": .string("\($0)")]) }
        for number in 0..<1_700 {
            let person = try context.insert(
                "Person", ["code": .string("\(number)"), "portrait": .data(PhotoShop.bytes(6_000))])
            try person.setObjects([clubs[number % 3], clubs[(number + 1) % 3]], forKey: "clubs")
        }
        try context.save()
        context.endTurn()
        let steps = Locked<[MigrationProgress]>([])
        let migration = try await stack.migrateStore(
            .database(fileURL: folder.file("Old.sqlite")), to: .database(fileURL: target)
        ) { progress in
            steps.withLock { $0.append(progress) }
        }
        #expect(migration.objectCount == 1_703)
        let seen = steps.withLock { $0 }
        #expect(seen.count >= 6 && seen.first?.fractionCompleted == 0 && seen.allSatisfy { $0.fractionCompleted < 1 })
        #expect(seen.map(\.completedUnitCount) == seen.map(\.completedUnitCount).sorted())
        let copy = try School.openStack(at: target)
        #expect(try GraphDump(copy).differences(from: GraphDump(stack)) == [])
        try copy.close()
        try stack.close()
    }

    // MARK: Refusals

    private func refusal(_ source: StoreDescription, to target: StoreDescription? = nil) async throws -> StoreError {
        let stack = Stack(model: try School.model.get())
        let place = target ?? .database(fileURL: self.target)
        let error = try await #require(throws: StoreError.self) { try await stack.migrateStore(source, to: place) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        return error
    }

    @Test func `is refused in memory, where nothing is, and where something is`() async throws {
        let school = try School()
        #expect(try await refusal(.inMemory()).code == .unsupportedRequest)
        #expect(try await refusal(.database(fileURL: school.url), to: .inMemory()).code == .unsupportedRequest)
        #expect(try await refusal(.database(fileURL: school.file("none.sqlite"))).code == .fileNotFound)
        let other = try School()
        let bytes = try Data(contentsOf: other.url)
        let error = try await refusal(.database(fileURL: school.url), to: .database(fileURL: other.url))
        #expect(error.code == .fileExists)
        #expect(
            try await refusal(.database(fileURL: school.url), to: .database(fileURL: school.url)).code == .fileExists)
        #expect(try Data(contentsOf: other.url) == bytes)
    }

    @Test func `is refused if something is wrong with it, and loses nothing`() async throws {
        let school = try School()
        try school.rows("UPDATE ZPARTY SET Z_ENT = 99 WHERE Z_PK = 3")
        let error = try await refusal(.database(fileURL: school.url))
        #expect(error.code == .corrupt && error.message.contains("repair"))
    }

    @Test func `is refused without a file of external data`() async throws {
        let school = try School()
        for name in try FileManager.default.contentsOfDirectory(atPath: school.dataFolder.path) {
            try FileManager.default.removeItem(at: school.dataFolder.appending(path: name))
        }
        #expect(try await refusal(.database(fileURL: school.url)).code == .corrupt)
    }

    @Test func `is refused in another version of the model`() async throws {
        let school = try School()
        let stack = Stack(
            model: try ManagedObjectModel { EntityDescription("Club") { AttributeDescription("name", .string) } })
        let error = try await #require(throws: StoreError.self) {
            try await stack.migrateStore(.database(fileURL: school.url), to: .database(fileURL: target))
        }
        #expect(error.code == .incompatibleVersionHash)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }

    // MARK: Ends

    private var dataFolder: URL { folder.file(".New_SUPPORT").appending(path: "_EXTERNAL_DATA") }

    @Test func `leaves no files of external data if its place is taken meanwhile`() async throws {
        let school = try School()
        let (stack, target) = (Stack(model: try School.model.get()), target)
        let error = try await #require(throws: StoreError.self) {
            try await stack.migrateStore(.database(fileURL: school.url), to: .database(fileURL: target)) { _ in
                _ = FileManager.default.createFile(atPath: target.path, contents: Data("mine".utf8))
            }
        }
        #expect(error.code == .fileExists)
        #expect(try Data(contentsOf: target) == Data("mine".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["New.sqlite"])
    }

    @Test func `is repeated after its process was killed, which leaves nothing`() async throws {
        let school = try School()
        let plan = [school.url.path, target.path, dataFolder.path]
        await #expect(processExitsWith: .signal(SIGKILL)) { [plan = plan as [String]] in
            let stack = Stack(model: try School.model.get())
            let (source, target) = (URL(filePath: plan[0]), URL(filePath: plan[1]))
            let folder = plan[2]
            try await stack.migrateStore(.database(fileURL: source), to: .database(fileURL: target)) { _ in
                // All of them are written before the last parts.
                if FileManager.default.subpaths(atPath: folder)?.count == 2 { kill(getpid(), SIGKILL) }
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: dataFolder.path).count == 2)
        let stack = Stack(model: try School.model.get())
        try await stack.migrateStore(.database(fileURL: school.url), to: .database(fileURL: target))
        #expect(try FileManager.default.contentsOfDirectory(atPath: dataFolder.path).count == 2)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == [
                ".New_SUPPORT", "New.sqlite",
            ])
    }

    @Test func `leaves nothing if it is cancelled`() async throws {
        struct Stop: Error {}
        let school = try School()
        let stack = Stack(model: try School.model.get())
        for limit in [0.0, 0.3, 0.7] {
            await #expect(throws: Stop.self) {
                try await stack.migrateStore(.database(fileURL: school.url), to: .database(fileURL: target)) {
                    if $0.fractionCompleted >= limit { throw Stop() }
                }
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await stack.migrateStore(.database(fileURL: school.url), to: .database(fileURL: target))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }
}
