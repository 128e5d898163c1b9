import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Exports that an import would refuse, or that would write nothing: refused before a file is made.
@Suite struct `Exports that are refused` {
    private let folder = Result { try TemporaryFolder() }

    /// Exports to a file, and expects an error and no file.
    private func refuse(
        _ stack: Stack, _ entityName: String, _ options: ExportOptions
    ) async throws -> FormatError? {
        let folder = try folder.get()
        let error = await #expect(throws: FormatError.self) {
            try await stack.exportRows(
                entityName: entityName, to: .file(folder.file("rows.json")), options: options)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        #expect(error?.code == .unsupportedExport)
        return error
    }

    @Test(arguments: [ExportOptions.maximumDepth + 1, .max])
    func `by a depth beyond that of imports`(depth: Int) async throws {
        let error = try await refuse(Club.stack(), "Member", ExportOptions(depth: depth))
        #expect(error?.message.contains("no more than 48 levels") == true)
    }

    @Test func `never by the largest depth, and an import reads what it gives`() async throws {
        let stack = try Club.stack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        var mentor: ManagedObject?
        for number in 0..<60 {
            let member = try context.insert(context.entity(named: "Member"))
            try member.setValue(.int(Int64(number)), forKey: "id")
            if let mentor { try member.setValue(.object(mentor.anyObjectID), forKey: "mentor") }
            mentor = member
        }
        try context.save()
        context.endTurn()
        let options = ExportOptions(properties: ["id", "students"], depth: ExportOptions.maximumDepth)
        let (text, _) = try await Club.export(stack, "Member", options, where: %"id" == 0)
        let copy = try Club.stack()
        let report = try await copy.importRows(entityName: "Member", from: JSONRows(.text(text)))
        #expect(report.line == "1 0 0 0 0" && report.relatedInserted == 49, "\(report.failures)")
    }

    @Test(arguments: [ExportFormat.json, .jsonLines, .csv(CSVFormat())])
    func `if a property is named twice`(format: ExportFormat) async throws {
        let error = try await refuse(Club.stack(), "Member", ExportOptions(format: format, properties: ["id", "id"]))
        #expect(error?.message == "Member.id is named twice, and no import reads that. Name it once.")
    }

    private func twins() throws -> Stack {
        let stack = Stack(
            model: try ManagedObjectModel {
                EntityDescription("Twin", userInfo: ["relatedByAttribute": "id"]) {
                    AttributeDescription("id", .integer64)
                    AttributeDescription("first", .string, userInfo: ["mappedKeyName": "name"])
                    AttributeDescription("second", .string, userInfo: ["mappedKeyName": "name"])
                    RelationshipDescription("parent", to: "Parent", inverse: "twins")
                }
                EntityDescription("Parent", userInfo: ["relatedByAttribute": "id"]) {
                    AttributeDescription("id", .integer64)
                    RelationshipDescription("twins", to: "Twin", inverse: "parent", isToMany: true)
                }
            })
        try stack.addInMemoryStore()
        return stack
    }

    @Test(arguments: [ExportFormat.json, .jsonLines, .csv(CSVFormat())])
    func `if two properties have one name in the rows`(format: ExportFormat) async throws {
        let stack = try twins()
        let error = try await refuse(stack, "Twin", ExportOptions(format: format))
        #expect(error?.key == "name")
        #expect(error?.message.hasPrefix("Twin.first and Twin.second have the same name in a row, \"name\"") == true)
        let one = try await Club.export(stack, "Twin", ExportOptions(properties: ["id", "second"]))
        #expect(one.report.omitted.isEmpty)
    }

    @Test func `if two properties have one name in objects inside of the rows`() async throws {
        let stack = try twins()
        let error = try await refuse(stack, "Parent", ExportOptions(depth: 1))
        #expect(error?.key == "name")
        // By their keys they have none of these names.
        #expect(try await Club.export(stack, "Parent").text == "[]\n")
    }

    @Test(arguments: [ExportFormat.json, .jsonLines, .csv(CSVFormat())])
    func `if no property is named`(format: ExportFormat) async throws {
        let error = try await refuse(Club.stack(), "Member", ExportOptions(format: format, properties: []))
        #expect(error?.message.contains("Nothing of Member would be written. Name a property") == true)
    }

    @Test func `if the format can have none of the properties`() async throws {
        let stack = Stack(
            model: try ManagedObjectModel {
                EntityDescription("Place") {
                    AttributeDescription("point", .composite, elements: [AttributeDescription("x", .double)])
                }
            })
        try stack.addInMemoryStore()
        _ = try await refuse(stack, "Place", ExportOptions(format: .csv(CSVFormat())))
        #expect(try await Club.export(stack, "Place").text == "[]\n")
    }

    // MARK: Objects without a key

    /// Returns a stack with two bands, each with a song. The second song is a version of the first one.
    private func bands(sharesSong: Bool) throws -> Stack {
        let stack = Stack(
            model: try ManagedObjectModel {
                EntityDescription("Band", userInfo: ["relatedByAttribute": "id"]) {
                    AttributeDescription("id", .integer64)
                    RelationshipDescription("songs", to: "Song", inverse: "bands", isToMany: true)
                }
                EntityDescription("Song") {
                    AttributeDescription("title", .string)
                    RelationshipDescription("bands", to: "Band", inverse: "songs", isToMany: true)
                    RelationshipDescription("original", to: "Song")
                }
            })
        try stack.addInMemoryStore()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let songs = try (0..<2).map { number in
            let song = try context.insert(context.entity(named: "Song"))
            try song.setValue(.string("song \(number)"), forKey: "title")
            return song
        }
        try songs[1].setValue(.object(songs[0].anyObjectID), forKey: "original")
        for number in 0..<2 {
            let band = try context.insert(context.entity(named: "Band"))
            try band.setValue(.int(Int64(number)), forKey: "id")
            try band.setObjects([songs[sharesSong ? 0 : number]], forKey: "songs")
        }
        try context.save()
        context.endTurn()
        return stack
    }

    @Test func `if an object without a key is inside of two others`() async throws {
        let options = ExportOptions(format: .jsonLines, properties: ["id", "songs"], depth: 1)
        let text = try await Club.export(bands(sharesSong: false), "Band", options).text
        let lines = text.split(separator: "\n")
        #expect(lines.count == 2 && lines[1].hasPrefix(#"{"id":1,"songs":[{"title":"song 1""#), "\(text)")
        let error = try await refuse(bands(sharesSong: true), "Band", options)
        #expect(error?.key == "songs" && error?.message.contains("an import would make one Song for each") == true)
    }

    @Test func `if an object without a key is a row and inside of another one`() async throws {
        let options = ExportOptions(properties: ["title", "original"], depth: 1)
        let error = try await refuse(bands(sharesSong: false), "Song", options)
        #expect(error?.message.contains("an import would make one Song for each") == true, "\(error as Any)")
    }

    @Test(arguments: [ExportFormat.json, .jsonLines], [0, 1])
    func `if a link leads to one of several objects with the same key`(format: ExportFormat, depth: Int) async throws {
        let stack = try Club.stack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        for number in 0..<3 {
            let tag = try context.insert("Tag", ["name": .string(number == 2 ? "other" : "same")])
            let member = try context.insert("Member", ["id": .int(Int64(number))])
            try member.setObjects([tag], forKey: "tags")
        }
        try context.save()
        context.endTurn()
        let error = try await refuse(stack, "Member", ExportOptions(format: format, depth: depth))
        #expect(error?.key == "tags" && error?.message.contains("other objects have the same name") == true)
        // Links that are not meant for either of them.
        let (text, _) = try await Club.export(
            stack, "Member", ExportOptions(format: format, depth: depth), where: %"id" == 2)
        #expect(text.contains("other"))
    }
}

/// Files of exports on disks and with names that make it hard.
@Suite struct `Files of exports` {
    @Test func `have names of any length that the file system has`() async throws {
        let folder = try TemporaryFolder()
        let name = String(repeating: "é", count: 127) + "x"
        try await Club.stack().exportRows(entityName: "Member", to: .file(folder.file(name)))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).map { $0.utf8.count } == [255])
    }

    @Test(arguments: [false, true])
    func `that are at their place, but perhaps not for long, are an error that says so`(replaces: Bool) async throws {
        let folder = try TemporaryFolder()
        let disk = try FaultyDisk(folder: folder.url)
        let url = folder.file("rows.json")
        if replaces { try Data("before".utf8).write(to: url) }
        // The second one is that of the folder.
        disk.fail(FaultPlan(.inputOutputError, on: [.sync], atCall: 2))
        let error = await #expect(throws: FormatError.self) {
            try await Club.stack().exportRows(
                entityName: "Member", to: .file(url), options: ExportOptions(replacesFile: replaces))
        }
        #expect(disk.heal() == 1 && error?.code == .unwritableFile)
        #expect(error?.message.contains("is written and at its place, but its folder could not be synced") == true)
        #expect(try String(contentsOf: url, encoding: .utf8) == "[]\n")
    }

    @Test(arguments: [
        "Club.sqlite", "Club.sqlite-wal", "Club.sqlite-shm", "link", "second", ".Club_SUPPORT/_EXTERNAL_DATA/value",
        "value",
    ])
    func `never replace a file of the stack's store`(name: String) async throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Club.sqlite")
        let stack = Stack(model: try Club.model.get())
        try await stack.addStore(.database(fileURL: url))
        try Club.fill(stack, count: 1)
        try FileManager.default.createSymbolicLink(at: folder.file("link"), withDestinationURL: url)
        try FileManager.default.linkItem(at: url, to: folder.file("second"))
        let values = folder.file(".Club_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: values, withIntermediateDirectories: true)
        try Data("value".utf8).write(to: values.appending(path: "value"))
        try FileManager.default.createSymbolicLink(
            at: folder.file("value"), withDestinationURL: values.appending(path: "value"))
        let names = try Set(FileManager.default.contentsOfDirectory(atPath: folder.url.path))
        try #require(FileManager.default.fileExists(atPath: folder.file(name).path))
        let error = await #expect(throws: FormatError.self) {
            try await stack.exportRows(
                entityName: "Member", to: .file(folder.file(name)), options: ExportOptions(replacesFile: true))
        }
        #expect(error?.code == .unwritableFile)
        let last = folder.file(name).lastPathComponent
        #expect(error?.message.contains("\(last) is a file of a store of this stack") == true)
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.url.path)) == names)
        #expect(try await Club.export(stack).report.rows == 1)
        try stack.close()
    }
}
