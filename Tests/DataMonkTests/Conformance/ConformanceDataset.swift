import DataMonk
import DataMonkFixtures
import Foundation

/// **Confined.** A data set of the conformance cases, in a store.
final class ConformanceDataset {
    /// **Value.** A data set as its file describes it.
    struct Source: Decodable {
        struct EntitySource: Decodable {
            let attributes: [String: String]
            let toOne: [String: String]?
            let toMany: [String: String]?
        }
        struct ObjectSource: Decodable {
            let id: String
            let entity: String
            let values: [String: ConformanceValue]
        }

        let entities: [String: EntitySource]
        let objects: [ObjectSource]

        static func all() throws -> [String: Source] {
            let data = try Data(contentsOf: Fixtures.url("conformance/realm-swift-datasets.json"))
            return try JSONDecoder().decode([String: Source].self, from: data)
        }
    }

    let context: ManagedObjectContext
    private let stack: Stack
    private var objects: [String: ManagedObject] = [:]
    private var names: [AnyObjectID: String] = [:]

    init(_ source: Source, file: URL?) throws {
        stack = Stack(model: try Self.model(of: source))
        if let file { try stack.addDatabaseStore(fileURL: file) } else { try stack.addInMemoryStore() }
        context = ManagedObjectContext(coordinator: stack.coordinator)
        for object in source.objects { objects[object.id] = try context.insert(entity(object.entity)) }
        for object in source.objects {
            for (key, value) in object.values { try set(value, key, of: object.id) }
        }
        try context.save()
        for (id, object) in objects { names[object.anyObjectID] = id }
        context.reset()
        objects = try objects.mapValues { try context.existingObject(with: $0.anyObjectID) }
    }

    private func entity(_ name: String) throws -> Entity {
        guard let entity = stack.model.entitiesByName[name] else { throw CocoaError(.keyValueValidation) }
        return entity
    }

    private func set(_ value: ConformanceValue, _ key: String, of id: String) throws {
        guard let object = objects[id] else { return }
        switch value {
        case .reference(let other):
            try object.setValue(objects[other].map { .object($0.anyObjectID) } ?? .null, forKey: key)
        case .list(let values):
            try object.setObjects(
                values.compactMap { if case .reference(let id) = $0 { objects[id] } else { nil } }, forKey: key)
        default: try object.setValue(value.constant(), forKey: key)
        }
    }

    /// The object with an id of the file, as a constant.
    func constant(_ id: String) -> ManagedValue { objects[id].map { .object($0.anyObjectID) } ?? .null }

    /// The ids of the file of some objects.
    func ids(_ found: [ManagedObject]) -> [String] { found.map { names[$0.anyObjectID] ?? "?" } }

    private static func model(of source: Source) throws -> ManagedObjectModel {
        // Lists may share objects, so each has an inverse that is to-many.
        var inverses: [String: [RelationshipDescription]] = [:]
        for (name, entity) in source.entities {
            for (key, destination) in entity.toMany ?? [:] {
                inverses[destination, default: []].append(
                    RelationshipDescription("\(key)Of\(name)", to: name, inverse: key, isToMany: true))
            }
        }
        return try ManagedObjectModel(
            entities: source.entities.map { name, entity in
                EntityDescription(name) {
                    for (key, type) in entity.attributes {
                        AttributeDescription(key, Self.type(type), isOptional: true)
                    }
                    for (key, destination) in entity.toOne ?? [:] { RelationshipDescription(key, to: destination) }
                    for (key, destination) in entity.toMany ?? [:] {
                        RelationshipDescription(
                            key, to: destination, inverse: "\(key)Of\(name)", isToMany: true, isOrdered: true)
                    }
                    (inverses[name] ?? []).map { PropertyDescription.relationship($0) }
                }
            })
    }

    private static func type(_ name: String) -> AttributeType {
        switch name.hasSuffix("?") ? String(name.dropLast()) : name {
        case "bool": .boolean
        case "int32": .integer32
        case "int64": .integer64
        case "float": .float
        case "double": .double
        case "decimal": .decimal
        case "date": .date
        case "binary": .binary
        default: .string
        }
    }
}
