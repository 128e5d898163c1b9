package import DataMonkCore

/// **Value.** The name of an entity, or of a property and the entity that declares it.
package struct StoredName: Sendable, Hashable {
    package var entityName: String
    /// `nil` for the objects of the entity. An element of a composite attribute is named like `address.city`.
    package var propertyName: String?

    package init(entityName: String, propertyName: String? = nil) {
        self.entityName = entityName
        self.propertyName = propertyName
    }
}

/// **Value.** The names that the data of a version had in the version that the store was written with, through the stages in
/// between. Data of a version in between has the names of that version.
package struct StoredNames: Sendable {
    /// The names of what has passed a stage. A property may come from those of several sub-entities.
    private var names: [StoredName: [StoredName]] = [:]

    /// Creates the names of the store's own version.
    package init() {}

    /// Returns the names that data had in the store.
    package func stored(_ name: StoredName) -> [StoredName] {
        if let known = names[name] { return known }
        guard let property = name.propertyName, let dot = property.firstIndex(of: ".") else { return [name] }
        let whole = StoredName(entityName: name.entityName, propertyName: String(property[..<dot]))
        return stored(whole).map { stored in
            StoredName(entityName: stored.entityName, propertyName: stored.propertyName.map { $0 + property[dot...] })
        }
    }

    /// Goes on to the version that a stage leads to.
    package mutating func pass(_ mapping: InferredMapping) {
        var next: [StoredName: [StoredName]] = [:]
        for entity in mapping.destination.entities {
            guard let past = mapping.source(of: entity) else { continue }
            next[StoredName(entityName: entity.name)] = stored(StoredName(entityName: past.name))
            for property in entity.properties {
                guard let source = mapping.source(of: property, in: entity) else { continue }
                let name = Self.name(property, in: entity)
                for origin in stored(Self.name(source, in: past)) where next[name]?.contains(origin) != true {
                    next[name, default: []].append(origin)
                }
            }
        }
        names = next
    }

    private static func name(_ property: Entity.Property, in entity: Entity) -> StoredName {
        let declared = entity.firstDeclaration(of: property)
        let owner = declared.attribute?.entity ?? declared.relationship?.entity ?? entity
        return StoredName(entityName: owner.name, propertyName: property.name)
    }
}
