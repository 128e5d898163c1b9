/// **Value.** The part of a migration that names and renaming identifiers do not tell, for one entity.
///
/// ```swift
/// EntityMapping.transform("Person", [.converted("age"), .renamed("surname", from: "name")])
/// ```
/// A mapping says only what it names: everything else is inferred. The properties of an entity are also those of its
/// sub-entities, unless a sub-entity has a mapping of its own for them. See ``MigrationStage``.
public struct EntityMapping: Sendable {
    package enum Rule: Sendable, Hashable {
        /// The source is inferred if there is no name.
        case transform(from: String?)
        case add
        case remove
    }

    /// The name of the entity: in the old version for ``remove(_:)``, else in the new one.
    public let entityName: String
    /// The sources of properties.
    public let properties: [PropertyMapping]
    package let rule: Rule

    /// An entity whose objects change.
    ///
    /// - Parameters:
    ///   - name: Its name in the new version.
    ///   - source: Its name in the old version; `nil` if it is to be inferred.
    ///   - properties: The properties whose sources are not to be inferred.
    public static func transform(
        _ name: String, from source: String? = nil, _ properties: [PropertyMapping]
    ) -> EntityMapping {
        EntityMapping(entityName: name, properties: properties, rule: .transform(from: source))
    }

    /// An entity that had another name, and whose properties are inferred.
    public static func copy(_ name: String, from source: String) -> EntityMapping {
        EntityMapping(entityName: name, properties: [], rule: .transform(from: source))
    }

    /// An entity that is new, although the old version has one that would be taken for it.
    public static func add(_ name: String) -> EntityMapping {
        EntityMapping(entityName: name, properties: [], rule: .add)
    }

    /// An entity of the old version whose objects are discarded.
    public static func remove(_ name: String) -> EntityMapping {
        EntityMapping(entityName: name, properties: [], rule: .remove)
    }
}
