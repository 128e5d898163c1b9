import DataMonk
import Foundation
import Testing

/// Exports, and what an import makes of them.
@Suite struct `Exports of a fetch` {
    // MARK: There and back

    @Test(arguments: [ExportFormat.json, .jsonLines])
    func `the import of an export gives an equal graph, and a second one changes nothing`(format: ExportFormat)
        async throws
    {
        let (stack, copy) = (try Club.stack(), try Club.stack())
        try Club.fill(stack, count: 100)
        let options = ExportOptions(format: format)
        let (members, tags) = (
            try await Club.export(stack, "Member", options), try await Club.export(stack, "Tag", options)
        )
        #expect(
            members.report.rows == 100 && members.report.total == 100 && members.report.bytes == members.text.utf8.count
        )
        #expect(members.report.omitted == ["Member.visits"])
        for (name, text) in [("Tag", tags.text), ("Member", members.text)] {
            let report = try await read(text, as: format, into: copy, name)
            #expect(report.failed == 0, "\(report.failures)")
        }
        #expect(try await Club.export(copy, "Member", options).text == members.text)
        #expect(try await Club.export(copy, "Tag", options).text == tags.text)
        let (graph, source) = (try Club.graph(copy), try Club.graph(stack))
        #expect(graph == source && source.count == 105)
        let again = try await read(members.text, as: format, into: copy, "Member")
        #expect(again.unchanged == 100, "\(again)")
    }

    private func read(
        _ text: String, as format: ExportFormat, into stack: Stack, _ name: String
    ) async throws -> ImportReport {
        switch format {
        case .json: try await stack.importRows(entityName: name, from: JSONRows(.text(text)))
        case .jsonLines: try await stack.importRows(entityName: name, from: JSONLines(.text(text)))
        case .csv(let format): try await stack.importRows(entityName: name, from: CSVRows(.text(text), format: format))
        }
    }

    @Test(arguments: CSVFormat.Delimiter.allCases, [CSVFormat.LineEnd.lf, .crlf])
    func `the import of a table gives equal columns`(
        delimiter: CSVFormat.Delimiter, lineEnd: CSVFormat.LineEnd
    ) async throws {
        let (stack, copy) = (try Club.stack(), try Club.stack())
        try Club.fill(stack, count: 60)
        let format = ExportFormat.csv(CSVFormat(delimiter: delimiter, lineEnd: lineEnd))
        let table = try await Club.export(stack, "Member", ExportOptions(format: format))
        #expect(table.report.omitted == ["Member.students", "Member.tags", "Member.visits"])
        let report = try await read(table.text, as: format, into: copy, "Member")
        #expect(report.failed == 0, "\(report.failures)")
        #expect(try await Club.export(copy, "Member", ExportOptions(format: format)).text == table.text)
    }

    @Test func `nested objects come back as objects, those without a key among them`() async throws {
        let (stack, copy) = (try Club.stack(), try Club.stack())
        try Club.fill(stack, count: 20, visits: 2)
        let options = ExportOptions(properties: ["id", "name", "visits"], depth: 1)
        let nested = try await Club.export(stack, "Member", options)
        #expect(nested.report.omitted.isEmpty)
        let report = try await read(nested.text, as: .json, into: copy, "Member")
        #expect(report.failed == 0, "\(report.failures)")
        #expect(try await Club.export(copy, "Member", options).text == nested.text)
        let context = ManagedObjectContext(coordinator: copy.coordinator)
        #expect(try context.count(FetchRequest(entityName: "Visit")) == 40)
        context.endTurn()
        // Of the members that are inside of others, the visits are a level too deep.
        let deeper = try await Club.export(stack, "Member", ExportOptions(properties: ["id", "students"], depth: 1))
        #expect(deeper.report.omitted == ["Member.visits"] && !deeper.text.contains("visits"))
    }

    // MARK: Forms

    private func pair() async throws -> Stack {
        let stack = try Club.stack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let members = try [Int64(1), 2].map { number in
            let member = try context.insert(context.entity(named: "Member"))
            try member.setValue(.int(number), forKey: "id")
            return member
        }
        try members[0].setValue(.object(members[1].anyObjectID), forKey: "mentor")
        try members[1].setValue(.object(members[0].anyObjectID), forKey: "mentor")
        try context.save()
        context.endTurn()
        return stack
    }

    @Test func `a relationship is written by key, or nested until it leads back`() async throws {
        let stack = try await pair()
        let names = ["id", "mentor"]
        #expect(
            try await Club.export(stack, "Member", ExportOptions(format: .jsonLines, properties: names)).text
                == "{\"id\":1,\"mentor\":2}\n{\"id\":2,\"mentor\":1}\n")
        let nested = try await Club.export(
            stack, "Member", ExportOptions(format: .jsonLines, properties: names, depth: 5), where: %"id" == 1)
        let row = try #require(try JSONSerialization.jsonObject(with: Data(nested.text.utf8)) as? [String: Any])
        let mentor = try #require(row["mentor"] as? [String: Any])
        #expect(row["id"] as? Int == 1 && mentor["id"] as? Int == 2 && mentor["mentor"] as? Int == 1)
        // The student of the mentor is the row itself.
        #expect(mentor["students"] as? [Int] == [1])
    }

    @Test func `an export of nothing is an empty array, no line, or a header`() async throws {
        let stack = try Club.stack()
        #expect(try await Club.export(stack).text == "[]\n")
        #expect(try await Club.export(stack, "Member", ExportOptions(format: .jsonLines)).text == "")
        let table = ExportOptions(format: .csv(CSVFormat(lineEnd: .lf)), properties: ["id", "name"])
        #expect(try await Club.export(stack, "Member", table).text == "id,full.name\n")
    }

    @Test func `rows have the order of their key, or the one that is asked for`() async throws {
        let stack = try Club.stack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        for number: Int64 in [2, 3, 1] {
            try context.insert(context.entity(named: "Member")).setValue(.int(number), forKey: "id")
        }
        try context.save()
        context.endTurn()
        let options = ExportOptions(format: .csv(CSVFormat(lineEnd: .lf)), properties: ["id"])
        #expect(try await Club.export(stack, "Member", options).text == "id\n1\n2\n3\n")
        let parts = Parts()
        try await stack.exportRows(
            entityName: "Member", orderBy: .Descending("id"), fetching: .Limit(2), to: .sink(parts.add),
            options: options)
        #expect(parts.text == "id\n3\n2\n")
    }

    @Test(arguments: [
        ("visits", ExportFormat.json, "leads to objects without a key"),
        ("tags", .csv(CSVFormat()), "leads to several objects"),
    ])
    func `a property that the format cannot have is an error if it is named`(
        name: String, format: ExportFormat, part: String
    ) async throws {
        let stack = try Club.stack()
        let options = ExportOptions(format: format, properties: ["id", name])
        let error = await #expect(throws: FormatError.self) { try await Club.export(stack, "Member", options) }
        #expect(error?.code == .unsupportedExport && error?.key == name && error?.message.contains(part) == true)
    }

    @Test func `an unknown property or entity is an error`() async throws {
        let stack = try Club.stack()
        let error = await #expect(throws: FetchError.self) {
            try await Club.export(stack, "Member", ExportOptions(properties: ["nam"]))
        }
        #expect(error?.code == .unknownKey)
        await #expect(throws: FetchError.self) { try await Club.export(stack, "Nobody") }
    }

    @Test func `a link to an object without its key is an error, not a null`() async throws {
        let stack = try await pair()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let member = try #require(try context.fetch(FetchRequest(entityName: "Member")).first)
        try member.setValue(.null, forKey: "id")
        try context.save()
        context.endTurn()
        let error = await #expect(throws: FormatError.self) {
            try await Club.export(stack, where: %"id" == 2)
        }
        #expect(error?.code == .unsupportedExport && error?.message.contains("the link would be lost") == true)
    }

    @Test(arguments: [ExportFormat.json, .jsonLines, .csv(CSVFormat())])
    func `an object that no import would read is an error`(format: ExportFormat) async throws {
        let stack = try await pair()
        try await Context(stack: stack).update { update in
            try update.fetchAll(entityName: "Member", %"id" == 2).first?.setValue("Kim", forKey: "name")
            try update.fetchAll(entityName: "Member", %"id" == 1).first?.setValue(.null, forKey: "id")
            try update.commit()
        }
        let nested = ExportOptions(format: format, properties: ["id", "mentor"], depth: 1)
        for (options, query) in [(ExportOptions(format: format), nil), (nested, %"id" == 2)]
            as [(ExportOptions, Query?)]
        {
            let error = await #expect(throws: FormatError.self) {
                try await Club.export(stack, "Member", options, where: query)
            }
            #expect(error?.code == .unsupportedExport, "\(error as Any)")
        }
        // Without the key they are no rows for an import, as the caller knows.
        #expect(
            try await Club.export(stack, "Member", ExportOptions(format: format, properties: ["name"])).report.rows == 2
        )
    }

    @Test func `objects with one key are counted`() async throws {
        let stack = try Club.stack()
        try await Context(stack: stack).update { update in
            for id: Int64 in [3, 1, 3, 2, 3] {
                try update.create(entityName: "Member").setValue(.int(id), forKey: "id")
            }
            try update.commit()
        }
        #expect(try await Club.export(stack).report.repeatedKeys == 2)
        #expect(try await Club.export(stack, "Member", ExportOptions(properties: ["name"])).report.repeatedKeys == 0)
    }

    // MARK: One state

    @Test func `commits during an export are not in it`() async throws {
        let folder = try TemporaryFolder()
        let stack = Stack(model: try Club.model.get())
        try stack.addDatabaseStore(fileURL: folder.file("club.sqlite"), synchronous: .normal)
        try Club.fill(stack, count: 1_200)
        let expected = try await Club.export(stack)
        var options = ExportOptions()
        options.progress = { report in
            guard report.rows == 500 else { return }
            do {
                let context = ManagedObjectContext(coordinator: stack.coordinator)
                for member in try context.fetch(FetchRequest(entityName: "Member")) {
                    try member.setValue("changed", forKey: "name")
                }
                try context.insert(context.entity(named: "Member")).setValue(.int(5_000), forKey: "id")
                try context.save()
                context.endTurn()
            } catch {
                Issue.record(error)
            }
        }
        #expect(try await Club.export(stack, "Member", options).text == expected.text)
        #expect(try await Club.export(stack).report.rows == 1_201)
    }

    @Test func `a sink is handed parts of one state alone, though none could be held`() async throws {
        let folder = try TemporaryFolder()
        let stack = Stack(model: try Club.model.get())
        try stack.addDatabaseStore(fileURL: folder.file("club.sqlite"), synchronous: .normal)
        let context = try Context(stack: stack)
        try await context.update { update in
            for number in 0..<1_200 {
                let member = try update.create(entityName: "Member")
                try member.setValue(.int(Int64(number)), forKey: "id")
                try member.setValue(.string(String(repeating: "x", count: 2_000)), forKey: "name")
            }
            try update.commit()
        }
        // The store has eight readers, of which the export gets the last one.
        let gate = DispatchSemaphore(value: 0)
        let hold: @Sendable () -> Void = { gate.wait() }
        let (begun, beginning) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<7 {
                group.addTask {
                    try await context.read { reader in
                        _ = try reader.count(entityName: "Member")
                        beginning.yield()
                        hold()
                    }
                }
            }
            var count = 0
            for await _ in begun {
                count += 1
                if count == 7 { break }
            }
            let parts = Parts()
            let error = await #expect(throws: FormatError.self) {
                try await stack.exportRows(
                    entityName: "Member",
                    to: .sink { part in
                        if parts.text.isEmpty {
                            try context.beginUpdateAndWait(deadline: .seconds(3_600)) { update in
                                for member in try update.fetchAll(entityName: "Member") {
                                    try member.setValue("changed", forKey: "name")
                                }
                                try update.commit()
                            }
                        }
                        parts.add(part)
                    })
            }
            for _ in 0..<7 { gate.signal() }
            try await group.waitForAll()
            #expect(error?.code == .stateLost && !parts.text.isEmpty && !parts.text.contains("changed"))
        }
    }

    // MARK: Files

    @Test func `a file appears when it is complete, and replaces another one only if that is said`() async throws {
        let folder = try TemporaryFolder()
        let stack = try await pair()
        let url = folder.file("members.json")
        try await stack.exportRows(entityName: "Member", to: .file(url))
        let text = try String(contentsOf: url, encoding: .utf8)
        #expect(try await Club.export(stack).text == text)
        let error = await #expect(throws: FormatError.self) {
            try await stack.exportRows(entityName: "Tag", to: .file(url))
        }
        #expect(error?.code == .fileExists)
        #expect(try String(contentsOf: url, encoding: .utf8) == text)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
        try await stack.exportRows(entityName: "Tag", to: .file(url), options: ExportOptions(replacesFile: true))
        #expect(try String(contentsOf: url, encoding: .utf8) == "[]\n")
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["members.json"])
    }

    @Test func `an export that fails leaves no file, and the one that was there`() async throws {
        let folder = try TemporaryFolder()
        let stack = try Club.stack()
        try Club.fill(stack, count: 600)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let last = try #require(try context.fetch(FetchRequest(entityName: "Member")).first)
        // Written last, since the order is that of the keys.
        try last.setValue(.int(10_000), forKey: "id")
        let lost = try context.insert(context.entity(named: "Member"))
        try last.setValue(.object(lost.anyObjectID), forKey: "mentor")
        try context.save()
        context.endTurn()
        for replaces in [false, true] {
            let url = folder.file("members.json")
            if replaces { try Data("before".utf8).write(to: url) }
            await #expect(throws: FormatError.self) {
                try await stack.exportRows(
                    entityName: "Member", %"id" >= 0, to: .file(url), options: ExportOptions(replacesFile: replaces))
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            #expect(names == (replaces ? ["members.json"] : []))
        }
        #expect(try String(contentsOf: folder.file("members.json"), encoding: .utf8) == "before")
        let missing = await #expect(throws: FormatError.self) {
            try await stack.exportRows(entityName: "Tag", to: .file(folder.file("none/a.json")))
        }
        #expect(missing?.code == .unwritableFile)
    }

    @Test func `a cancelled export ends, and so does one whose sink fails`() async throws {
        struct Full: Error {}
        let stack = try Club.stack()
        try Club.fill(stack, count: 1_200)
        await #expect(throws: Full.self) {
            try await stack.exportRows(entityName: "Member", to: .sink { _ in throw Full() })
        }
        let folder = try TemporaryFolder()
        await #expect(throws: CancellationError.self) {
            var options = ExportOptions()
            options.progress = { _ in withUnsafeCurrentTask { $0?.cancel() } }
            let task = Task { [options] in
                try await stack.exportRows(entityName: "Member", to: .file(folder.file("a.json")), options: options)
            }
            _ = try await task.value
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }
}

/// The parts that a sink was handed.
private final class Parts: Sendable {
    private let data = Locked(Data())
    var text: String { String(decoding: data.withLock { $0 }, as: UTF8.self) }
    @Sendable func add(_ part: Data) { data.withLock { $0.append(part) } }
}
