import DataMonk
import DataMonkTesting

/// Persons with cats and pets, in a store of records.
extension RecordStore {
    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Animal", isAbstract: true) { AttributeDescription("name", .string) }
            EntityDescription("Cat", superentityName: "Animal") {
                RelationshipDescription("keeper", to: "Person", inverse: "cats")
            }
            EntityDescription("Dog", superentityName: "Animal") { AttributeDescription("breed", .string) }
            EntityDescription("Person") {
                AttributeDescription("email", .string)
                AttributeDescription("age", .integer16)
                RelationshipDescription("cats", to: "Cat", inverse: "keeper", isToMany: true, isOrdered: true)
                RelationshipDescription("pet", to: "Animal")
            }
        }
    }

    func open() async throws -> Stack {
        let stack = Stack(model: try Self.model())
        try await stack.addStore(.custom(self))
        return stack
    }

    /// Two persons, 102 with the cats 105 and 104 and the dog 106 as pet, and 103.
    static func filled() async throws -> RecordStore {
        let store = RecordStore()
        let stack = try await store.open()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let persons = try [1, 2].map { number in
            try context.insert("Person", ["email": .string("\(number)"), "age": .int(number)])
        }
        try context.save()
        let cats = try ["Tom", "Tim"].map { try context.insert("Cat", ["name": .string($0)]) }
        try context.save()
        let dog = try context.insert("Dog")
        try persons[0].setObjects(cats.reversed(), forKey: "cats")
        try persons[0].setValue(.object(dog.anyObjectID), forKey: "pet")
        try context.save()
        context.endTurn()
        try stack.close()
        store.reset()
        return store
    }
}
