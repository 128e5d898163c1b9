package import Foundation

/// **Value.** Turns the archive of an `NSManagedObjectModel` into descriptions.
///
/// ```
/// NSManagedObjectModel  NSEntities NSFetchRequestTemplates NSConfigurations NSVersionIdentifiers
///   NSEntityDescription   NSEntityName NSProperties NSSuperentity NSSubentities NSFetchIndexDescriptions NSUniqueTuples …
///     NSAttributeDescription     NSPropertyName NSAttributeType NSDefaultValue NSFlagsKey …
///     NSRelationshipDescription  NSPropertyName NSDestinationEntity NSInverseRelationship NSMaxCount …
/// ```
/// An entity's `NSProperties` also contain copies of inherited properties; here each property belongs to the entity that
/// declares it. Entities and properties refer to each other in cycles: entities are listed once, each property is read
/// once, and every other reference is followed only for a name.
///
/// Objects of unknown classes are left out and recorded; see ``ArchivedModel/Omission``.
package struct ModelArchiveReader {
    var archive: KeyedArchive
    private(set) var omissions: [ArchivedModel.Omission] = []
    /// The entity and property being read, for omissions.
    var entityName: String?
    var propertyName: String?
    /// The properties by the numbers of their objects.
    private var propertiesByObject: [Int: PropertyDescription?] = [:]
    /// The properties of entities, including inherited ones, by the numbers of the entities' objects.
    private var propertiesByEntity: [Int: [PropertyDescription]] = [:]

    /// Reads the bytes of an archive.
    ///
    /// - Throws: ``PropertyListError``, ``KeyedArchiveError``.
    package static func read(_ data: Data) throws -> ArchivedModel {
        var reader = ModelArchiveReader(archive: try KeyedArchive(data))
        let contents = try reader.contents()
        return ArchivedModel(contents: contents, omissions: reader.omissions)
    }

    private mutating func contents() throws -> ModelContents {
        guard let model = try archive.root().object, model.isKind(of: "NSManagedObjectModel") else {
            throw KeyedArchiveError(.unexpectedRoot)
        }
        var contents = ModelContents()
        let entities = try archive.dictionary(archive.value(of: model, "NSEntities")) ?? []
        for (name, value) in entities {
            guard let object = value.object, object.isKind(of: "NSEntityDescription") else {
                try omit("the entity \(name): \(Self.kind(of: value))")
                continue
            }
            contents.entities.append(try entity(object, name: name))
        }
        contents.entities.sort { String.precedesInBytes($0.name, $1.name) }
        contents.fetchRequestTemplates = try templates(of: model)
        contents.configurations = try configurations(of: model)
        let identifiers = try archive.array(archive.value(of: model, "NSVersionIdentifiers")) ?? []
        contents.versionIdentifiers = try identifiers.compactMap { try archive.string($0) }
            .sorted(by: String.precedesInBytes)
        return contents
    }

    // MARK: Entities

    private mutating func entity(_ object: KeyedArchiveObject, name: String) throws -> EntityDescription {
        entityName = name
        defer { entityName = nil }
        let superentity = try archive.value(of: object, "NSSuperentity").object
        var properties = try self.properties(of: object)
        if let superentity {
            let inherited = Set(try self.properties(of: superentity))
            try archive.takeSteps(inherited.count)
            properties = properties.filter { !inherited.contains($0) }
        }
        let className = try archive.string(of: object, "NSClassNameForEntity")
        let renamingIdentifier = try archive.string(of: object, "NSRenamingIdentifier")
        return EntityDescription(
            name, managedObjectClassName: className == "NSManagedObject" ? nil : className,
            superentityName: try superentity.map { try archive.string(of: $0, "NSEntityName") ?? "" },
            isAbstract: object.flag("NSIsAbstract"), properties: Self.ordered(properties),
            uniquenessConstraints: try uniquenessConstraints(of: object),
            indexes: try indexes(of: object, properties),
            renamingIdentifier: renamingIdentifier == name ? nil : renamingIdentifier,
            versionHashModifier: try archive.string(of: object, "NSVersionHashModifier"),
            userInfo: try userInfo(of: object))
    }

    /// Returns the properties in the order of model files: attributes, relationships, fetched properties, each in the order
    /// of the archive.
    private static func ordered(_ properties: [PropertyDescription]) -> [PropertyDescription] {
        func ofRank(_ rank: Int) -> [PropertyDescription] {
            properties.filter { property in
                switch property {
                case .attribute: rank == 0
                case .relationship: rank == 1
                case .fetched: rank == 2
                }
            }
        }
        return ofRank(0) + ofRank(1) + ofRank(2)
    }

    private mutating func properties(of entity: KeyedArchiveObject) throws -> [PropertyDescription] {
        if let known = propertiesByEntity[entity.number] { return known }
        var properties: [PropertyDescription] = []
        var names: Set<String> = []
        for (name, value) in try archive.dictionary(archive.value(of: entity, "NSProperties")) ?? [] {
            propertyName = name
            defer { propertyName = nil }
            guard let object = value.object else {
                try omit("the property: \(Self.kind(of: value))")
                continue
            }
            if let property = try property(object, name: name), names.insert(name).inserted {
                properties.append(property)
            }
        }
        propertiesByEntity[entity.number] = properties
        return properties
    }

    private mutating func property(_ object: KeyedArchiveObject, name: String) throws -> PropertyDescription? {
        if let known = propertiesByObject[object.number] { return known }
        let property: PropertyDescription?
        if object.isKind(of: "NSAttributeDescription") {
            property = try attribute(object, name: name).map(PropertyDescription.attribute)
        } else if object.isKind(of: "NSRelationshipDescription") {
            property = .relationship(try relationship(object, name: name))
        } else if object.isKind(of: "NSFetchedPropertyDescription") {
            property = try fetchedProperty(object, name: name).map(PropertyDescription.fetched)
        } else {
            // A proxy represents an inherited property and has no contents of its own.
            if object.className != "_NSPropertyDescriptionProxy" {
                try omit("the property, of class \(object.className)")
            }
            property = nil
        }
        propertiesByObject[object.number] = .some(property)
        return property
    }

    private mutating func uniquenessConstraints(of object: KeyedArchiveObject) throws -> [[String]] {
        var constraints: [[String]] = []
        for tuple in try archive.array(archive.value(of: object, "NSUniqueTuples")) ?? [] {
            let parts = try archive.array(tuple) ?? []
            let names = try parts.compactMap { try archive.string($0) }
            if names.count == parts.count, !names.isEmpty {
                constraints.append(names)
            } else {
                try omit("a uniqueness constraint that does not consist of properties")
            }
        }
        return constraints
    }

    // MARK: Parts of the model

    private mutating func templates(of model: KeyedArchiveObject) throws -> [FetchRequestTemplate] {
        var templates: [FetchRequestTemplate] = []
        for (name, value) in try archive.dictionary(archive.value(of: model, "NSFetchRequestTemplates")) ?? [] {
            if let object = value.object, let template = try fetchRequest(object, name: name) {
                templates.append(template)
            } else {
                try omit("the fetch request \(name): \(Self.kind(of: value))")
            }
        }
        return templates.sorted { String.precedesInBytes($0.name, $1.name) }
    }

    private mutating func configurations(of model: KeyedArchiveObject) throws -> [String: [String]] {
        var configurations: [String: [String]] = [:]
        for (name, value) in try archive.dictionary(archive.value(of: model, "NSConfigurations")) ?? [] {
            guard name != ManagedObjectModel.defaultConfigurationName else { continue }
            let members = try archive.array(value) ?? []
            configurations[name] = try members.compactMap { member in
                try member.object.map { try archive.string(of: $0, "NSEntityName") } ?? archive.string(member)
            }.sorted(by: String.precedesInBytes)
        }
        return configurations
    }

    mutating func userInfo(of object: KeyedArchiveObject) throws -> [String: String] {
        var info: [String: String] = [:]
        for (key, value) in try archive.dictionary(archive.value(of: object, "NSUserInfo")) ?? [] {
            if let text = try archive.string(value) {
                info[key] = text
            } else {
                try omit("the user info \(key): \(Self.kind(of: value))")
            }
        }
        return info
    }

    // MARK: Omissions

    mutating func omit(_ subject: String) throws {
        try archive.takeSteps(for: subject)
        omissions.append(
            ArchivedModel.Omission(entityName: entityName, propertyName: propertyName, subject: subject))
    }

    static func kind(of value: KeyedArchiveValue) -> String {
        switch value {
        case .null: "nothing"
        case .plain: "a plain value"
        case .object(let object): "an object of class \(object.className)"
        }
    }
}
