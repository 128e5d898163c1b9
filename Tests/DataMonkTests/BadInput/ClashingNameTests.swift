import DataMonk
import Testing

/// Models in which Core Data's rules give the same name to two indexes or tables of a file.
@Suite struct `Names that clash in a file` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Makes a store of some entities, closes it and opens it again.
    private func reopened(_ entities: [EntityDescription]) throws -> Stack {
        let url = folder.file("names.sqlite")
        for _ in 0..<2 {
            let stack = Stack(model: try ManagedObjectModel(entities: entities))
            try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
            try stack.close()
        }
        let stack = Stack(model: try ManagedObjectModel(entities: entities))
        try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
        return stack
    }

    private func entity(
        _ name: String, superentityName: String? = nil, _ attributes: [String], unique: [[String]] = [],
        indexes: [FetchIndexDescription] = []
    ) -> EntityDescription {
        EntityDescription(
            name, superentityName: superentityName,
            properties: attributes.map { .attribute(AttributeDescription($0, .string)) },
            uniquenessConstraints: unique, indexes: indexes)
    }

    /// Saves two objects with the same values of some attributes, of which the second is refused.
    private func expectUnique(_ attributes: [String], of name: String, in stack: Stack) throws {
        func save() throws {
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            let object = try context.insert(try #require(stack.model.entitiesByName[name]))
            for attribute in attributes { try object.setValue("x", forKey: attribute) }
            try context.save()
        }
        try save()
        let error = #expect(throws: SaveError.self) { try save() }
        #expect(error?.code == .constraintConflict)
    }

    // MARK: Indexes

    @Test func `two constraints of one entity are both kept`() throws {
        let stack = try reopened([entity("E", ["a", "b", "a_b"], unique: [["a_b"], ["a", "b"]])])
        try expectUnique(["a", "b"], of: "E", in: stack)
        try expectUnique(["a_b"], of: "E", in: stack)
    }

    @Test func `a constraint is kept beside an index of its name`() throws {
        let index = FetchIndexDescription("UNIQUE_email", on: ["name"])
        let stack = try reopened([entity("E", ["name", "email"], unique: [["email"]], indexes: [index])])
        try expectUnique(["email"], of: "E", in: stack)
    }

    @Test func `a constraint is kept beside an index of a sub-entity`() throws {
        let index = FetchIndexDescription("x", on: ["y"])
        let stack = try reopened([
            entity("A", ["x"], unique: [["x"]]),
            entity("A_UNIQUE", superentityName: "A", ["y"], indexes: [index]),
        ])
        try expectUnique(["x"], of: "A", in: stack)
    }

    @Test func `a constraint is kept beside an index of another table`() throws {
        let stack = try reopened([
            entity("A", ["UNIQUE_b"], unique: [["UNIQUE_b"]]), entity("A_UNIQUE", ["b"], unique: [["b"]]),
        ])
        try expectUnique(["UNIQUE_b"], of: "A", in: stack)
        try expectUnique(["b"], of: "A_UNIQUE", in: stack)
    }

    @Test func `indexes of two tables have one name`() throws {
        let stack = try reopened([
            entity("A", ["a"], indexes: [FetchIndexDescription("B_x", on: ["a"])]),
            entity("A_B", ["a"], indexes: [FetchIndexDescription("x", on: ["a"])]),
        ])
        #expect(try ManagedObjectContext(coordinator: stack.coordinator).count(FetchRequest(entityName: "A_B")) == 0)
    }

    @Test func `an index has the name of a table`() throws {
        let stack = try reopened([
            entity("A", ["a"], indexes: [FetchIndexDescription("x", on: ["a"])]), entity("_A_x", ["a"]),
        ])
        #expect(try ManagedObjectContext(coordinator: stack.coordinator).count(FetchRequest(entityName: "_A_x")) == 0)
    }

    // MARK: Tables

    @Test(arguments: ["_METADATA", "_PrimaryKey", "_MODELCACHE"])
    func `a table of every store is named with the entity`(name: String) throws {
        let error = try #require(throws: ModelError.self) { _ = try reopened([entity(name, ["a"])]) }
        #expect(error.problems.map(\.entityName) == [name])
        #expect(error.problems.map(\.kind) == [.duplicateName])
    }

    @Test func `a many-to-many relationship is named with the entity that has its table's name`() throws {
        let friends = RelationshipDescription("friends", to: "Person", inverse: "friends", isToMany: true)
        let person = EntityDescription("Person", properties: [.relationship(friends)])
        // An underscore comes before letters, so Person is the second entity.
        let error = try #require(throws: ModelError.self) { _ = try reopened([entity("_2FRIENDS", ["a"]), person]) }
        let problem = try #require(error.problems.first)
        #expect(problem.entityName == "Person" && problem.propertyName == "friends")
        #expect(problem.message.contains("Z_2FRIENDS") && problem.message.contains("entity _2FRIENDS"))
    }
}
