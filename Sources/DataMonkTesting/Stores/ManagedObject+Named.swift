import DataMonkCore

/// Accesses objects of entities without classes by the names of their properties.
extension ManagedObject {
    /// Returns the destinations of a to-many relationship, in order if it has one.
    func destinations(_ name: String) throws -> [ManagedObject] {
        let relationship = try relationship(name)
        if relationship.isOrdered { return property(at: relationship.slot) }
        let set: Set<ManagedObject> = property(at: relationship.slot)
        return Array(set)
    }

    /// Returns the names of a to-many relationship's destinations, sorted unless the relationship is ordered.
    func names(_ name: String) throws -> [String] {
        let names = try destinations(name).map(\.name)
        return try relationship(name).isOrdered ? names : names.sorted()
    }

    func setDestinations(_ name: String, to objects: [ManagedObject]) throws {
        let relationship = try relationship(name)
        if relationship.isOrdered {
            setProperty(objects, at: relationship.slot)
        } else {
            setProperty(Set(objects), at: relationship.slot)
        }
    }

    func destination(_ name: String) throws -> ManagedObject? {
        property(at: try relationship(name).slot)
    }

    func setDestination(_ name: String, to object: ManagedObject?) throws {
        setProperty(object, at: try relationship(name).slot)
    }

    /// The value of the attribute `name`; an empty string if it has none.
    var name: String {
        guard let attribute = entity.attribute(named: "name") else { return "" }
        let text: String? = property(at: attribute.slot)
        return text ?? ""
    }

    private func relationship(_ name: String) throws -> Entity.Relationship {
        if let relationship = entity.relationship(named: name) { return relationship }
        throw StoreContractViolation(description: "\(entity.name) has no relationship \(name)")
    }
}

extension ManagedObjectContext {
    func insert(_ entity: Entity, named name: String) throws -> ManagedObject {
        let object = try insert(entity)
        try object.setValue(.string(name), forKey: "name")
        return object
    }

    /// Returns the only object with a name.
    func object(_ entityName: String, named name: String) throws -> ManagedObject {
        let found = try fetch(FetchRequest(entityName: entityName, condition: .compare("name", .equal, .string(name))))
        try expectEqual(found.count, 1, "objects of \(entityName) with the name \(name)")
        return found[0]
    }
}
