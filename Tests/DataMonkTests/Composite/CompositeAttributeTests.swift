import DataMonk
import Foundation
import Testing

/// Composite attributes: a group of named values, kept side by side.
@Suite struct `Composite attributes` {
    private static let model = Result {
        try ManagedObjectModel {
            EntityDescription("Person") {
                AttributeDescription("name", .string)
                AttributeDescription(
                    "address", .composite,
                    elements: [
                        AttributeDescription("city", .string), AttributeDescription("zip", .integer32, defaultValue: 1),
                        AttributeDescription("since", .date), AttributeDescription("isHome", .boolean),
                        AttributeDescription("rent", .decimal), AttributeDescription("size", .double),
                        AttributeDescription("key", .uuid), AttributeDescription("page", .uri),
                        AttributeDescription("plan", .binary),
                    ])
                // Its element has a name that is taken in the table.
                AttributeDescription("origin", .composite, elements: [AttributeDescription("city", .string)])
                RelationshipDescription("friend", to: "Person", inverse: "friends")
                RelationshipDescription("friends", to: "Person", isToMany: true)
            }
        }
    }

    private static let address: ManagedValue = [
        "city": "Genève", "zip": 1201, "since": .date(Date(timeIntervalSinceReferenceDate: 700_000_000)),
        "isHome": true,
        "rent": .decimal(Decimal(1234.5)), "size": .double(80.25), "key": .uuid(UUID()),
        "page": .url(URL(filePath: "/a/b")), "plan": .data(Data([0, 1, 255])),
    ]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func stack(_ kind: Gallery.Kind) throws -> Stack {
        let stack = Stack(model: try Self.model.get())
        switch kind {
        case .memory: try stack.addInMemoryStore()
        case .file: try stack.addDatabaseStore(fileURL: folder.file("people.sqlite"), synchronous: .normal)
        }
        return stack
    }

    private func insert(_ name: String, _ context: ManagedObjectContext) throws -> ManagedObject {
        let person = try context.insert(context.coordinator.model.entities[0])
        try person.setValue(.string(name), forKey: "name")
        return person
    }

    private func fetch(_ stack: Stack, _ condition: Condition?, _ order: [SortTerm] = []) throws -> [ManagedValue] {
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        defer { context.endTurn() }
        var request = FetchRequest(entityName: "Person", condition: condition)
        request.sortTerms = order
        return try context.fetch(request).map { try $0.value(forKey: "name") }
    }

    @Test(arguments: Gallery.Kind.allCases)
    func `an unsaved object is found by an element of one`(kind: Gallery.Kind) throws {
        let context = ManagedObjectContext(coordinator: try stack(kind).coordinator)
        let person = try insert("one", context)
        try person.setValue(Self.address, forKey: "address")
        let condition = Condition.compare("address.city", .equal, "Genève")
        #expect(try context.count(FetchRequest(entityName: "Person", condition: condition)) == 1)
        try person.setValue("Bern", forKey: "address.city")
        #expect(try context.count(FetchRequest(entityName: "Person", condition: condition)) == 0)
    }

    @Test(arguments: Gallery.Kind.allCases) func `are dictionaries of their elements`(kind: Gallery.Kind) throws {
        let stack = try stack(kind)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let person = try insert("one", context)
        #expect(try person.value(forKey: "address") == ["zip": 1])
        try person.setValue(Self.address, forKey: "address")
        try context.save()
        let other = ManagedObjectContext(coordinator: stack.coordinator)
        let found = try other.existingObject(with: person.anyObjectID)
        #expect(try found.value(forKey: "address") == Self.address)
        #expect(try found.value(forKey: "address.city") == "Genève")
        #expect(try found.value(forKey: "origin").isNull)
        try found.setValue("Bern", forKey: "address.city")
        try found.setValue("Roma", forKey: "origin.city")
        try other.save()
        try context.refreshAllObjects()
        #expect(try person.value(forKey: "address.city") == "Bern" && person.value(forKey: "address.zip") == 1201)
        #expect(try person.value(forKey: "origin") == ["city": "Roma"])
        try person.setValue(nil, forKey: "address")
        try context.save()
        #expect(try person.value(forKey: "address").isNull)
    }

    @Test func `are reached by key paths across relationships`() throws {
        let context = ManagedObjectContext(coordinator: try stack(.file).coordinator)
        let (one, other) = (try insert("one", context), try insert("other", context))
        try one.setValue(.object(other.anyObjectID), forKeyPath: "friend")
        try one.setValue("Bern", forKeyPath: "friend.address.city")
        #expect(try other.value(forKey: "address.city") == "Bern" && one.value(forKey: "address.city").isNull)
        #expect(try one.value(forKeyPath: "friend.address") == ["city": "Bern", "zip": 1])
        #expect(try other.value(forKeyPath: "address.city") == "Bern")
        #expect(try other.value(forKeyPath: "friends.address.zip") == [1])
        #expect(try other.value(forKeyPath: "friends.@sum.address.zip") == 1)
    }

    @Test(arguments: Gallery.Kind.allCases) func `answer conditions by element`(kind: Gallery.Kind) throws {
        let stack = try stack(kind)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        for (name, city, zip) in [("a", "Bern", 3000), ("b", "Genève", 1201), ("c", "Bern", 3001)] {
            let person = try insert(name, context)
            try person.setValue(["city": .string(city), "zip": .int(Int64(zip))], forKey: "address")
        }
        try context.save()
        #expect(
            try fetch(stack, .compare("address.city", .equal, "Bern"), [SortTerm("address.zip", ascending: false)])
                == ["c", "a"])
        #expect(try fetch(stack, .compare("address.zip", .lessThan, 2_000)) == ["b"])
        #expect(try fetch(stack, .compare("origin.city", .equal, nil)).count == 3)
        let error = try #require(throws: FetchError.self) {
            try fetch(stack, .compare("address.street", .equal, "x"))
        }
        #expect(error.keyPath == "address.street")
    }

    @Test func `are refused values that are none of theirs`() throws {
        let stack = try stack(.memory)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let person = try insert("one", context)
        for value: ManagedValue in ["Bern", ["street": "x"], ["zip": "text"], ["zip": 3_000_000_000]] {
            #expect(throws: FetchError.self) { try person.setValue(value, forKey: "address") }
        }
        #expect(throws: FetchError.self) { try person.value(forKey: "address.street") }
    }

    @Test func `are columns of their elements, as Core Data has them`() throws {
        let stack = try stack(.file)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let person = try insert("one", context)
        try person.setValue(["city": "Bern", "zip": 3000, "isHome": false], forKey: "address")
        try person.setValue("Roma", forKey: "origin.city")
        try context.save()
        #expect(
            try StoreCopy.rows(
                folder.file("people.sqlite"), "SELECT ZCITY, ZCITY1, ZZIP, ZISHOME, ZSINCE FROM ZPERSON")
                == [["Bern", "Roma", "3000", "0", ""]])
    }

    @Test(
        arguments: [
            ["size": .double(.nan)], ["since": .date(Date(timeIntervalSinceReferenceDate: .infinity))],
            ["rent": .decimal(.nan)], ["rent": .decimal(Decimal(sign: .plus, exponent: 101, significand: 1))],
        ] as [[String: ManagedValue]])
    func `refuse what no store can keep`(values: [String: ManagedValue]) throws {
        let context = ManagedObjectContext(coordinator: try stack(.memory).coordinator)
        let person = try insert("Monk", context)
        let error = #expect(throws: FetchError.self) { try person.setValue(.dictionary(values), forKey: "address") }
        #expect(error?.code == .typeMismatch)
    }

    @Test(arguments: Gallery.Kind.allCases) func `round decimals to what a store holds`(kind: Gallery.Kind) throws {
        let stack = try stack(kind)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let rent = try #require(Decimal(string: "1234567890123.45678"))
        try insert("Monk", context).setValue(["rent": .decimal(rent)], forKey: "address")
        try context.save()
        #expect(try fetch(stack, .compare("address.rent", .equal, .decimal(rent))) == ["Monk"])
    }
}
