import DataMonk
import Foundation

/// One edit of everything: of each entity an object is changed, some are added and related, and where the model's rules
/// let one go, one is deleted.
struct StoreEdit {
    private(set) var insertedPerRoot: [String: Int] = [:]
    private(set) var updated: Set<String> = []
    private(set) var deleted: [String] = []
    private var counter = 0

    /// Edits and saves.
    static func perform(on stack: Stack) throws -> StoreEdit {
        var edit = StoreEdit()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        defer { context.endTurn() }
        let entities = stack.model.entities.filter { !$0.isAbstract }
        var stored: [Entity: [ManagedObject]] = [:]
        for entity in entities {
            stored[entity] = try context.fetch(FetchRequest(entityName: entity.name)).filter { $0.entity === entity }
        }
        try edit.insertPairs(entities, context)
        for entity in entities {
            guard let first = stored[entity]?.first else { continue }
            try edit.change(first, context)
        }
        try edit.deleteOne(of: stored, context)
        context.processPendingChanges()
        for object in context.insertedObjects { edit.insertedPerRoot[object.entity.root.name, default: 0] += 1 }
        try context.save()
        return edit
    }

    /// Two of each entity, linked each with those of its own number.
    private mutating func insertPairs(_ entities: [Entity], _ context: ManagedObjectContext) throws {
        for _ in 0..<2 {
            var new: [Entity: ManagedObject] = [:]
            for entity in entities { new[entity] = try insert(entity, context) }
            for entity in entities {
                for relationship in entity.relationships where !relationship.isToMany || !relationship.isOptional {
                    guard let object = new[entity], let destination = new[relationship.destination] else { continue }
                    link(object, relationship, destination)
                }
            }
            // Two to-manys may lead to one entity, and its object is in one of them only.
            for object in new.values {
                for relationship in object.entity.relationships where relationship.isToMany && relationship.minCount > 0
                {
                    let members: Set<ManagedObject> = object.property(at: relationship.slot)
                    if members.isEmpty { link(object, relationship, try insert(relationship.destination, context)) }
                }
            }
        }
    }

    private mutating func insert(_ entity: Entity, _ context: ManagedObjectContext) throws -> ManagedObject {
        let object = try context.insert(entity)
        for attribute in entity.attributes where !attribute.isDerived { try setSample(attribute, of: object) }
        return object
    }

    /// Other values than those of the original, unique among themselves.
    private mutating func setSample(_ attribute: Entity.Attribute, of object: ManagedObject) throws {
        counter += 1
        let value: ManagedValue =
            switch attribute.type {
            case .integer16, .integer32, .integer64: .int(Int64(20_000 + counter))
            case .boolean: .bool(counter.isMultiple(of: 2))
            case .double, .float: .double(Double(counter) + 0.5)
            case .date: .date(Date(timeIntervalSinceReferenceDate: 600_000_000.25 + Double(counter)))
            case .decimal: .decimal(Decimal(counter))
            case .string: .string("title \(counter) – “ü” '🎈'")
            case .uri: .url(URL(filePath: "/sample/\(counter)"))
            case .uuid: .uuid(UUID())
            case .binary, .transformable, .undefined, .objectID, .composite: .data(Data([1, 0, UInt8(counter & 255)]))
            }
        try object.setValue(value, forKey: attribute.name)
    }

    private func link(_ object: ManagedObject, _ relationship: Entity.Relationship, _ destination: ManagedObject) {
        if !relationship.isToMany {
            object.setProperty(destination, at: relationship.slot)
        } else if relationship.isOrdered {
            let members: [ManagedObject] = object.property(at: relationship.slot)
            object.setProperty([destination] + members, at: relationship.slot)
        } else {
            let members: Set<ManagedObject> = object.property(at: relationship.slot)
            object.setProperty(members.union([destination]), at: relationship.slot)
        }
    }

    private mutating func change(_ object: ManagedObject, _ context: ManagedObjectContext) throws {
        updated.insert("\(object.entity.name)/\(object.anyObjectID.uri.lastPathComponent.dropFirst())")
        for attribute in object.entity.attributes where !attribute.isDerived { try setSample(attribute, of: object) }
        for relationship in object.entity.relationships {
            let destination = relationship.destination
            guard !destination.isAbstract, relationship.isToMany,
                destination.relationships.allSatisfy({ $0.isOptional })
            else { continue }
            link(object, relationship, try insert(destination, context))
        }
    }

    private mutating func deleteOne(of stored: [Entity: [ManagedObject]], _ context: ManagedObjectContext) throws {
        for (entity, objects) in stored {
            let isFree = entity.relationships.allSatisfy { relationship in
                relationship.deleteRule == .cascade || relationship.inverse?.isOptional != false
            }
            guard isFree, objects.count > 1, let last = objects.last else { continue }
            deleted.append("\(entity.name)/\(last.anyObjectID.uri.lastPathComponent.dropFirst())")
            context.delete(last)
        }
    }
}
