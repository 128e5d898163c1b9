import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Exports of which an import must make the same again: they are, or nothing is written.
@Suite struct `Exports that an import would read otherwise` {
    private func stack() throws -> Stack {
        let stack = Stack(
            model: try ManagedObjectModel {
                // Two attributes could be its key.
                EntityDescription("Seat", uniquenessConstraints: [["number"], ["code"]]) {
                    AttributeDescription("number", .integer64)
                    AttributeDescription("code", .string)
                    RelationshipDescription("hall", to: "Hall", inverse: "seats")
                }
                EntityDescription("Hall", userInfo: ["relatedByAttribute": "id"]) {
                    AttributeDescription("id", .integer64)
                    RelationshipDescription("seats", to: "Seat", inverse: "hall", isToMany: true)
                    RelationshipDescription("owner", to: "Party", inverse: "halls")
                    RelationshipDescription("guest", to: "Person", inverse: "visited")
                    RelationshipDescription("lamp", to: "Lamp", inverse: "hall")
                }
                EntityDescription("Party", isAbstract: true, userInfo: ["relatedByAttribute": "name"]) {
                    AttributeDescription("name", .string)
                    RelationshipDescription("halls", to: "Hall", inverse: "owner", isToMany: true)
                }
                EntityDescription("Person", superentityName: "Party") {
                    AttributeDescription("born", .date)
                    RelationshipDescription("visited", to: "Hall", inverse: "guest", isToMany: true)
                }
                EntityDescription("Employee", superentityName: "Person") { AttributeDescription("wage", .integer64) }
                EntityDescription("Lamp") {
                    AttributeDescription("watts", .integer64)
                    RelationshipDescription("hall", to: "Hall", inverse: "lamp")
                }
                EntityDescription("Candle", superentityName: "Lamp", properties: [])
            })
        try stack.addInMemoryStore()
        return stack
    }

    /// Bands play at several festivals, and have songs with verses and a label with artists, none of which has a key.
    private func festivals() throws -> Stack {
        let stack = Stack(
            model: try ManagedObjectModel {
                EntityDescription("Festival", userInfo: ["relatedByAttribute": "id"]) {
                    AttributeDescription("id", .integer64)
                    RelationshipDescription("bands", to: "Band", inverse: "festivals", isToMany: true)
                }
                EntityDescription("Band", userInfo: ["relatedByAttribute": "id"]) {
                    AttributeDescription("id", .integer64)
                    RelationshipDescription("festivals", to: "Festival", inverse: "bands", isToMany: true)
                    RelationshipDescription("songs", to: "Song", inverse: "band", isToMany: true, isOrdered: true)
                    RelationshipDescription("label", to: "Company", inverse: "band")
                }
                EntityDescription("Song") {
                    AttributeDescription("title", .string)
                    RelationshipDescription("band", to: "Band", inverse: "songs")
                    RelationshipDescription("verses", to: "Verse", inverse: "song", isToMany: true, isOrdered: true)
                }
                EntityDescription("Verse") {
                    AttributeDescription("text", .string)
                    RelationshipDescription("song", to: "Song", inverse: "verses")
                }
                EntityDescription("Company") {
                    AttributeDescription("name", .string)
                    RelationshipDescription("band", to: "Band", inverse: "label")
                    RelationshipDescription("artists", to: "Artist", inverse: "company", isToMany: true)
                }
                EntityDescription("Artist") {
                    AttributeDescription("name", .string)
                    RelationshipDescription("company", to: "Company", inverse: "artists")
                }
            })
        try stack.addInMemoryStore()
        return stack
    }

    /// What a stack has, by the texts of its objects.
    private func programs(of stack: Stack) throws -> [String] {
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        defer { context.endTurn() }
        var request = FetchRequest(entityName: "Festival")
        request.sortTerms = [SortTerm("id")]
        let programs = try context.fetch(request).map { festival in
            try festival.objects(forKey: "bands").map { band in
                let label = try band.object(forKey: "label")
                let artists = try label?.objects(forKey: "artists").map { "\(try $0.value(forKey: "name"))" } ?? []
                let songs = try band.objects(forKey: "songs").map { song in
                    let verses = try song.objects(forKey: "verses").map { "\(try $0.value(forKey: "text"))" }
                    return "\(try song.value(forKey: "title")) \(verses)"
                }
                return "\(try band.value(forKey: "id")) \(songs) \(artists.sorted())"
            }.sorted().joined(separator: "; ")
        }
        let counts = try ["Song", "Verse", "Company", "Artist"].map { try context.count(FetchRequest(entityName: $0)) }
        return programs + counts.map { "\($0)" }
    }

    @Test(arguments: ["Festival", "Band"], [2, 3, 4])
    func `have the members without a key of an object once, wherever it is`(entity: String, depth: Int) async throws {
        let (stack, copy) = (try festivals(), try festivals())
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let festivals = try (0..<3).map { try context.insert("Festival", ["id": .int($0)]) }
        for number in 0..<4 {
            let band = try context.insert("Band", ["id": .int(Int64(number))])
            try band.setObjects(Array(festivals.dropFirst(number % 2).prefix(2)), forKey: "festivals")
            let songs = try ["a", "b"].map { title in
                let song = try context.insert("Song", ["title": .string("\(title) \(number)")])
                try song.setObjects(
                    (0..<2).map { try context.insert("Verse", ["text": .string("\(title).\($0)")]) }, forKey: "verses")
                return song
            }
            try band.setObjects(songs, forKey: "songs")
            let label = try context.insert("Company", ["name": .string("label \(number)")])
            let artists = try (0..<2).map { try context.insert("Artist", ["name": .string("\(number).\($0)")]) }
            try label.setObjects(artists, forKey: "artists")
            try band.setValue(.object(label.anyObjectID), forKey: "label")
        }
        try context.save()
        context.endTurn()
        let options = ExportOptions(format: .jsonLines, depth: depth + (entity == "Festival" ? 1 : 0))
        if depth == 3 {
            // A band that comes first inside of another one's festival has its songs there without their verses.
            let error = await #expect(throws: FormatError.self) { try await Club.export(stack, entity, options) }
            #expect(error?.code == .unsupportedExport && error?.key == "songs", "\(error as Any)")
            #expect(error?.message.contains("Choose another depth") == true)
            return
        }
        let export = try await Club.export(stack, entity, options)
        let report = try await copy.importRows(entityName: entity, from: JSONLines(.text(export.text)))
        #expect(report.failed == 0, "\(report.failures)")
        #expect(try programs(of: copy) == programs(of: stack))
    }

    @Test func `are not refused where the depth has left out nothing`() async throws {
        let (stack, copy) = (try festivals(), try festivals())
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let festival = try context.insert("Festival", ["id": 1])
        for number in 0..<3 {
            let band = try context.insert("Band", ["id": .int(Int64(number))])
            try band.setObjects([festival], forKey: "festivals")
            let titles = ["a", "b"].prefix(number)
            try band.setObjects(titles.map { try context.insert("Song", ["title": .string($0)]) }, forKey: "songs")
        }
        try context.save()
        context.endTurn()
        // Bands come first inside of another one's festival, where there is no room for verses.
        let export = try await Club.export(stack, "Band", ExportOptions(format: .jsonLines, depth: 3))
        let report = try await copy.importRows(entityName: "Band", from: JSONLines(.text(export.text)))
        #expect(report.failed == 0, "\(report.failures)")
        #expect(try programs(of: copy) == programs(of: stack))
    }

    private static let formats: [ExportFormat] = [.json, .jsonLines, .csv(CSVFormat())]

    @Test(arguments: formats) func `are refused if several attributes tell their rows apart`(format: ExportFormat)
        async throws
    {
        let error = await #expect(throws: ImportError.self) {
            try await Club.export(stack(), "Seat", ExportOptions(format: format))
        }
        #expect(error?.code == .invalidMapping && error?.entityName == "Seat", "\(error as Any)")
    }

    @Test(arguments: formats) func `are refused if their rows are of an abstract entity`(format: ExportFormat)
        async throws
    {
        let error = await #expect(throws: FormatError.self) {
            try await Club.export(stack(), "Party", ExportOptions(format: format))
        }
        #expect(error?.code == .unsupportedExport && error?.message.hasPrefix("Party is abstract") == true)
    }

    @Test func `leave out objects that several attributes tell apart, to any depth`() async throws {
        let options = ExportOptions(format: .jsonLines, depth: 2)
        #expect(try await Club.export(stack(), "Hall", options).report.omitted.contains("Hall.seats"))
        let error = await #expect(throws: FormatError.self) {
            try await Club.export(stack(), "Hall", ExportOptions(properties: ["id", "seats"], depth: 2))
        }
        #expect(error?.message.contains("no import can tell apart") == true, "\(error as Any)")
    }

    private func addHall(
        to stack: Stack, _ change: @escaping @Sendable (Update, ManagedObject) throws -> Void
    ) async throws {
        try await Context(stack: stack).update { update in
            let hall = try update.create(entityName: "Hall")
            try hall.setValue(.int(1), forKey: "id")
            try change(update, hall)
            try update.commit()
        }
    }

    @Test func `have objects of sub-entities by their keys, which an import finds`() async throws {
        let stack = try stack()
        try await addHall(to: stack) { update, hall in
            for (key, name) in [("owner", "Ann"), ("guest", "Ben")] {
                let person = try update.create(entityName: "Employee")
                try person.setValue(.string(name), forKey: "name")
                try hall.setValue(.object(person.anyObjectID), forKey: key)
            }
        }
        let options = ExportOptions(format: .jsonLines, properties: ["id", "owner", "guest"], depth: 1)
        let halls = try await Club.export(stack, "Hall", options).text
        #expect(halls == #"{"id":1,"owner":"Ann","guest":"Ben"}"# + "\n")
        let copy = try self.stack()
        let people = try await Club.export(
            stack, "Employee", ExportOptions(format: .jsonLines, properties: ["name", "wage"])
        ).text
        for (name, text) in [("Employee", people), ("Hall", halls)] {
            let report = try await copy.importRows(entityName: name, from: JSONLines(.text(text)))
            #expect(report.failed == 0 && report.relatedInserted == 0, "\(report.failures)")
        }
        #expect(try await Club.export(copy, "Hall", options).text == halls)
    }

    @Test func `are refused with objects of sub-entities without a key`() async throws {
        let stack = try stack()
        try await addHall(to: stack) { update, hall in
            try hall.setValue(.object(update.create(entityName: "Candle").anyObjectID), forKey: "lamp")
        }
        let error = await #expect(throws: FormatError.self) {
            try await Club.export(stack, "Hall", ExportOptions(depth: 1))
        }
        #expect(error?.code == .unsupportedExport && error?.key == "lamp", "\(error as Any)")
        #expect(error?.message.contains("Name an attribute of Lamp by relatedByAttribute") == true)
    }

    @Test(arguments: [CSVFormat.EmptyCell.nullUnlessQuoted, .null, .text])
    func `are refused if empty cells are read as something else`(emptyCells: CSVFormat.EmptyCell) async throws {
        let stack = try Club.stack()
        try await Context(stack: stack).update { update in
            for (id, name) in [(1, ManagedValue.string("")), (2, .null)] {
                let member = try update.create(entityName: "Member")
                try member.setValue(.int(Int64(id)), forKey: "id")
                try member.setValue(name, forKey: "name")
            }
            try update.commit()
        }
        let format = ExportFormat.csv(CSVFormat(emptyCells: emptyCells, lineEnd: .lf))
        let options = ExportOptions(format: format, properties: ["id", "name"])
        if emptyCells == .nullUnlessQuoted {
            #expect(try await Club.export(stack, "Member", options).text == "id,full.name\n1,\"\"\n2,\n")
            return
        }
        let error = await #expect(throws: FormatError.self) { try await Club.export(stack, "Member", options) }
        let (problem, reading) = emptyCells == .null ? ("1 is an empty text", "null") : ("2 is null", "an empty text")
        #expect(error?.code == .unsupportedExport && error?.key == "full.name")
        #expect(error?.message.contains(problem) == true && error?.message.contains("reads \(reading)") == true)
    }

    @Test func `are none with dates just before 2001`() async throws {
        var random = SeededGenerator(seed: 1)
        let stack = try Club.stack()
        let dates =
            [-0.3, -0.1, -1e-17, -Double.leastNonzeroMagnitude, -0.5, -0.7, -1.0.nextUp, -1, -1.3, -0.0001, 0.3, 1e-17]
            + (0..<200).map { _ in -Double.random(in: 0..<1.5, using: &random) }
        try await Context(stack: stack).update { update in
            for (id, date) in dates.enumerated() {
                let member = try update.create(entityName: "Member")
                try member.setValue(.int(Int64(id)), forKey: "id")
                try member.setValue(.date(Date(timeIntervalSinceReferenceDate: date)), forKey: "born")
            }
            try update.commit()
        }
        let options = ExportOptions(format: .jsonLines, properties: ["id", "born"])
        let text = try await Club.export(stack, "Member", options).text
        #expect(text.hasPrefix(#"{"id":0,"born":"2000-12-31T23:59:59.7Z"}"#), "\(text.prefix(100))")
        let copy = try Club.stack()
        try await copy.importRows(entityName: "Member", from: JSONLines(.text(text)))
        let read = try await Context(stack: copy).read { reader in
            try reader.fetchAll(entityName: "Member", orderBy: .Ascending("id")).map { member in
                guard case .date(let date) = try member.value(forKey: "born") else { return Double.nan }
                return date.timeIntervalSinceReferenceDate
            }
        }
        #expect(read == dates)
    }
}
