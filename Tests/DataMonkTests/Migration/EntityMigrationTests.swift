import DataMonk
import Foundation
import Testing

/// One change of an entity, or of the inheritance tree, at a time.
@Suite struct `Migrating entities` {
    private let stage: MigrationStage

    init() throws { stage = try MigrationStage() }

    /// Vehicle, Car and Bike under it, Garage with links to all of them and to Car.
    private static func garage(
        vehicle: String = "Vehicle", car: String = "Car", identifiers: Bool = false
    ) -> [EntityDescription] {
        [
            EntityDescription(vehicle, renamingIdentifier: identifiers ? "Vehicle" : nil) {
                AttributeDescription("name", .string)
                RelationshipDescription("garage", to: "Garage", inverse: "vehicles")
                RelationshipDescription("friends", to: vehicle, inverse: "friends", isToMany: true)
            },
            EntityDescription(car, superentityName: vehicle, renamingIdentifier: identifiers ? "Car" : nil) {
                AttributeDescription("doors", .integer16)
                RelationshipDescription("trailers", to: "Garage", inverse: "cars", isToMany: true)
            },
            EntityDescription("Bike", superentityName: vehicle) { AttributeDescription("gears", .integer16) },
            EntityDescription("Garage") {
                AttributeDescription("name", .string)
                RelationshipDescription("vehicles", to: vehicle, inverse: "garage", isToMany: true, isOrdered: true)
                RelationshipDescription("cars", to: car, inverse: "trailers", isToMany: true)
                RelationshipDescription("favourite", to: vehicle)
                RelationshipDescription("guests", to: vehicle, isToMany: true)
            },
        ]
    }

    private func writeGarage(_ entities: [EntityDescription] = Self.garage()) throws -> GraphDump {
        let model = try ManagedObjectModel(entities: entities)
        try stage.write(model) { context in
            let garage = try context.insert("Garage", ["name": "G"])
            let car = try context.insert("Car", ["name": "c", "doors": 4])
            let bike = try context.insert("Bike", ["name": "b", "gears": 7])
            let plain = try context.insert("Vehicle", ["name": "v"])
            try garage.setObjects([bike, plain, car], forKey: "vehicles")
            try garage.setObjects([car], forKey: "cars")
            try garage.setObjects([bike, car], forKey: "guests")
            try garage.setValue(.object(car.anyObjectID), forKey: "favourite")
            try car.setObjects([bike, plain], forKey: "friends")
        }
        return try stage.contents(model)
    }

    private func expect(
        _ entities: [EntityDescription], _ expected: GraphDump, discarding: DiscardableData = .laterVersions,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = try stage.migrate(
            to: ManagedObjectModel(entities: entities), discarding: discarding, sourceLocation: sourceLocation)
        #expect(found == expected, "\(found.differences(from: expected))", sourceLocation: sourceLocation)
    }

    @Test func `an entity that sorts before the others shifts all numbers`() throws {
        let before = try writeGarage()
        let first = EntityDescription("Aardvark") { AttributeDescription("name", .string) }
        try expect(Self.garage() + [first], before)
        // And back again.
        try expect(Self.garage(), before)
    }

    @Test func `a new sub-entity gives its superentity's links a second column`() throws {
        let flat = [
            EntityDescription("Box") {
                AttributeDescription("name", .string)
                RelationshipDescription("owner", to: "Person", inverse: "boxes")
            },
            EntityDescription("Person") {
                AttributeDescription("name", .string)
                RelationshipDescription("boxes", to: "Box", inverse: "owner", isToMany: true)
            },
        ]
        try stage.write(try ManagedObjectModel(entities: flat)) { context in
            let person = try context.insert("Person", ["name": "p"])
            try context.insert("Box", ["owner": .object(person.anyObjectID)])
            try context.insert("Box")
        }
        let before = try stage.contents(ManagedObjectModel(entities: flat))
        let monk = EntityDescription("Monk", superentityName: "Person") { AttributeDescription("order", .string) }
        try expect(flat + [monk], before)
        #expect(before["Box/1"]["owner"] == "Person/1")
        try expect(flat, before)
    }

    @Test func `a removed entity takes its objects along, and the links that led to them`() throws {
        var expected = try writeGarage()
        expected.objects["Bike/2"] = nil
        #expect(expected.objects["Garage/1"]?["vehicles"] == "Bike/2 Vehicle/3 Car/1")
        expected.objects["Garage/1"]?["vehicles"] = "Vehicle/3 Car/1"
        expected.objects["Garage/1"]?["guests"] = "Car/1"
        expected.objects["Car/1"]?["friends"] = "Vehicle/3"
        try expect(Self.garage().filter { $0.name != "Bike" }, expected, discarding: .entity("Bike"))
    }

    @Test func `a removed entity that much leads to leaves nothing dangling`() throws {
        var expected = try writeGarage()
        let entities = [
            EntityDescription("Garage") {
                AttributeDescription("name", .string)
                RelationshipDescription("favourite", to: "Bike")
            },
            EntityDescription("Bike") { AttributeDescription("gears", .integer16) },
        ]
        expected.objects = ["Bike/2": ["gears": "int(7)"], "Garage/1": ["name": "string(\"G\")", "favourite": ""]]
        // The favourite was a car, which is no more. Bike and Garage stay, and so do the values and links to name.
        let error = try stage.refusal(ManagedObjectModel(entities: entities))
        let lost = error.problems.map { [$0.entityName, $0.propertyName].compactMap(\.self).joined(separator: ".") }
        #expect(lost == ["Vehicle", "Car", "Vehicle.name", "Garage.guests", "Garage.vehicles"])
        #expect(error.problems.map(\.count) == [1, 1, 1, 1, 1])
        try expect(
            entities, expected,
            discarding: [
                .entity("Car"), .entity("Vehicle"), .property("Vehicle", "name"), .property("Garage", "guests"),
                .property("Vehicle", "garage"),
            ])
    }

    @Test func `renamed entities keep their objects, keys and links`() throws {
        var expected = GraphDump()
        for (name, values) in try writeGarage().objects {
            func renamed(_ text: String) -> String {
                text.replacing("Vehicle/", with: "Transport/").replacing("Car/", with: "Auto/")
            }
            expected.objects[renamed(name)] = values.mapValues(renamed)
        }
        // Links without an order stand by name.
        #expect(expected["Garage/1"]["guests"] == "Bike/2 Auto/1")
        expected.objects["Garage/1"]?["guests"] = "Auto/1 Bike/2"
        try expect(Self.garage(vehicle: "Transport", car: "Auto", identifiers: true), expected)
    }

    @Test func `two entities swap their names`() throws {
        let entities = [
            EntityDescription("A") { AttributeDescription("text", .string) },
            EntityDescription("B") { AttributeDescription("number", .integer16) },
        ]
        try stage.write(try ManagedObjectModel(entities: entities)) { context in
            try context.insert("A", ["text": "a"])
            try context.insert("B", ["number": 1])
            try context.insert("B", ["number": 2])
        }
        let swapped = [
            EntityDescription("B", renamingIdentifier: "A") { AttributeDescription("text", .string) },
            EntityDescription("A", renamingIdentifier: "B") { AttributeDescription("number", .integer16) },
        ]
        var expected = GraphDump()
        expected.objects = [
            "B/1": ["text": "string(\"a\")"], "A/1": ["number": "int(1)"], "A/2": ["number": "int(2)"],
        ]
        try expect(swapped, expected)
    }

    @Test func `a superentity above a root takes its objects over`() throws {
        let expected = try writeGarage()
        var entities = Self.garage()
        entities[0].superentityName = "Thing"
        entities.append(EntityDescription("Thing", isAbstract: true, properties: []))
        try expect(entities, expected)
        entities.removeLast()
        entities[0].superentityName = nil
        try expect(entities, expected)
    }

    @Test func `attributes move up and down the inheritance tree with their values`() throws {
        var expected = try writeGarage()
        var up = Self.garage()
        up[0].properties.append(.attribute(AttributeDescription("doors", .integer16, defaultValue: 0)))
        up[1].properties.removeFirst()
        for name in ["Bike/2", "Vehicle/3"] { expected.objects[name]?["doors"] = "int(0)" }
        try expect(up, expected)
        for name in ["Bike/2", "Vehicle/3"] { expected.objects[name]?["doors"] = nil }
        try expect(Self.garage(), expected)
    }

    @Test func `an entity moves within its tree`() throws {
        var expected = try writeGarage()
        var moved = Self.garage()
        moved[2].superentityName = "Car"
        expected.objects["Bike/2"]?["doors"] = "null"
        expected.objects["Bike/2"]?["trailers"] = ""
        try expect(moved, expected)
    }

    @Test func `a sub-entity becomes a root of its own, and keys go on from the old ones`() throws {
        let entities = [
            EntityDescription("Person") { AttributeDescription("name", .string) },
            EntityDescription("Robot", superentityName: "Person") { AttributeDescription("model", .string) },
        ]
        try stage.write(try ManagedObjectModel(entities: entities)) { context in
            try context.insert("Robot", ["model": "r"])
            for name in ["a", "b"] { try context.insert("Person", ["name": .string(name)]) }
        }
        let apart = [entities[0], EntityDescription("Robot") { AttributeDescription("model", .string) }]
        var expected = try stage.contents(ManagedObjectModel(entities: entities))
        let robot = expected.objects.keys.first { $0.hasPrefix("Robot") } ?? ""
        expected.objects[robot]?["name"] = nil
        try expect(apart, expected)
        let model = try ManagedObjectModel(entities: apart)
        try stage.write(model) { context in
            try context.insert("Robot")
            try context.insert("Person")
        }
        let keys = try stage.contents(model).objects.keys.sorted()
        #expect(keys.filter { $0.hasSuffix("/4") } == ["Person/4", "Robot/4"])
    }

    @Test func `an abstract entity becomes concrete, and back when it has no objects`() throws {
        var entities = Self.garage()
        let expected = try writeGarage()
        let bike = 2
        entities[bike].isAbstract = true
        let error = try stage.refusal(ManagedObjectModel(entities: entities))
        #expect(error.code == .wouldDiscard && error.entityName == "Bike")
        #expect(error.problems.map(\.kind) == [.discardedObjects] && error.problems.map(\.count) == [1])
        #expect(try stage.contents(ManagedObjectModel(entities: Self.garage())) == expected)
        try stage.write(try ManagedObjectModel(entities: Self.garage())) { context in
            for object in try context.fetch(FetchRequest(entityName: "Bike")) { context.delete(object) }
        }
        _ = try stage.migrate(to: ManagedObjectModel(entities: entities))
        _ = try stage.migrate(to: ManagedObjectModel(entities: Self.garage()))
    }

    @Test func `objects of an entity that becomes abstract go with the links to them, if they may`() throws {
        var expected = try writeGarage()
        var entities = Self.garage()
        entities[2].isAbstract = true
        entities.append(EntityDescription("Tandem", superentityName: "Bike", properties: []))
        expected.objects["Bike/2"] = nil
        expected.objects["Garage/1"]?["vehicles"] = "Vehicle/3 Car/1"
        expected.objects["Garage/1"]?["guests"] = "Car/1"
        expected.objects["Car/1"]?["friends"] = "Vehicle/3"
        try expect(entities, expected, discarding: .entity("Bike"))
        #expect(try stage.text("PRAGMA integrity_check") == "ok")
    }

    @Test func `keys are never given twice, not even those of objects that are gone`() throws {
        let entities = [EntityDescription("Note") { AttributeDescription("text", .string) }]
        let model = try ManagedObjectModel(entities: entities)
        try stage.write(model) { context in for _ in 0..<5 { try context.insert("Note") } }
        try stage.write(model) { context in
            for note in try context.fetch(FetchRequest(entityName: "Note")) { context.delete(note) }
        }
        let greatest = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'"
        let before = try stage.text(greatest).flatMap { Int($0) } ?? 0
        #expect(before >= 5)
        let next = try ManagedObjectModel(
            entities: entities + [EntityDescription("Album") { AttributeDescription("text", .string) }])
        _ = try stage.migrate(to: next)
        try stage.write(next) { try $0.insert("Note") }
        let keys = try stage.contents(next).objects.keys.sorted()
        #expect(keys == ["Note/\(before + 1)"])
    }

    /// Takes very long if each entity looks through all others for what a relationship may lead to.
    @Test func `a tree of many entities with links to its root is migrated`() throws {
        func entities(hasRank: Bool) -> [EntityDescription] {
            let root = EntityDescription("Node") {
                AttributeDescription("name", .string)
                if hasRank { AttributeDescription("rank", .integer16) }
                RelationshipDescription("next", to: "Node", inverse: "previous")
                RelationshipDescription("previous", to: "Node", inverse: "next", isToMany: true)
            }
            return [root] + (0..<600).map { EntityDescription("Node\($0)", superentityName: "Node", properties: []) }
        }
        try stage.write(ManagedObjectModel(entities: entities(hasRank: false))) { context in
            let nodes = try [599, 0].map { try context.insert("Node\($0)") }
            try nodes[0].setValue(.object(nodes[1].anyObjectID), forKey: "next")
        }
        // All entities get other numbers.
        let others = [EntityDescription("Arc", properties: [])]
        let found = try stage.migrate(to: ManagedObjectModel(entities: entities(hasRank: true) + others))
        #expect(found["Node599/1"]["next"] == "Node0/2" && found["Node0/2"]["previous"] == "Node599/1")
    }
}
