import DataMonk

/// **Value.** The generated class `Object`.
struct Generated<Object: ManagedObject>: GeneratedClass {
    private let paths: [String: AnyKeyPath]

    init(_: Object.Type) { paths = Dictionary(uniqueKeysWithValues: Object.keyNames.map { ($1, $0) }) }

    func entityName(in model: ManagedObjectModel) throws -> String {
        guard let entity = model.entity(for: Object.self) else { throw Failure("\(Object.self) has no entity.") }
        return entity.name
    }

    func settableNames(of entity: Entity) -> [String] {
        paths.keys.filter { paths[$0] is any Settable && entity.attribute(named: $0)?.isDerived != true }.sorted()
    }

    func contents(of object: ManagedObject) throws -> [String: Contents] {
        let object = try cast(object)
        guard Set(paths.keys) == Set(object.entity.properties.map(\.name)) else {
            throw Failure("\(Object.self) has the properties \(paths.keys.sorted()), its entity has others.")
        }
        return try paths.mapValues { try contents($0, of: object) }
    }

    private func contents(_ path: AnyKeyPath, of object: Object) throws -> Contents {
        switch object[keyPath: path] {
        case let value as any ManagedAttribute: return .value(value.managedValue)
        case let objects as any Links: return objects.contents
        default: throw Failure("\(path) is neither an attribute nor a relationship.")
        }
    }

    func setAttribute(
        named name: String, of object: ManagedObject, attempt: Int, from values: inout NewValues
    ) throws -> Contents? {
        let object = try cast(object)
        guard let path = paths[name], let attribute = object.entity.attribute(named: name),
            let type = type(of: path).valueType as? any ManagedAttribute.Type
        else { throw Failure("\(name) of \(Object.self) is no attribute.") }
        return try set(attribute, path, of: object, as: type, attempt: attempt, from: &values)
    }

    private func set<Value: ManagedAttribute>(
        _ attribute: Entity.Attribute, _ path: AnyKeyPath, of object: Object, as type: Value.Type, attempt: Int,
        from values: inout NewValues
    ) throws -> Contents? {
        guard let path = path as? ReferenceWritableKeyPath<Object, Value> else {
            throw Failure("\(attribute.name) of \(Object.self) cannot be set.")
        }
        let present = object[keyPath: path].managedValue
        let candidates = values.values(of: type, for: attribute).filter { $0.managedValue != present }
        guard attempt < candidates.count else { return nil }
        object[keyPath: path] = candidates[attempt]
        return try confirm(.value(candidates[attempt].managedValue), attribute.name, path, of: object)
    }

    func setRelationship(
        named name: String, of object: ManagedObject, to objects: [ManagedObject]
    ) throws -> Contents {
        let object = try cast(object)
        guard let path = paths[name], let type = type(of: path).valueType as? any Links.Type else {
            throw Failure("\(name) of \(Object.self) is no relationship.")
        }
        return try set(path, name, of: object, as: type, to: objects)
    }

    private func set<Value: Links>(
        _ path: AnyKeyPath, _ name: String, of object: Object, as type: Value.Type, to objects: [ManagedObject]
    ) throws -> Contents {
        guard let path = path as? ReferenceWritableKeyPath<Object, Value>, let value = Value(objects) else {
            throw Failure("\(name) of \(Object.self) cannot be set.")
        }
        object[keyPath: path] = value
        return try confirm(value.contents, name, path, of: object)
    }

    /// What was set is there, through the class and by name.
    private func confirm(
        _ wanted: Contents, _ name: String, _ path: AnyKeyPath, of object: Object
    ) throws -> Contents {
        let (found, named) = (try contents(path, of: object), try object.contents(named: name))
        guard found == wanted, named == wanted else {
            throw Failure("\(name) of \(Object.self) was set to \(wanted), and reads \(found), by name \(named).")
        }
        return wanted
    }

    private func cast(_ object: ManagedObject) throws -> Object {
        guard type(of: object) == Object.self, let object = object as? Object else {
            throw Failure("An object of \(object.entity.name) is a \(type(of: object)) instead of a \(Object.self).")
        }
        return object
    }
}

/// A key path of a class's property that can be set.
private protocol Settable {}

extension ReferenceWritableKeyPath: Settable {}
