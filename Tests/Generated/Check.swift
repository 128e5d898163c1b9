import DataMonk
import Foundation

/// Reads and writes a store through generated classes, and compares them with the values by key.
struct Check {
    let context: ManagedObjectContext
    var objects = 0
    var values = 0
    var written = 0

    mutating func check<Object: ManagedObject>(_ type: Object.Type) throws {
        guard let entity = context.coordinator.model.entity(for: type) else {
            throw Failure("There is no entity for \(type).")
        }
        var request = FetchRequest(entityName: entity.name)
        request.includesSubentities = false
        for object in try context.fetch(request) {
            guard let object = object as? Object else { throw Failure("An object of \(entity.name) is no \(type).") }
            objects += 1
            for (path, name) in type.keyNames { try check(object, path, name, entity) }
        }
    }

    private mutating func check<Object: ManagedObject>(
        _ object: Object, _ path: AnyKeyPath, _ name: String, _ entity: Entity
    ) throws {
        let value = object[keyPath: path]
        if entity.attribute(named: name) != nil {
            let mine = (value as? any ManagedAttribute)?.managedValue ?? .null
            let stored = try object.value(forKey: name)
            guard mine == stored else { throw Failure("\(entity.name).\(name) reads \(mine), but is \(stored).") }
        } else if let relationship = entity.relationship(named: name), relationship.isToMany {
            let count = (value as? any Collection)?.count
            guard count == (try object.objects(forKey: name).count) else {
                throw Failure("\(entity.name).\(name): \(count ?? -1)")
            }
        }
        values += 1
        // A derived attribute can be set by the class alone, which does not.
        if entity.attribute(named: name)?.description.isDerived == true { return }
        try set(object, path, Bool.self)
        try set(object, path, Int16.self)
        try set(object, path, Int32.self)
        try set(object, path, Int64.self)
        try set(object, path, Double.self)
        try set(object, path, Float.self)
        try set(object, path, String.self)
        try set(object, path, Date.self)
        try set(object, path, Data.self)
        try set(object, path, UUID.self)
        try set(object, path, URL.self)
        try set(object, path, Decimal.self)
        try set(object, path, Transformable.self)
    }

    /// Sets a property to the value that it has, so that the object is written.
    private mutating func set<Object: ManagedObject, Value: ManagedAttribute>(
        _ object: Object, _ path: AnyKeyPath, _ type: Value.Type
    ) throws {
        if let path = path as? ReferenceWritableKeyPath<Object, Value> {
            object[keyPath: path] = object[keyPath: path]
            written += 1
        } else if let path = path as? ReferenceWritableKeyPath<Object, Value?> {
            let value = object[keyPath: path]
            object[keyPath: path] = nil
            object[keyPath: path] = value
            written += 1
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}
