package import Foundation

/// **Value.** Archives a model in the form of an `NSManagedObjectModel`, shown at ``ModelArchiveReader``.
///
/// Entities and properties get their positions before any is written, so that they can refer to each other in cycles.
package struct ModelArchiveWriter {
    /// A property of an entity, possibly inherited: sub-entities hold copies.
    struct PropertyPlace: Hashable {
        let entity: Int
        let name: String
    }

    let model: ManagedObjectModel
    var archive = KeyedArchiveWriter()
    let modelReference: KeyedArchiveWriter.Reference
    var entityReferences: [KeyedArchiveWriter.Reference] = []
    var propertyReferences: [PropertyPlace: KeyedArchiveWriter.Reference] = [:]

    /// Returns the bytes of a model's archive.
    package static func archive(of model: ManagedObjectModel) throws -> Data {
        var writer = ModelArchiveWriter(model)
        writer.writeModel()
        for entity in model.entities { writer.write(entity) }
        return try writer.archive.archive(root: writer.modelReference)
    }

    private init(_ model: ManagedObjectModel) {
        self.model = model
        modelReference = archive.reserve()
        for entity in model.entities {
            entityReferences.append(archive.reserve())
            for name in Self.propertyNames(of: entity) {
                propertyReferences[PropertyPlace(entity: entity.index, name: name)] = archive.reserve()
            }
        }
    }

    /// Returns the names of all properties, including inherited ones.
    private static func propertyNames(of entity: Entity) -> [String] {
        entity.properties.map(\.name) + entity.fetchedProperties.map(\.name)
    }

    func uid(of entity: Entity) -> PropertyListValue { entityReferences[entity.index].uid }

    // MARK: The model

    private mutating func writeModel() {
        var fields: [String: PropertyListValue] = [
            "NSEntities": entities(), "NSFetchRequestTemplates": templates(),
            "NSVersionIdentifiers": archive.add(
                ["NSSet"], elements: model.versionIdentifiers.map { archive.add(.string($0)) }),
        ]
        if !model.configurations.isEmpty { fields["NSConfigurations"] = configurations() }
        archive.fill(modelReference, classes: ["NSManagedObjectModel"], fields: fields)
    }

    /// Writes Core Data's dictionary with a fixed set of keys.
    private mutating func entities() -> PropertyListValue {
        let mapping = archive.add(
            ["NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy"],
            fields: [
                "version": .integer(1), "length": .integer(Int64(model.entities.count)),
                "keys": archive.add(elements: model.entities.map { archive.add(.string($0.name)) }),
            ])
        return archive.add(
            ["NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary"],
            fields: [
                "version": .integer(1), "searchMapping": mapping,
                "emptyToken": archive.add(.string("__empty_slot_token_4c24_98dc_ac1e_b773__")),
                "values": archive.add(elements: entityReferences.map(\.uid)),
            ])
    }

    private mutating func templates() -> PropertyListValue {
        let templates = model.fetchRequestTemplates.sorted { String.precedesInBytes($0.key, $1.key) }
        if templates.isEmpty { return KeyedArchiveWriter.null }
        return archive.add(
            KeyedArchiveWriter.mutableDictionary, entries: templates.map { ($0.key, fetchRequest($0.value)) })
    }

    private mutating func configurations() -> PropertyListValue {
        let configurations = model.configurations.sorted { String.precedesInBytes($0.key, $1.key) }
        return archive.add(
            KeyedArchiveWriter.mutableDictionary,
            entries: configurations.map { name, members in
                (name, archive.add(elements: members.compactMap { model.entitiesByName[$0] }.map(uid)))
            })
    }

    // MARK: Entities

    private mutating func write(_ entity: Entity) {
        let description = entity.description
        var fields: [String: PropertyListValue] = [
            "NSManagedObjectModel": modelReference.uid,
            "NSEntityName": archive.add(.string(entity.name)),
            "NSClassNameForEntity": archive.add(Self.className(of: description)),
            "NSSuperentity": entity.superentity.map(uid) ?? KeyedArchiveWriter.null,
            "NSSubentities": archive.add(
                KeyedArchiveWriter.mutableDictionary, entries: entity.subentities.map { ($0.name, uid(of: $0)) }),
            "NSProperties": archive.add(
                KeyedArchiveWriter.mutableDictionary,
                entries: Self.propertyNames(of: entity).map { ($0, uid(ofProperty: $0, of: entity)) }),
            "NSUserInfo": userInfo(description.userInfo),
            "NSVersionHashModifier": archive.add(description.versionHashModifier),
            "NSRenamingIdentifier": archive.add(.string(description.renamingIdentifier ?? entity.name)),
        ]
        if entity.isAbstract { fields["NSIsAbstract"] = .bool(true) }
        if !description.uniquenessConstraints.isEmpty {
            fields["NSUniqueTuples"] = tuples(description.uniquenessConstraints)
        }
        addIndexes(of: entity, to: &fields)
        archive.fill(entityReferences[entity.index], classes: ["NSEntityDescription"], fields: fields)
        for property in entity.properties { write(property, of: entity) }
        for property in entity.fetchedProperties { write(property, of: entity) }
    }

    /// Returns the class as the model spells it. A class known only by its type gets its Objective-C name.
    private static func className(of description: EntityDescription) -> String? {
        if let name = description.managedObjectClassName { return name }
        guard let type = description.managedObjectClass, type != ManagedObject.self else { return nil }
        let name = String(reflecting: type)
        // A class inside a function has no name that another program could look up.
        return name.contains("(") ? nil : name
    }

    func uid(ofProperty name: String, of entity: Entity) -> PropertyListValue {
        propertyReferences[PropertyPlace(entity: entity.index, name: name)]?.uid ?? KeyedArchiveWriter.null
    }

    mutating func userInfo(_ info: [String: String]) -> PropertyListValue {
        archive.add(
            entries: info.sorted { String.precedesInBytes($0.key, $1.key) }.map {
                ($0.key, archive.add(.string($0.value)))
            })
    }

    private mutating func tuples(_ names: [[String]]) -> PropertyListValue {
        let tuples = names.map { names in
            archive.add(KeyedArchiveWriter.mutableArray, elements: names.map { archive.add(.string($0)) })
        }
        return archive.add(KeyedArchiveWriter.mutableArray, elements: tuples)
    }

    // MARK: Indexes

    private mutating func addIndexes(of entity: Entity, to fields: inout [String: PropertyListValue]) {
        let marked = entity.description.attributes.filter(\.isIndexed).map { attribute in
            FetchIndexDescription(attribute.name, on: [FetchIndexElementDescription(.property(attribute.name))])
        }
        let indexes = marked + entity.description.indexes
        guard !indexes.isEmpty else { return }
        fields["NSFetchIndexDescriptions"] = archive.add(
            KeyedArchiveWriter.mutableArray, elements: indexes.map { write($0, of: entity) })
        let compound = indexes.map { $0.elements.compactMap(\.propertyName) }.filter { $0.count > 1 }
        fields["NSCompoundIndexes"] = tuples(compound)
    }

    private mutating func write(_ index: FetchIndexDescription, of entity: Entity) -> PropertyListValue {
        let reference = archive.reserve()
        let elements = index.elements.map { element in
            var fields: [String: PropertyListValue] = [
                "NSFetchIndexDescription": reference.uid, "NSAscending": .bool(element.isAscending),
                "NSFetchIndexElementType": .integer(Int64(element.collationType.rawValue)),
            ]
            switch element.subject {
            case .property(let name): fields["NSPropertyName"] = archive.add(.string(name))
            case .expression(let text): fields[ModelArchiveKey.expressionFormat] = archive.add(.string(text))
            }
            return archive.add(["NSFetchIndexElementDescription"], fields: fields)
        }
        var fields = [
            "NSIndexName": archive.add(.string(index.name)), "NSEntity": uid(of: entity),
            "NSIndexElements": archive.add(elements: elements), "NSPartialIndexPredicate": KeyedArchiveWriter.null,
        ]
        if let text = index.partialIndexPredicateFormat {
            fields[ModelArchiveKey.predicateFormat] = archive.add(.string(text))
        }
        archive.fill(reference, classes: ["NSFetchIndexDescription"], fields: fields)
        return reference.uid
    }
}
