import DataMonk
import Foundation
import Testing

@Suite struct `Replacing a store` {
    private func dump(_ url: URL) throws -> GraphDump {
        let stack = try School.openStack(at: url)
        defer { #expect(throws: Never.self) { try stack.close() } }
        return try GraphDump(stack)
    }

    /// Adds an object, and a value in a file of its own.
    private func change(_ url: URL) throws {
        let stack = try School.openStack(at: url)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try context.insert("Person", ["code": "new", "portrait": .data(PhotoShop.bytes(300_000))])
        try context.save()
        context.endTurn()
        try stack.close()
    }

    @Test func `brings back a backup, with its files`() async throws {
        let school = try School()
        let before = try dump(school.url)
        let backup = school.file("Backup.sqlite")
        let stack = try School.openStack(at: school.url)
        _ = try await stack.backUp(to: backup)
        try stack.close()
        try change(school.url)
        #expect(try dump(school.url) != before)
        let report = try await Stack.replaceStore(.database(fileURL: school.url), with: .database(fileURL: backup))
        #expect(report.url == school.url && report.missingFiles == [])
        #expect(try Stack.examine(storeAt: school.url).findings.allSatisfy { $0.kind == .orphanFile })
        #expect(try dump(school.url) == before)
        #expect(try dump(backup) == before)
    }

    @Test(arguments: [StoreDescription.StoreType.xml, .binary])
    func `brings back a backup of a damaged store, which can be removed too`(type: StoreDescription.StoreType)
        async throws
    {
        let folder = try TemporaryFolder()
        let (place, backup) = (folder.file("Store"), folder.file("Backup"))
        func description(_ url: URL) -> StoreDescription {
            type == .xml ? .xml(fileURL: url) : .binary(fileURL: url)
        }
        let model = try ManagedObjectModel { EntityDescription("Note") { AttributeDescription("text", .string) } }
        let stack = Stack(model: model)
        try await stack.addStore(description(place))
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try context.insert("Note", ["text": "kept"])
        try context.save()
        context.endTurn()
        try stack.close()
        let whole = try Data(contentsOf: place)
        try whole.write(to: backup)
        try whole.dropLast(20).write(to: place)
        try await Stack.replaceStore(description(place), with: description(backup))
        #expect(try Data(contentsOf: place) == whole)
        try whole.dropLast(20).write(to: backup)
        let error = await #expect(throws: StoreError.self) {
            try await Stack.replaceStore(description(place), with: description(backup))
        }
        #expect(error?.code == .corrupt)
        #expect(try await Stack.destroyStore(description(backup)))
    }

    @Test func `reads a store that is open`() async throws {
        let (school, other) = (try School(), try School())
        try change(other.url)
        let stack = try School.openStack(at: other.url)
        try await Stack.replaceStore(.database(fileURL: school.url), with: .database(fileURL: other.url))
        #expect(try GraphDump(stack) == dump(school.url))
        try stack.close()
    }

    @Test func `makes the store if there is none`() async throws {
        let school = try School()
        let folder = try TemporaryFolder()
        try await Stack.replaceStore(
            .database(fileURL: folder.file("New.sqlite")), with: .database(fileURL: school.url))
        #expect(try dump(folder.file("New.sqlite")) == dump(school.url))
    }

    @Test func `is refused while a stack has it open, and for what is not a store`() async throws {
        let (school, other) = (try School(), try School())
        let stack = try School.openStack(at: school.url)
        let before = try GraphDump(stack)
        func refusal(_ url: URL, with source: URL) async -> StoreError.Code? {
            await #expect(throws: StoreError.self) {
                try await Stack.replaceStore(.database(fileURL: url), with: .database(fileURL: source))
            }?.code
        }
        #expect(await refusal(school.url, with: other.url) == .locked)
        #expect(try GraphDump(stack) == before)
        try stack.close()
        let text = school.file("text.sqlite")
        try Data("This is a letter, and no store. Nobody wants it to be removed.".utf8).write(to: text)
        #expect(await refusal(text, with: other.url) == .notADatabase)
        #expect(await refusal(school.url, with: text) == .notADatabase)
        #expect(await refusal(school.url, with: school.file("none.sqlite")) == .fileNotFound)
        #expect(await refusal(school.url, with: school.url) == .fileExists)
        #expect(try dump(school.url) == before)
        #expect(try school.names == [".School_SUPPORT", "School.sqlite", "text.sqlite"])
    }

    // MARK: Files of external data

    private func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test func `is refused if files of the other store are missing, unless that is allowed`() async throws {
        let (school, other) = (try School(), try School())
        let before = try dump(school.url)
        try change(other.url)
        let missing = try names(in: other.dataFolder)
        try FileManager.default.removeItem(at: other.file(".School_SUPPORT"))
        let error = try await #require(throws: StoreError.self) {
            try await Stack.replaceStore(.database(fileURL: school.url), with: .database(fileURL: other.url))
        }
        #expect(error.code == .fileNotFound && error.storeURL?.path == other.url.path)
        #expect(error.message.hasPrefix("3 files, among them \(missing[0]), "), "\(error.message)")
        #expect(try dump(school.url) == before)
        #expect(try school.names == [".School_SUPPORT", "School.sqlite"])
        let report = try await Stack.replaceStore(
            .database(fileURL: school.url), with: .database(fileURL: other.url), allowsMissingFiles: true)
        #expect(report.missingFiles == missing && report.externalFileCount == 0)
    }

    /// - Parameter isUsed: Whether the other store is used by the link, beside which its external data lies then.
    @Test(arguments: [false, true]) func `follows a link to the other store`(isUsed: Bool) async throws {
        let (school, other) = (try School(), try School())
        try change(other.url)
        let expected = try dump(other.url)
        let folder = try TemporaryFolder()
        let link = folder.file("School.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: other.url)
        if isUsed {
            try FileManager.default.moveItem(at: other.file(".School_SUPPORT"), to: folder.file(".School_SUPPORT"))
        }
        let report = try await Stack.replaceStore(.database(fileURL: school.url), with: .database(fileURL: link))
        #expect(report.externalFileCount == 3 && report.missingFiles == [])
        #expect(try dump(school.url) == expected)
    }

    /// Overwrites a file of external data.
    private func damage(_ school: School, keepingSize: Bool) throws -> (file: URL, contents: Data) {
        let file = school.dataFolder.appending(path: try #require(try names(in: school.dataFolder).first))
        let contents = try Data(contentsOf: file)
        try Data(count: keepingSize ? contents.count : 10).write(to: file)
        return (file, contents)
    }

    @Test(arguments: [true, false]) func `replaces damaged files`(keepingSize: Bool) async throws {
        struct Stop: Error {}
        let (school, backup) = (try School(), try School())
        let before = try dump(school.url)
        let names = try names(in: school.dataFolder)
        let (file, contents) = try damage(school, keepingSize: keepingSize)
        let damaged = try Data(contentsOf: file)
        await #expect(throws: Stop.self) {
            try await Stack.replaceStore(.database(fileURL: school.url), with: .database(fileURL: backup.url)) {
                if $0.fractionCompleted == 1 { throw Stop() }
            }
        }
        #expect(try Data(contentsOf: file) == damaged)
        #expect(try self.names(in: school.dataFolder) == names)
        try await Stack.replaceStore(.database(fileURL: school.url), with: .database(fileURL: backup.url))
        #expect(try Data(contentsOf: file) == contents)
        #expect(try self.names(in: school.dataFolder) == names)
        #expect(try school.names == [".School_SUPPORT", "School.sqlite"])
        #expect(try dump(school.url) == before)
    }

    @Test func `replaces damaged files after a process that was killed, and leaves nothing of it`() async throws {
        let (school, backup) = (try School(), try School())
        let names = try names(in: school.dataFolder)
        let (file, contents) = try damage(school, keepingSize: true)
        let plan = [school.url.path, backup.url.path]
        await #expect(processExitsWith: .signal(SIGKILL)) { [plan = plan as [String]] in
            let (url, source) = (URL(filePath: plan[0]), URL(filePath: plan[1]))
            try await Stack.replaceStore(.database(fileURL: url), with: .database(fileURL: source)) {
                if $0.fractionCompleted == 1 { kill(getpid(), SIGKILL) }
            }
        }
        #expect(try self.names(in: school.dataFolder).count == names.count + 1)
        try await Stack.replaceStore(.database(fileURL: school.url), with: .database(fileURL: backup.url))
        #expect(try Data(contentsOf: file) == contents)
        #expect(try self.names(in: school.dataFolder) == names)
        #expect(try school.names == [".School_SUPPORT", "School.sqlite"])
    }

    @Test func `changes nothing if it is cancelled`() async throws {
        struct Stop: Error {}
        let (school, other) = (try School(), try School())
        let before = try dump(school.url)
        try change(other.url)
        await #expect(throws: Stop.self) {
            try await Stack.replaceStore(.database(fileURL: school.url), with: .database(fileURL: other.url)) {
                if $0.fractionCompleted == 1 { throw Stop() }
            }
        }
        #expect(try dump(school.url) == before)
        #expect(try school.names == [".School_SUPPORT", "School.sqlite"])
    }
}
