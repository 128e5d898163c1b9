import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Rows of values about objects that lie in two stores are those that one store with all of them would give.
@Suite struct `Rows of values from two stores` {
    /// The place of the objects that the two stores are compared with, and of the second of the two.
    enum Kind: CaseIterable { case file, memory }

    private let folder: TemporaryFolder
    private let model: ManagedObjectModel

    init() throws {
        folder = try TemporaryFolder()
        let names = ["Box", "Item", "Parcel"]
        model = try ManagedObjectModel(configurations: ["all": names, "first": names, "second": names]) {
            EntityDescription("Box") {
                AttributeDescription("name", .string)
                RelationshipDescription("items", to: "Item", inverse: "box", isToMany: true)
            }
            EntityDescription("Item") {
                AttributeDescription("name", .string)
                AttributeDescription("number", .integer64)
                AttributeDescription("length", .double)
                AttributeDescription("price", .decimal)
                AttributeDescription("isNew", .boolean)
                AttributeDescription("day", .date)
                RelationshipDescription("box", to: "Box", inverse: "items")
            }
            EntityDescription("Parcel", superentityName: "Item", properties: [])
        }
    }

    /// Returns contexts over the same objects in one store and in two.
    private func stages(
        _ kind: Kind, count: Int = 40
    ) throws -> (one: ManagedObjectContext, two: ManagedObjectContext) {
        let (one, two) = (Stack(model: model), Stack(model: model))
        let second = folder.file("second.sqlite")
        try two.addDatabaseStore(fileURL: folder.file("first.sqlite"), configuration: "first", synchronous: .normal)
        switch kind {
        case .file:
            try one.addDatabaseStore(fileURL: folder.file("all.sqlite"), configuration: "all", synchronous: .normal)
            try two.addDatabaseStore(fileURL: second, configuration: "second", synchronous: .normal)
        case .memory:
            try one.addInMemoryStore(configuration: "all")
            try two.addInMemoryStore(configuration: "second")
        }
        try Self.fill(ManagedObjectContext(coordinator: one.coordinator), count) { _ in }
        let filling = ManagedObjectContext(coordinator: two.coordinator)
        try Self.fill(filling, count) { try filling.assign($0, toStoreAt: kind == .file ? second : nil) }
        return (
            ManagedObjectContext(coordinator: one.coordinator), ManagedObjectContext(coordinator: two.coordinator)
        )
    }

    /// Inserts boxes and their items, and hands every other box and its items to `assign`.
    private static func fill(
        _ context: ManagedObjectContext, _ count: Int, _ assign: (ManagedObject) throws -> Void
    ) throws {
        var generator = SeededGenerator(seed: 7)
        func value(_ make: (Int) -> ManagedValue) -> ManagedValue {
            let number = Int.random(in: 0..<6, using: &generator)
            return number == 5 ? .null : make(number - 2)
        }
        var boxes: [ManagedObject] = []
        for number in 0..<(count == 0 ? 0 : 4) {
            let box = try context.insert("Box", ["name": .string("box \(number % 3)")])
            if number % 2 == 1 { try assign(box) }
            boxes.append(box)
        }
        for number in 0..<count {
            let item = try context.insert(
                number % 4 == 0 ? "Parcel" : "Item",
                [
                    "name": value { .string("n\($0)") }, "number": value { .int(Int64($0)) },
                    // Multiples of 1/8 add up exactly in every order, as SQL adds them.
                    "length": value { .double(Double($0) / 8) }, "price": value { .decimal(Decimal($0) / 10) },
                    "isNew": value { .bool($0 > 0) },
                    "day": value { .date(Date(timeIntervalSinceReferenceDate: Double($0) * 100)) },
                ])
            if number % 2 == 1 { try assign(item) }
            if number % 5 > 0 { try item.setValue(.object(boxes[number % 4].anyObjectID), forKey: "box") }
        }
        try context.save()
    }

    // MARK: Random requests

    private static let keys = ["name", "number", "length", "price", "isNew", "day", "box.name", "entity.name"]
    private static let numbers = ["number", "length", "price"]
    private static let calculations = [
        "number * 2 + length", "@sum.price / @count", "max:(length) - min:(length)", "average:(number)", "@sum.number",
        "box.items.@count", "sum:(number * price)",
    ]

    private static func request(_ generator: inout SeededGenerator) throws -> FetchRequest {
        func int(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
        func pick<Element>(_ elements: [Element]) -> Element { elements[int(elements.count)] }
        var request = FetchRequest(entityName: pick(["Item", "Item", "Item", "Parcel"]))
        request.resultType = .dictionaries
        if int(3) == 0 { request.condition = .compare("number", .greaterThan, .int(Int64(int(7)) - 3)) }
        request.propertiesToGroupBy = (0..<int(3)).map { _ in pick(keys) }
        let isAggregated = !request.propertiesToGroupBy.isEmpty || int(2) == 0
        for column in 0...int(3) {
            let functions = FetchRequest.Selection.Function.allCases
            let isCalculated = int(4) == 0
            let key = pick(isAggregated && int(3) > 0 ? numbers : keys)
            let expression = try isCalculated ? ConditionExpression(format: pick(calculations)) : .keyPath(key)
            let isPlain = !isAggregated || isCalculated && int(2) == 0
            let function = isPlain ? nil : numbers.contains(key) || isCalculated ? pick(functions) : .count
            request.propertiesToFetch.append(.init(function, of: expression, alias: "c\(column)"))
        }
        request.propertiesToFetch += request.propertiesToGroupBy.enumerated().map { .init($1, alias: "g\($0)") }
        if isAggregated, int(3) == 0 { request.propertiesToFetch.append(.init(.count, of: "self", alias: "n")) }
        if !request.propertiesToGroupBy.isEmpty, int(2) == 0 {
            request.havingCondition = .compare(pick(["@count", "c0", "@sum.number"]), .greaterThan, 1)
        }
        request.returnsDistinctResults = int(4) == 0
        if int(2) == 0 {
            // Sorted by every column, equal rows are the same rows.
            request.sortTerms = request.propertiesToFetch.map { SortTerm($0.alias, ascending: int(2) == 0) }
            request.fetchLimit = int(2) == 0 ? int(8) : 0
            request.fetchOffset = int(2) == 0 ? int(4) : 0
        }
        return request
    }

    /// The rows as texts; the error's text if there is one. Standard deviations depend on the order of the values in their
    /// last digits.
    private static func answer(_ request: FetchRequest, _ context: ManagedObjectContext) -> [String] {
        do {
            let texts = try context.values(request).map { row in
                zip(request.propertiesToFetch, row).map { column, value in
                    if column.function == .standardDeviation, case .decimal(let number) = value {
                        return String(format: "%.10f", NSDecimalNumber(decimal: number).doubleValue)
                    }
                    return value == .double(0) ? "zero" : "\(value)"
                }.joined(separator: " | ")
            }
            return request.sortTerms.isEmpty ? texts.sorted() : texts
        } catch {
            return ["\(error)"]
        }
    }

    @Test(arguments: Kind.allCases)
    func `300 random requests have the same answers`(kind: Kind) throws {
        let (one, two) = try stages(kind)
        var generator = SeededGenerator(seed: 300)
        var answered = 0
        for number in 0..<300 {
            let request = try Self.request(&generator)
            let expected = Self.answer(request, one)
            #expect(Self.answer(request, two) == expected, "request \(number): \(request)")
            if (try? one.values(request)) != nil { answered += 1 }
        }
        #expect(answered > 150)
    }

    // MARK: Cases

    @Test(arguments: Kind.allCases)
    func `aggregates of nothing are one row, and groups of nothing none`(kind: Kind) throws {
        let (_, two) = try stages(kind, count: 0)
        var request = FetchRequest(entityName: "Item")
        request.propertiesToFetch = FetchRequest.Selection.Function.allCases.map {
            .init($0, of: "number", alias: $0.name)
        }
        #expect(try two.values(request) == [[0, nil, nil, nil, nil, nil, nil]])
        request.propertiesToGroupBy = ["name"]
        #expect(try two.values(request).isEmpty)
    }

    @Test(arguments: Kind.allCases)
    func `sums beyond 64 bits, and of decimals, are exact across stores`(kind: Kind) throws {
        let (_, two) = try stages(kind, count: 0)
        for number in 0..<2 {
            let item = try two.insert("Item", ["number": .int(.max), "price": .decimal(Decimal(number) + 1)])
            if number == 1 { try two.assign(item, toStoreAt: kind == .file ? folder.file("second.sqlite") : nil) }
        }
        try two.save()
        var request = FetchRequest(entityName: "Item")
        request.propertiesToFetch = [
            .init(.sum, of: "number", alias: "sum"), .init(.average, of: "price", alias: "mean"),
            .init(.count, of: "self", alias: "count"),
        ]
        let mean = try #require(Decimal(string: "1.5"))
        #expect(try two.values(request) == [[.decimal(Decimal(Int64.max) * 2), .decimal(mean), 2]])
    }

    @Test func `each store counts its own, and the plan says so`() throws {
        let (_, two) = try stages(.file)
        var request = FetchRequest(entityName: "Item")
        request.resultType = .dictionaries
        request.propertiesToFetch = [.init(.count, of: "self", alias: "count")]
        #expect(try two.values(request) == [[40]])
        let plans = try two.explain(request).plans
        #expect(plans.count == 2 && plans.allSatisfy { $0.statement?.contains("COUNT(*)") == true })
    }
}
