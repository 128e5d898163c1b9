import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Random models with random objects go through random versions. What a store holds afterwards is what the edits say
/// that it should, and its schema is that of a new store.
@Suite(.serialized) struct `Random migrations` {
    /// How many runs; DATAMONK_MIGRATIONS asks for more.
    private static let runs = ProcessInfo.processInfo.environment["DATAMONK_MIGRATIONS"].flatMap { UInt64($0) } ?? 20

    @Test func `random versions keep what they should, and nothing else`() throws {
        for seed in 1...Self.runs {
            var sketch = MigrationSketch(seed: seed)
            let stage = try MigrationStage()
            try Self.fill(stage, &sketch)
            for version in 1...3 {
                let old = try sketch.model()
                sketch.edit()
                let new = try sketch.model()
                try InferredMapping(from: old, holding: old.entities, to: new, holding: new.entities).checkInvariants()
                let place = "seed \(seed), version \(version), after \(sketch.log)"
                try Self.checkRefusal(stage, new, sketch.losses, Comment(rawValue: place))
                let found = try stage.migrate(to: new, discarding: sketch.losses.discarding)
                let differences = found.differences(from: sketch.expected)
                #expect(differences.isEmpty, "seed \(seed), version \(version): \(differences) after \(sketch.log)")
                if !differences.isEmpty { return }
                try Self.fill(stage, &sketch)
            }
        }
    }

    /// Without permission a migration asks for what it takes away, and for nothing else.
    private static func checkRefusal(
        _ stage: MigrationStage, _ model: ManagedObjectModel, _ losses: MigrationLosses, _ place: Comment
    ) throws {
        var named: Set<String> = []
        let bytes = try stage.bytes
        let stack = Stack(model: model)
        do {
            try stack.addDatabaseStore(fileURL: stage.url, synchronous: .normal)
            try stack.close()
            try stage.restore(bytes)
        } catch let error as MigrationError where error.code == .wouldDiscard {
            let places = error.problems.map { [$0.entityName, $0.propertyName].compactMap(\.self) }
            named = Set(places.map { $0.joined(separator: ".") })
            #expect(error.problems.allSatisfy { ($0.count ?? 0) > 0 }, place)
            #expect(try stage.bytes == bytes, place)
        }
        #expect(named.isSubset(of: losses.names), place)
        for sides in losses.linksToBeNamed {
            #expect(!sides.isDisjoint(with: named), "\(place): \(sides), not \(named)")
        }
        #expect(losses.mustBeNamed.isSubset(of: named), "\(place): \(losses.mustBeNamed), not \(named)")
    }

    /// Adds objects to what is there, and links at random.
    private static func fill(_ stage: MigrationStage, _ sketch: inout MigrationSketch) throws {
        var random = sketch.random
        let model = try sketch.model()
        try stage.write(model) { context in
            var objects = try model.entities.filter { $0.superentity == nil }.flatMap { entity in
                try context.fetch(FetchRequest(entityName: entity.name))
            }
            objects.sort { GraphDump.name($0) < GraphDump.name($1) }
            for entity in model.entities where !entity.isAbstract {
                for _ in 0..<Int.random(in: 0...2, using: &random) { objects.append(try context.insert(entity)) }
            }
            for object in objects where Bool.random(using: &random) { try change(object, objects, &random) }
        }
        sketch.random = random
        sketch.expected = try stage.contents(model)
    }

    private static func change(
        _ object: ManagedObject, _ objects: [ManagedObject], _ random: inout SeededGenerator
    ) throws {
        for attribute in object.entity.attributes {
            let number = Int64.random(in: 0...99, using: &random)
            let value: ManagedValue
            switch attribute.type {
            case .string: value = .string("text \(number)")
            case .double: value = .double(Double(number) / 2)
            case .boolean: value = .bool(number.isMultiple(of: 2))
            default: value = .int(number)
            }
            try object.setValue(attribute.isOptional && number < 25 ? .null : value, forKey: attribute.name)
        }
        for relationship in object.entity.relationships {
            let destinations = objects.filter { $0.entity.isKind(of: relationship.destination) }
            if relationship.isToMany {
                let chosen = destinations.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
                try object.setObjects(chosen.shuffled(using: &random), forKey: relationship.name)
            } else {
                object.setProperty(destinations.randomElement(using: &random), at: relationship.slot)
            }
        }
    }
}
