import DataMonk
import Foundation
import Testing

/// A request that exceeds a limit of SQLite is refused by name before anything runs; others are answered as in memory.
@Suite struct `Limits of queries` {
    private static let model = Result {
        try ManagedObjectModel {
            EntityDescription("Node") {
                AttributeDescription("name", .string)
                AttributeDescription("weight", .double)
                RelationshipDescription("left", to: "Node", inverse: "ofLeft")
                RelationshipDescription("right", to: "Node", inverse: "ofRight")
                RelationshipDescription("ofLeft", to: "Node", inverse: "left", isToMany: true)
                RelationshipDescription("ofRight", to: "Node", inverse: "right", isToMany: true)
                RelationshipDescription("others", to: "Node", inverse: "ofOthers", isToMany: true)
                RelationshipDescription("ofOthers", to: "Node", inverse: "others", isToMany: true)
            }
            EntityDescription("Leaf", superentityName: "Node", properties: [])
        }
    }

    private let folder: TemporaryFolder
    private let stack: Stack
    private let context: ManagedObjectContext

    init() throws {
        folder = try TemporaryFolder()
        stack = Stack(model: try Self.model.get())
        try stack.addDatabaseStore(fileURL: folder.file("nodes.sqlite"), synchronous: .normal)
        context = ManagedObjectContext(coordinator: stack.coordinator)
        let nodes = try (0..<3).map { number in
            let node = try context.insert(try #require(stack.model.entitiesByName["Node"]))
            try node.setValue(.string("\(number)"), forKey: "name")
            try node.setValue(.double(Double(number)), forKey: "weight")
            return node
        }
        for (number, node) in nodes.enumerated() {
            try node.setValue(.object(nodes[(number + 1) % 3].anyObjectID), forKey: "left")
            try node.setValue(.object(nodes[(number + 2) % 3].anyObjectID), forKey: "right")
        }
        try context.save()
    }

    /// A path of some to-ones, which begins with `first` and has no other first step in common with other paths.
    private func path(_ first: String, _ length: Int) -> String {
        ([first] + Array(repeating: "left", count: length - 1)).joined(separator: ".")
    }

    private func expectRefusal(_ limit: String, _ body: () throws -> some Any) {
        let error = #expect(throws: FetchError.self) { _ = try body() }
        #expect(error?.code == .unsupportedByStore && error?.entityName == "Node", "\(error as Any)")
        #expect(error?.message.contains(limit) == true)
    }

    private func sorted(by terms: [SortTerm]) -> FetchRequest {
        var request = FetchRequest(entityName: "Node")
        request.sortTerms = terms
        return request
    }

    /// With the fetched one there are 64 tables, and then 65.
    @Test(arguments: [0, 1]) func `of tables in one statement`(excess: Int) throws {
        let paths = [path("left", 31), path("right", 31), "left.right" + (excess == 1 ? ".right" : "")]
        let terms = paths.map { SortTerm("\($0).name") }
        let condition = Condition.and(paths.map { .compare("\($0).name", .notEqual, "nobody") })
        for request in [sorted(by: terms), FetchRequest(entityName: "Node", condition: condition)] {
            if excess == 1 {
                expectRefusal("64 tables") { try context.fetch(request) }
                expectRefusal("64 tables") { try context.explain(request) }
            } else {
                #expect(try context.fetch(request).count == 3)
            }
        }
    }

    /// A statement over the members of a to-many is one of its own.
    @Test(arguments: ["others", "ofLeft"]) func `of tables behind a to-many relationship`(first: String) throws {
        let path = ([first] + Array(repeating: "left", count: 30)).joined(separator: ".")
        let any = Condition.compare("\(path).name", .notEqual, "nobody", modifier: .any)
        #expect(try context.count(FetchRequest(entityName: "Node", condition: any)) <= 3)
        let third = "left.right" + String(repeating: ".left", count: 10)
        let members = ConditionExpression.subquery(
            .keyPath(first), variable: "x",
            .and(
                [self.path("left", 28), self.path("right", 28), third].map {
                    .comparison(.init(.path(.variable("x"), "\($0).name"), .notEqual, .value("nobody")))
                }))
        let condition = Condition.comparison(.init(.path(members, "@count"), .greaterThan, .value(0)))
        expectRefusal("64 tables") { try context.count(FetchRequest(entityName: "Node", condition: condition)) }
    }

    @Test func `of terms and columns`() throws {
        let terms = (0..<1_000).map { SortTerm($0 % 2 == 0 ? "name" : "weight") }
        #expect(try context.fetch(sorted(by: terms)).count == 3)
        var rows = FetchRequest(entityName: "Node")
        rows.resultType = .dictionaries
        // Each takes two columns: the key and the entity.
        rows.propertiesToFetch = (0..<1_000).map { .init($0 % 2 == 0 ? "left" : "right", alias: "c\($0)") }
        #expect(try context.values(rows).count == 3)
    }

    @Test func `of constants, in each part of a batch update and in both together`() throws {
        func part(_ count: Int) -> Condition {
            .compare("weight", .isIn, .list((0..<count).map { .double(Double($0) + 0.5) }))
        }
        for (first, second) in [(40_000, 0), (0, 40_000), (20_000, 20_000)] {
            let seven = ConditionExpression.value(.double(7))
            let weight = first == 0 ? seven : .conditional(part(first), then: seven, else: .keyPath("weight"))
            let request = BatchUpdateRequest(
                entityName: "Node", condition: second == 0 ? nil : .not(part(second)),
                propertiesToUpdate: ["weight": weight])
            expectRefusal("32766") { try context.execute(request) }
        }
        let names = try context.fetch(FetchRequest(entityName: "Node")).map { try $0.value(forKey: "weight") }
        #expect(Set(names) == [.double(0), .double(1), .double(2)])
    }
}
