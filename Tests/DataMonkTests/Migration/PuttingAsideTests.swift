import DataMonk
import DataMonkSQLite
import Foundation
import Testing

/// A store of another version goes to a folder of its own: nobody has it open meanwhile, and wherever the process ends it
/// is in one place, with its large values.
@Suite(.serialized) struct `Putting a store aside` {
    private let shop: PhotoShop

    init() throws { shop = try PhotoShop() }

    private static func otherModel() throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Photo") {
                AttributeDescription("image", .binary, allowsExternalBinaryDataStorage: true)
            }
        }
    }

    private static let image = PhotoShop.bytes(200_000)

    private func writeShop() throws {
        let stack = try shop.openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try shop.insert("large", Self.image, context)
        try shop.insert("small", Data([1, 2, 3]), context)
        try context.save()
        context.endTurn()
        try stack.close()
    }

    /// What a store at a place holds.
    private func images(_ url: URL) throws -> [ManagedValue: ManagedValue] {
        let stack = Stack(model: try shop.model())
        try stack.addDatabaseStore(fileURL: url, autoMigrating: false)
        defer { #expect(throws: Never.self) { try stack.close() } }
        return try shop.images(stack)
    }

    private func folders() throws -> [URL] {
        try FileManager.default.contentsOfDirectory(atPath: shop.folder.url.path)
            .filter { $0.hasPrefix("Shop.") && !$0.hasPrefix("Shop.sqlite") }.sorted().map { shop.folder.file($0) }
    }

    private func reset() throws {
        let stack = Stack(model: try Self.otherModel())
        try stack.addDatabaseStore(fileURL: shop.url, autoMigrating: false, resetOnFailure: true)
        try stack.close()
    }

    @Test func `keeps the store readable where it lies`() throws {
        try writeShop()
        try reset()
        let folder = try #require(try folders().first)
        #expect(
            try images(folder.appending(path: "Shop.sqlite")) == [
                "large": .data(Self.image), "small": .data(Data([1, 2, 3])),
            ])
        #expect(try shop.files() == [])
        #expect(try shop.mode(of: folder) == 0o700)
    }

    @Test func `leaves a damaged store where it is`() throws {
        func model(rank: AttributeDescription) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Note", indexes: [FetchIndexDescription("named", on: ["name"])]) {
                    AttributeDescription("name", .string)
                    rank
                }
            }
        }
        let old = Stack(model: try model(rank: AttributeDescription("rank", .integer64)))
        try old.addDatabaseStore(fileURL: shop.url)
        let context = ManagedObjectContext(coordinator: old.coordinator)
        for name in ["a", "b"] { try context.insert(old.model.entities[0]).setValue(.string(name), forKey: "name") }
        try context.save()
        context.endTurn()
        try old.close()
        // An index without one of the rows.
        let index = try shop.rows("SELECT sql FROM sqlite_schema WHERE name = 'Z_Note_named'")[0][0]
        _ = try shop.rows(
            """
            DROP INDEX Z_Note_named; \(index) WHERE ZNAME <> 'b'; PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = '\(index)' WHERE name = 'Z_Note_named'
            """)
        let rank = AttributeDescription("rank", .integer64, isOptional: false, defaultValue: 5)
        let stack = Stack(model: try model(rank: rank))
        let error = #expect(throws: MigrationError.self) {
            try stack.addDatabaseStore(fileURL: shop.url, resetOnFailure: true)
        }
        #expect(error?.code == .failed, "\(error as Any)")
        #expect(try folders() == [])
    }

    @Test func `twice in a second goes to two folders`() throws {
        try writeShop()
        try reset()
        let again = try shop.model()
        let stack = Stack(model: again)
        try stack.addDatabaseStore(fileURL: shop.url, autoMigrating: false, resetOnFailure: true)
        try stack.close()
        #expect(try folders().count == 2)
    }

    @Test func `takes nothing from another store that shares its folder`() throws {
        try writeShop()
        let beside = shop.folder.file("Shop.db")
        let other = Stack(model: try shop.model())
        try other.addDatabaseStore(fileURL: beside)
        let context = ManagedObjectContext(coordinator: other.coordinator)
        try shop.insert("other", PhotoShop.bytes(150_000), context)
        try context.save()
        context.endTurn()
        try other.close()
        try reset()
        let kept = try #require(try folders().first { $0.lastPathComponent != "Shop.db" })
        // Opened to write, which removes files that no row of it refers to.
        #expect(try images(kept.appending(path: "Shop.sqlite")).count == 2)
        #expect(try images(beside) == ["other": .data(PhotoShop.bytes(150_000))])
    }

    @Test func `does not count as a store beside the new one`() async throws {
        try writeShop()
        try reset()
        let stack = Stack(model: try Self.otherModel())
        try stack.addDatabaseStore(fileURL: shop.url)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try context.insert(stack.model.entities[0]).setValue(.data(Self.image), forKey: "image")
        try context.save()
        context.endTurn()
        try stack.close()
        #expect(try shop.files().count == 1)
        #expect(try await Stack.destroyStore(.database(fileURL: shop.url)))
        #expect(try shop.files() == [])
        #expect(try images(try #require(try folders().first).appending(path: "Shop.sqlite")).count == 2)
    }

    @Test func `is refused while another stack has the file open`() throws {
        try writeShop()
        let holder = try shop.openStack()
        let error = try #require(throws: StoreError.self) { try reset() }
        #expect(error.code == .locked)
        let context = ManagedObjectContext(coordinator: holder.coordinator)
        try shop.insert("later", nil, context)
        try context.save()
        context.endTurn()
        try holder.close()
        #expect(try folders() == [])
        #expect(try images(shop.url).count == 3)
    }

    @Test func `is refused while another process has the file open`() async throws {
        try writeShop()
        let holder = try shop.openStack()
        let path = shop.url.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let url = URL(fileURLWithPath: path)
            let error = try #require(throws: StoreError.self) {
                try Stack(model: try Self.otherModel())
                    .addDatabaseStore(fileURL: url, autoMigrating: false, resetOnFailure: true)
            }
            #expect(error.code == .locked)
        }
        try holder.close()
        #expect(try images(shop.url).count == 2)
    }

    @Test func `is refused while a copy is being made of its external data`() async throws {
        try writeShop()
        let stack = try shop.openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try shop.insert("larger", PhotoShop.bytes(300_000), context)
        try context.save()
        context.endTurn()
        try stack.close()
        let copy = shop.folder.file("Copy.sqlite")
        let size = try Int64(Data(contentsOf: shop.url).count)
        let refusal = Locked<StoreError.Code?>(nil)
        let report = try await Stack.replaceStore(.database(fileURL: copy), with: .database(fileURL: shop.url)) {
            // The pages are copied, and the first of both files.
            guard $0.completedByteCount > size, refusal.withLock({ $0 == nil }) else { return }
            let error = try #require(throws: StoreError.self) { try reset() }
            refusal.withLock { $0 = error.code }
        }
        #expect(refusal.withLock { $0 } == .locked)
        #expect(report.externalFileCount == 2 && report.missingFiles == [])
        #expect(try folders() == [] && images(copy).count == 3)
        try reset()
        let kept = try #require(try folders().first)
        #expect(try images(kept.appending(path: "Shop.sqlite")).count == 3)
    }

    @Test func `is refused for a link, which would move in place of the store`() throws {
        try writeShop()
        let link = shop.folder.file("Link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: shop.url)
        let error = try #require(throws: StoreError.self) {
            try Stack(model: Self.otherModel())
                .addDatabaseStore(fileURL: link, autoMigrating: false, resetOnFailure: true)
        }
        #expect(error.code == .openFailed)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == shop.url.path)
        #expect(try images(shop.url).count == 2)
    }

    @Test func `leaves a store that another process has made anew`() throws {
        try writeShop()
        let model = try shop.model()
        #expect(try SQLiteStore.putAside(shop.url, unlessOf: model, configuration: nil) == nil)
        #expect(try folders() == [] && images(shop.url).count == 2)
    }

    @Test func `leaves a file in which another process is about to make a store`() throws {
        try FileManager.default.createDirectory(
            at: shop.url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: shop.url)
        #expect(try SQLiteStore.putAside(shop.url, unlessOf: Self.otherModel(), configuration: nil) == nil)
        #expect(try folders() == [])
        try Stack(model: Self.otherModel()).addDatabaseStore(fileURL: shop.url)
    }

    @Test func `several processes at once make one new store`() async throws {
        try writeShop()
        let url = shop.url
        let stacks = try await withThrowingTaskGroup(of: Stack.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let stack = Stack(model: try Self.otherModel())
                    try stack.addDatabaseStore(
                        fileURL: url, autoMigrating: false, resetOnFailure: true, busyTimeout: .seconds(600))
                    return stack
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for stack in stacks { try stack.close() }
        #expect(try folders().count == 1)
        let folder = try #require(try folders().first)
        #expect(try images(folder.appending(path: "Shop.sqlite")).count == 2)
    }

    @Test func `that fails after the move names the place all the same`() throws {
        try writeShop()
        let elsewhere = shop.folder.file("elsewhere")
        let result = try SQLiteStore.putAside(shop.url, unlessOf: Self.otherModel(), configuration: nil) { step in
            guard step == .renamed, let folder = try? folders().first else { return }
            #expect(rename(folder.path, elsewhere.path) == 0)
        }
        let moved = try #require(result)
        #expect(moved.folder.lastPathComponent.hasPrefix("Shop."))
        #expect(moved.failure?.code == .writeFailed)
        #expect(moved.failure?.message.contains(moved.folder.path) == true)
        #expect(try images(elsewhere.appending(path: "Shop.sqlite")).count == 2)
    }

    // MARK: Ends

    /// One life of the process that is killed after a step.
    private struct Life: Codable, Sendable {
        let path: String
        let step: PuttingAside.Step

        func run() throws {
            let url = URL(fileURLWithPath: path)
            let model = try `Putting a store aside`.otherModel()
            _ = try SQLiteStore.putAside(url, unlessOf: model, configuration: nil) { step in
                guard step == self.step else { return }
                kill(getpid(), SIGKILL)
                // Other threads may go on for an instant; this one does not.
                while true { pause() }
            }
        }
    }

    @Test(arguments: PuttingAside.Step.allCases)
    func `killed after a step, leaves the store in one place with its large values`(
        step: PuttingAside.Step
    ) async throws {
        try writeShop()
        let life = Life(path: shop.url.path, step: step)
        await #expect(processExitsWith: .signal(SIGKILL)) { [life = life as Life] in try life.run() }
        let isMoved = [.renamed, .unlinked].contains(step)
        let files = FileManager.default
        #expect(files.fileExists(atPath: shop.url.path) != isMoved)
        let stores = try folders().map { $0.appending(path: "Shop.sqlite") }
        #expect(stores.filter { files.fileExists(atPath: $0.path) }.count == (isMoved ? 1 : 0))
        let place = isMoved ? try #require(stores.first) : shop.url
        #expect(try images(place)["large"] == .data(Self.image))
        // The next program goes on, and the store is kept once.
        try reset()
        let all = try folders().map { $0.appending(path: "Shop.sqlite") }
        let kept = all.filter { files.fileExists(atPath: $0.path) }
        #expect(try kept.map { try images($0)["large"] } == [.data(Self.image)])
    }
}
