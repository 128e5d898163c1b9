import DataMonk
import Foundation

/// Everything that a store holds, as text: the values of each object by `Entity/key` and property. Objects of entities
/// keep their keys in a migration.
struct GraphDump: Equatable {
    var objects: [String: [String: String]] = [:]

    init() {}

    init(_ stack: Stack) throws {
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        defer { context.endTurn() }
        let held = stack.model.entities.filter { !stack.coordinator.storeIndices(of: $0).isEmpty }
        for entity in held where entity.superentity == nil {
            for object in try context.fetch(FetchRequest(entityName: entity.name)) {
                objects[Self.name(object)] = try Self.values(object)
            }
        }
    }

    static func name(_ object: ManagedObject) -> String {
        "\(object.entity.name)/\(object.anyObjectID.uri.lastPathComponent.dropFirst())"
    }

    private static func values(_ object: ManagedObject) throws -> [String: String] {
        var values: [String: String] = [:]
        for attribute in object.entity.attributes where !attribute.isTransient {
            values[attribute.name] = "\(try object.value(forKey: attribute.name))"
        }
        for relationship in object.entity.relationships where !relationship.isTransient {
            if relationship.isToMany {
                let names = try object.objects(forKey: relationship.name).map(name)
                values[relationship.name] = (relationship.isOrdered ? names : names.sorted()).joined(separator: " ")
            } else {
                let destination: ManagedObject? = object.property(at: relationship.slot)
                values[relationship.name] = destination.map(name) ?? ""
            }
        }
        return values
    }

    /// The values of one object.
    subscript(name: String) -> [String: String] { objects[name] ?? [:] }

    /// What differs from another dump, a line each.
    func differences(from other: GraphDump) -> [String] {
        Set(objects.keys).union(other.objects.keys).sorted().flatMap { name -> [String] in
            guard let mine = objects[name], let theirs = other.objects[name] else {
                return ["\(name) is \(objects[name] == nil ? "missing" : "too much")"]
            }
            return Set(mine.keys).union(theirs.keys).sorted().compactMap { key in
                mine[key] == theirs[key]
                    ? nil : "\(name).\(key) is \(mine[key] ?? "missing"), not \(theirs[key] ?? "there")"
            }
        }
    }
}
