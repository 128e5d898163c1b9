import DataMonk
import Foundation
import Testing

@Suite struct `Destroying a store` {
    @Test func `leaves nothing of it, and what is not its own`() async throws {
        let school = try School()
        try Data("mine".utf8).write(to: school.file("School.txt.note"))
        try Data("mine".utf8).write(to: school.dataFolder.appending(path: "README"))
        #expect(try await Stack.destroyStore(.database(fileURL: school.url)))
        #expect(try school.names == [".School_SUPPORT", "School.txt.note"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: school.dataFolder.path) == ["README"])
        #expect(try await !Stack.destroyStore(.database(fileURL: school.file("Other.sqlite"))))
    }

    @Test func `takes what lies in the log, and its folder`() async throws {
        let school = try School()
        let stack = try School.openStack(at: school.url)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try context.insert("Club", ["title": "new"])
        try context.save()
        context.endTurn()
        let copies = try TemporaryFolder()
        for name in try school.names where !name.hasSuffix("-shm") {
            try FileManager.default.copyItem(at: school.file(name), to: copies.file(name))
        }
        try stack.close()
        #expect(FileManager.default.fileExists(atPath: copies.file("School.sqlite-wal").path))
        #expect(try await Stack.destroyStore(.database(fileURL: copies.file("School.sqlite"))))
        #expect(try FileManager.default.contentsOfDirectory(atPath: copies.url.path) == [])
    }

    /// A process that is killed between the removals of the two folders leaves one.
    @Test func `takes the empty folder that is left of a store`() async throws {
        let school = try School()
        #expect(try await Stack.destroyStore(.database(fileURL: school.url)))
        let support = school.dataFolder.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: support, withIntermediateDirectories: false)
        _ = try await Stack.destroyStore(.database(fileURL: school.url))
        #expect(try school.names == [])
        // One with something in it stays.
        let mine = support.appending(path: "mine")
        try FileManager.default.createDirectory(at: mine, withIntermediateDirectories: true)
        #expect(try await !Stack.destroyStore(.database(fileURL: school.url)))
        #expect(FileManager.default.fileExists(atPath: mine.path))
    }

    @Test func `is refused while a stack has it open`() async throws {
        let school = try School()
        for isReading in [false, true] {
            let stack = Stack(model: try School.model.get())
            try await stack.addStore(.database(fileURL: school.url, readOnly: isReading))
            let before = try GraphDump(stack)
            let error = await #expect(throws: StoreError.self) {
                try await Stack.destroyStore(.database(fileURL: school.url))
            }
            #expect(error?.code == .locked)
            #expect(try GraphDump(stack) == before)
            try stack.close()
        }
        #expect(try await Stack.destroyStore(.database(fileURL: school.url)))
    }

    @Test func `is refused for what is not a store`() async throws {
        let folder = try TemporaryFolder()
        let text = folder.file("text.sqlite")
        try Data("This is a letter, and no store. Nobody wants it to be removed.".utf8).write(to: text)
        let other = folder.file("other.sqlite")
        _ = try StoreCopy.rows(other, "CREATE TABLE song (title TEXT)")
        let school = try School()
        let link = folder.file("link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: school.url)
        for (url, code) in [(text, StoreError.Code.notADatabase), (other, .incompatibleSchema), (link, .openFailed)] {
            let error = await #expect(throws: StoreError.self) {
                try await Stack.destroyStore(.database(fileURL: url))
            }
            #expect(error?.code == code)
            #expect(FileManager.default.fileExists(atPath: url.path))
        }
        // Its journal is not exchanged for a log.
        #expect(try StoreCopy.rows(other, "PRAGMA journal_mode") == [["delete"]])
        #expect(FileManager.default.fileExists(atPath: school.url.path))
        await #expect(throws: StoreError.self) { try await Stack.destroyStore(.inMemory()) }
    }

    @Test func `completes what another one has begun`() async throws {
        let school = try School()
        try FileManager.default.removeItem(at: school.url)
        // A store without files of its own has neither.
        for suffix in ["-wal", "-shm"] { #expect(!FileManager.default.fileExists(atPath: school.url.path + suffix)) }
        #expect(try await Stack.destroyStore(.database(fileURL: school.url)))
        #expect(try school.names == [])
    }

    @Test func `keeps the files of a store that shares the folder`() async throws {
        let school = try School()
        try FileManager.default.copyItem(at: school.url, to: school.file("School.db"))
        #expect(try await Stack.destroyStore(.database(fileURL: school.file("School.db"))))
        #expect(try FileManager.default.contentsOfDirectory(atPath: school.dataFolder.path).count == 2)
        #expect(try Stack.examine(storeAt: school.url).findings == [])
    }
}
