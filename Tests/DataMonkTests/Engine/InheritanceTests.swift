import DataMonk
import Foundation
import Testing

/// A tree of entities: Creature (abstract) over Dog and Cat, Cat over Kitten; keepers have creatures.
private enum Zoo {
    /// The model, once: a model is never freed.
    static let model = Result {
        try ManagedObjectModel {
            EntityDescription("Creature", isAbstract: true) {
                AttributeDescription("name", .string, isOptional: false, defaultValue: "")
                AttributeDescription("age", .integer32, isOptional: false, defaultValue: 0)
                RelationshipDescription("keeper", to: "Keeper", inverse: "creatures")
                RelationshipDescription("rival", to: "Creature", inverse: "rival")
            }
            EntityDescription("Dog", superentityName: "Creature") {
                AttributeDescription("barks", .boolean, isOptional: false, defaultValue: true)
                RelationshipDescription("chases", to: "Cat", inverse: "chasers", isToMany: true)
            }
            EntityDescription("Cat", superentityName: "Creature") {
                AttributeDescription("lives", .integer16, isOptional: false, defaultValue: 9)
                RelationshipDescription("chasers", to: "Dog", isToMany: true)
            }
            EntityDescription("Kitten", superentityName: "Cat") { AttributeDescription("weeks", .integer16) }
            EntityDescription("Keeper") {
                AttributeDescription("name", .string)
                RelationshipDescription("creatures", to: "Creature", isToMany: true)
                RelationshipDescription("pets", to: "Creature", inverse: nil)
            }
        }
    }
}

@Suite struct `Inheritance` {
    /// A stack over the zoo with one store, which lives as long as the contexts that are made on it are used.
    private final class Stage {
        let stack: Stack
        let context: ManagedObjectContext
        private let folder: TemporaryFolder
        private var others: [ManagedObjectContext] = []

        init(_ kind: StoreKind) throws {
            folder = try TemporaryFolder()
            stack = Stack(model: try Zoo.model.get())
            if kind == .memory {
                try stack.addInMemoryStore()
            } else {
                try stack.addDatabaseStore(fileURL: folder.file("zoo.sqlite"), synchronous: .normal)
            }
            context = ManagedObjectContext(coordinator: stack.coordinator)
        }

        @discardableResult
        func insert(_ name: String, _ called: String, age: Int64 = 0) throws -> ManagedObject {
            let object = try context.insert(try #require(stack.model.entitiesByName[name]))
            try object.setValue(.string(called), forKey: "name")
            if age != 0 { try object.setValue(.int(age), forKey: "age") }
            return object
        }

        /// One creature of each kind, saved.
        func fill() throws {
            for (age, name) in ["Dog", "Cat", "Kitten"].enumerated() {
                try insert(name, name.lowercased(), age: Int64(age + 1))
            }
            try context.save()
        }

        func newContext() -> ManagedObjectContext {
            let other = ManagedObjectContext(coordinator: stack.coordinator)
            others.append(other)
            return other
        }

        /// The names of what a fetch finds, in a context that knows nothing.
        func names(
            _ entity: String, _ condition: Condition? = nil, subentities: Bool = true, limit: Int = 0
        ) throws -> [String] {
            var request = FetchRequest(entityName: entity, condition: condition)
            request.includesSubentities = subentities
            request.sortTerms = [SortTerm("age", ascending: false)]
            request.fetchLimit = limit
            let context = newContext()
            let objects = try context.fetch(request)
            #expect(try context.count(request) == objects.count)
            return try objects.map(Self.name)
        }

        static func name(_ object: ManagedObject) throws -> String {
            guard case .string(let name) = try object.value(forKey: "name") else { return "" }
            return name
        }
    }

    @Test(arguments: StoreKind.allCases, [true, false])
    func `a fetch finds objects of every sub-entity, or of the entity alone`(kind: StoreKind, isSaved: Bool) throws {
        let stage = try Stage(kind)
        try stage.fill()
        #expect(try stage.names("Creature") == ["kitten", "cat", "dog"])
        #expect(try stage.names("Cat") == ["kitten", "cat"])
        #expect(try stage.names("Cat", subentities: false) == ["cat"])
        #expect(try stage.names("Creature", subentities: false) == [])
        #expect(try stage.names("Creature", limit: 2) == ["kitten", "cat"])
    }

    @Test(arguments: StoreKind.allCases)
    func `unsaved objects of sub-entities are laid over, or left out`(kind: StoreKind) throws {
        let stage = try Stage(kind)
        try stage.fill()
        try stage.insert("Kitten", "new", age: 9)
        var request = FetchRequest(entityName: "Cat")
        request.sortTerms = [SortTerm("age")]
        #expect(try stage.context.fetch(request).map(Stage.name) == ["cat", "kitten", "new"])
        request.includesSubentities = false
        #expect(try stage.context.fetch(request).map(Stage.name) == ["cat"])
        #expect(try stage.context.count(request) == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `an abstract entity has no object of its own`(kind: StoreKind) throws {
        let stage = try Stage(kind)
        #expect(throws: ModelError.self) { try stage.insert("Creature", "nobody") }
        #expect(!stage.context.hasChanges)
    }

    @Test(arguments: StoreKind.allCases)
    func `an object has the properties of each level, whichever entity it was fetched by`(kind: StoreKind) throws {
        let stage = try Stage(kind)
        let kitten = try stage.insert("Kitten", "Tom", age: 1)
        try kitten.setValue(.int(7), forKey: "lives")
        try kitten.setValue(.int(6), forKey: "weeks")
        try stage.context.save()
        for entity in ["Creature", "Cat", "Kitten"] {
            let context = stage.newContext()
            let read = try #require(try context.fetch(FetchRequest(entityName: entity)).first)
            #expect(read.entity.name == "Kitten")
            let values = try ["name", "age", "lives", "weeks"].map(read.value(forKey:))
            #expect(values == ["Tom", 1, 7, 6])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a condition speaks of the properties of its own level and those above`(kind: StoreKind) throws {
        let stage = try Stage(kind)
        try stage.fill()
        #expect(try stage.names("Creature", .compare("age", .greaterThan, 1)) == ["kitten", "cat"])
        #expect(try stage.names("Kitten", .compare("lives", .equal, 9)) == ["kitten"])
        let error = #expect(throws: FetchError.self) { try stage.names("Creature", .compare("lives", .equal, 9)) }
        #expect(error?.code == .unknownKey)
    }

    @Test(arguments: StoreKind.allCases)
    func `a to-many to a parent entity holds objects of its sub-entities`(kind: StoreKind) throws {
        let stage = try Stage(kind)
        let keeper = try stage.insert("Keeper", "Ann")
        let creatures = try ["Dog", "Cat", "Kitten"].map { try stage.insert($0, $0) }
        try keeper.setObjects(creatures, forKey: "creatures")
        try stage.context.save()
        let context = stage.newContext()
        let read = try #require(try context.fetch(FetchRequest(entityName: "Keeper")).first)
        let found = try read.objects(forKey: "creatures")
        #expect(Set(found.map(\.entity.name)) == ["Dog", "Cat", "Kitten"])
        #expect(try found.allSatisfy { try $0.value(forKey: "keeper") == .object(read.anyObjectID) })
        try keeper.setObjects([creatures[2]], forKey: "creatures")
        try stage.context.save()
        try context.refreshAllObjects()
        #expect(try read.objects(forKey: "creatures").map(\.entity.name) == ["Kitten"])
    }

    @Test(arguments: StoreKind.allCases)
    func `a to-one to an abstract entity leads to an object of its own entity`(kind: StoreKind) throws {
        let stage = try Stage(kind)
        let (dog, kitten) = (try stage.insert("Dog", "Rex"), try stage.insert("Kitten", "Tom"))
        try dog.setValue(.object(kitten.anyObjectID), forKey: "rival")
        try stage.insert("Keeper", "Ann").setValue(.object(kitten.anyObjectID), forKey: "pets")
        try stage.context.save()
        let context = stage.newContext()
        for (entity, key) in [("Dog", "rival"), ("Keeper", "pets")] {
            let object = try #require(try context.fetch(FetchRequest(entityName: entity)).first)
            let id = try object.value(forKey: key)
            #expect(id == .object(kitten.anyObjectID))
            #expect(try context.existingObject(with: kitten.anyObjectID).entity.name == "Kitten")
        }
        #expect(try kitten.value(forKey: "rival") == .object(dog.anyObjectID))
    }

    @Test(arguments: StoreKind.allCases)
    func `a many-to-many between sub-entities is equal on both sides`(kind: StoreKind) throws {
        let stage = try Stage(kind)
        let dogs = try ["a", "b"].map { try stage.insert("Dog", $0) }
        let (cat, kitten) = (try stage.insert("Cat", "c"), try stage.insert("Kitten", "k"))
        try dogs[0].setObjects([cat, kitten], forKey: "chases")
        try kitten.setObjects(dogs, forKey: "chasers")
        try stage.context.save()
        let context = stage.newContext()
        for object in try context.fetch(FetchRequest(entityName: "Creature")) {
            let key = object.entity.name == "Dog" ? "chases" : "chasers"
            let names = try object.objects(forKey: key).map(Stage.name).sorted()
            #expect(names == ["a": ["c", "k"], "b": ["k"], "c": ["a"], "k": ["a", "b"]][try Stage.name(object)])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `objects of one tree never share an id`(kind: StoreKind) throws {
        let stage = try Stage(kind)
        try stage.fill()
        let context = stage.newContext()
        let ids = try context.objectIDs(FetchRequest(entityName: "Creature"))
        #expect(Set(ids.map { $0.uri.lastPathComponent }) == ["p1", "p2", "p3"])
        #expect(Set(ids.map(\.entityName)) == ["Dog", "Cat", "Kitten"])
        for id in ids { #expect(try context.existingObject(with: id).entity.name == id.entityName) }
    }

    @Test(arguments: StoreKind.allCases)
    func `deleting an owner lets go of objects of every sub-entity`(kind: StoreKind) throws {
        let stage = try Stage(kind)
        let keeper = try stage.insert("Keeper", "Ann")
        try keeper.setObjects(["Dog", "Kitten"].map { try stage.insert($0, $0) }, forKey: "creatures")
        try stage.context.save()
        stage.context.delete(keeper)
        try stage.context.save()
        let read = try stage.newContext().fetch(FetchRequest(entityName: "Creature"))
        #expect(read.count == 2)
        #expect(try read.allSatisfy { try $0.value(forKey: "keeper") == .null })
    }
}
