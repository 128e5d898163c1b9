import DataMonk
import DataMonkFixtures
import DataMonkTesting
import Foundation
import Testing

/// Transformable attributes: Foundation's values, transformers of one's own, and bytes that nobody understands.
@Suite struct `Transformable attributes` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let model = Result {
        try ManagedObjectModel {
            EntityDescription("Note") {
                AttributeDescription("tags", .transformable)
                AttributeDescription("more", .transformable, valueTransformerName: "NSSecureUnarchiveFromData")
                AttributeDescription("color", .transformable, valueTransformerName: "ColorTransformer")
                AttributeDescription("text", .string)
            }
        }
    }

    private func open() throws -> Stack {
        let stack = Stack(model: try Self.model.get())
        try stack.addDatabaseStore(fileURL: folder.file("Notes.sqlite"), synchronous: .normal)
        return stack
    }

    /// A value of every kind that is archived.
    private static let everything: ManagedValue = .dictionary([
        "text": "é 🙂", "empty": "", "int": .int(.min), "bool": true, "no": false, "double": 0.1,
        "date": .date(Date(timeIntervalSinceReferenceDate: 0.25)), "data": .data(Data([0, 255])),
        "decimal": .decimal(Decimal(string: "-12345678901234567890.123") ?? 0), "null": .null,
        "uuid": .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
        "list": .list([1, "two", .list([]), .dictionary(["three": 3])]),
    ])

    @Test func `Foundation's values survive being archived`() throws {
        for value in [Self.everything, "text", 7, 2.5, true, .list([]), .dictionary([:]), .data(Data())] {
            #expect(try Transformable(value).value() == value)
        }
    }

    @Test func `what is archived is what Foundation archives, both ways`() throws {
        let list: NSDictionary = [
            "names": ["a", "ü"], "count": 3, "ratio": 0.5, "when": Date(timeIntervalSinceReferenceDate: 7),
        ]
        let theirs = try NSKeyedArchiver.archivedData(withRootObject: list, requiringSecureCoding: true)
        let expected: ManagedValue = .dictionary([
            "names": .list(["a", "ü"]), "count": 3, "ratio": 0.5,
            "when": .date(Date(timeIntervalSinceReferenceDate: 7)),
        ])
        #expect(try Transformable(data: theirs).value() == expected)
        let classes = [NSDictionary.self, NSArray.self, NSString.self, NSNumber.self, NSDate.self]
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: Transformable(expected).data)
        #expect((read as? NSDictionary)?.isEqual(to: list as? [AnyHashable: Any] ?? [:]) == true)
    }

    @Test func `values are read and written by key, with the transformer that the model names`() throws {
        let stack = try open()
        stack.register(ColorTransformer(), forName: "ColorTransformer")
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let note = try context.insert("Note")
        try note.setTransformedValue(.list(["urgent", "paid"]), forKey: "tags")
        try note.setTransformedValue(Self.everything, forKey: "more")
        try note.setTransformedValue("red", forKey: "color")
        try context.save()
        context.endTurn()
        try stack.close()

        let fresh = try open()
        let reader = ManagedObjectContext(coordinator: fresh.coordinator)
        defer { reader.endTurn() }
        let found = try #require(try reader.fetch(FetchRequest(entityName: "Note")).first)
        #expect(try found.transformedValue(forKey: "tags") == .list(["urgent", "paid"]))
        #expect(try found.transformedValue(forKey: "more") == Self.everything)
        // Nobody has registered it here: the value is its bytes, and they are taken back as they are.
        #expect(try found.transformedValue(forKey: "color") == .data(Data("color:red".utf8)))
        try found.setTransformedValue(.data(Data("color:blue".utf8)), forKey: "color")
        #expect(try found.value(forKey: "color") == .data(Data("color:blue".utf8)))
        let error = try #require(throws: TransformError.self) {
            try found.setTransformedValue("green", forKey: "color")
        }
        #expect(error.code == .unknownTransformer && error.message.contains("ColorTransformer"))
        try found.setTransformedValue(.null, forKey: "tags")
        #expect(try found.transformedValue(forKey: "tags") == .null)
    }

    @Test func `unknown bytes are written back byte for byte`() throws {
        let bytes = Data((0..<300).map { UInt8($0 & 255) })
        let stack = try open()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let note = try context.insert("Note")
        try note.setValue(.data(bytes), forKey: "tags")
        try context.save()
        try note.setValue("edited", forKey: "text")
        try context.save()
        let error = try #require(throws: TransformError.self) { try note.transformedValue(forKey: "tags") }
        #expect(error.code == .damaged)
        try stack.close()
        let rows = try StoreCopy.rows(folder.file("Notes.sqlite"), "SELECT hex(ZTAGS), ZTEXT FROM ZNOTE")
        #expect(rows == [[bytes.map { String(format: "%02X", $0) }.joined(), "edited"]])
    }

    @Test func `other classes are named, other attributes refused`() throws {
        let set = try NSKeyedArchiver.archivedData(withRootObject: NSSet(array: ["a"]), requiringSecureCoding: true)
        let error = try #require(throws: TransformError.self) { try Transformable(data: set).value() }
        #expect(error.code == .unsupportedClass && error.message.contains("NSSet"))
        let stack = try open()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let note = try context.insert("Note")
        let other = try #require(throws: TransformError.self) { try note.transformedValue(forKey: "text") }
        #expect(other.code == .notTransformable)
        #expect(throws: FetchError.self) { try note.transformedValue(forKey: "tag") }
        let id = try #require(throws: TransformError.self) { try Transformable(.object(note.anyObjectID)) }
        #expect(id.code == .unsupportedValue)
        let deep = (0..<60).reduce(ManagedValue.null) { value, _ in .list([value]) }
        #expect(throws: TransformError.self) { try Transformable(deep) }
    }

    @Test(.requiresFixtures("more-stores"))
    func `values of an Apple store with a transformer of its own stay as they are`() throws {
        let copy = try StoreCopy(of: "CoreDataPlus/SampleModel2_V1.sqlite")
        let sql = "SELECT Z_PK, hex(ZCOVER) FROM ZBOOK ORDER BY Z_PK"
        let before = try copy.rows(sql)
        let stack = try copy.openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        for book in try context.fetch(FetchRequest(entityName: "Book")) {
            guard case .data = try book.transformedValue(forKey: "cover") else {
                Issue.record("A cover was read as something else than data.")
                continue
            }
            try book.setTransformedValue(book.transformedValue(forKey: "cover"), forKey: "cover")
            try book.setValue("another title", forKey: "title")
        }
        try context.save()
        context.endTurn()
        try stack.close()
        #expect(try copy.rows(sql) == before && before.count == 52)
    }

    // MARK: Damage

    private static let seed: UInt64 = 17

    @Test func `a thousand damaged values give an error or a value, never a trap`() throws {
        print("seed \(Self.seed)")
        var random = SeededGenerator(seed: Self.seed)
        let originals = [
            try Transformable(Self.everything).data, try Transformable(.list(["a", "b", "a", 1, 1])).data,
            try NSKeyedArchiver.archivedData(
                withRootObject: ["k": [1, 2, [3]]] as NSDictionary, requiringSecureCoding: true),
        ]
        var refused = 0
        for _ in 0..<1_000 {
            var bytes = [UInt8](originals.randomElement(using: &random) ?? Data())
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            do {
                _ = try Transformable(data: Data(bytes)).value()
            } catch {
                #expect([.damaged, .unsupportedClass].contains(error.code))
                refused += 1
            }
        }
        print("\(refused) of 1000 damaged values were refused")
        #expect(refused > 100)
    }
}

private struct ColorTransformer: AttributeTransformer {
    struct NoColor: Error {}

    func value(from data: Data) throws -> ManagedValue {
        .string(String(String(decoding: data, as: UTF8.self).dropFirst("color:".count)))
    }

    func data(from value: ManagedValue) throws -> Data {
        guard case .string(let name) = value else { throw NoColor() }
        return Data("color:\(name)".utf8)
    }
}

#if Macros
    /// Transformable attributes of classes.
    enum Transforming {
        @Entity("TransformingNote") final class Note: ManagedObject {
            var tags: Transformable?
        }
    }

    @Suite struct `Transformable attributes of classes` {
        @Test func `have their type by name`() throws {
            let stack = try Stack(Transforming.Note.self)
            #expect(stack.model.entities[0].attribute(named: "tags")?.type == .transformable)
            try stack.addInMemoryStore()
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            let note = try context.insert(Transforming.Note.self)
            #expect(note.tags == nil)
            note.tags = try Transformable(.list(["a"]))
            try context.save()
            #expect(try note.tags?.value() == .list(["a"]))
            #expect(try note.transformedValue(forKey: "tags") == .list(["a"]))
        }
    }
#endif
