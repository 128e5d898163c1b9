public import Foundation

/// **Shared.** The entities of an application, checked as a whole and never changed.
///
/// ```swift
/// let model = try ManagedObjectModel {
///     EntityDescription("Person") {
///         AttributeDescription("name", .string)
///         RelationshipDescription("friend", to: "Person", inverse: "friends")
///         RelationshipDescription("friends", to: "Person", isToMany: true)
///     }
/// }
/// ```
/// A model is built once and shared by every stack, context and object of it. **It is never freed**: its entities point
/// at each other, and an object's way to its entity must cost nothing and be valid at any time.
public final class ManagedObjectModel: Sendable {
    /// The name of the configuration that holds every entity: what a store without a configuration has.
    public static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

    /// Every entity, sorted by name in byte order. An entity's position is its `index`.
    public let entities: [Entity]
    /// The entities by name.
    public let entitiesByName: [String: Entity]
    /// The names of the entities of each configuration, sorted.
    public let configurations: [String: [String]]
    /// The fetches that the model names.
    public let fetchRequestTemplates: [String: FetchRequestTemplate]
    /// What the author calls this version, in the order given.
    public let versionIdentifiers: [String]
    /// Core Data's hash of each entity: 32 bytes that change with everything that changes the stored form.
    public var entityVersionHashesByName: [String: Data] { versionHashes.byEntityName }
    /// One hash over all entities, as stores and compiled models carry it: SHA-256 in base 64.
    ///
    /// - Complexity: linear in the number of entities, at each call.
    public var versionChecksum: String { versionHashes.checksum }
    /// Another hash over all entities and their names, as stores carry it: SHA-512 in base 64.
    ///
    /// - Complexity: linear in the number of entities, at each call.
    public var versionHashesDigest: String { versionHashes.digest }

    private let versionHashes: VersionHashes
    private let entitiesByClass: [ObjectIdentifier: Entity]

    /// Checks the descriptions as a whole and resolves them.
    ///
    /// - Parameters:
    ///   - entities: What the entities are; their order does not matter.
    ///   - configurations: The names of the entities of each configuration.
    ///   - fetchRequestTemplates: Fetches that go by a name.
    ///   - versionIdentifiers: What the author calls this version.
    /// - Throws: `ModelError` with **every** problem of the model.
    /// - Complexity: linear in the number of properties, inherited ones counted again.
    public init(
        entities: [EntityDescription], configurations: [String: [String]] = [:],
        fetchRequestTemplates: [FetchRequestTemplate] = [], versionIdentifiers: [String] = []
    ) throws(ModelError) {
        let validated = try ModelValidator.validated(
            entities, configurations: configurations, fetchRequestTemplates: fetchRequestTemplates)
        let resolved = EntityResolver.resolve(validated)
        try Self.checkValidationPredicates(of: resolved)
        self.entities = resolved
        self.entitiesByName = Dictionary(uniqueKeysWithValues: resolved.map { ($0.name, $0) })
        self.entitiesByClass = Dictionary(
            uniqueKeysWithValues: resolved.compactMap { entity in
                entity.managedObjectClass.map { (ObjectIdentifier($0), entity) }
            })
        self.configurations = configurations.mapValues { Set($0).sorted(by: String.precedesInBytes) }
        self.fetchRequestTemplates = Dictionary(uniqueKeysWithValues: fetchRequestTemplates.map { ($0.name, $0) })
        self.versionIdentifiers = versionIdentifiers
        self.versionHashes = VersionHashes(of: resolved)
    }

    /// The entities of a configuration in the order of `entities`, nil when there is no such configuration.
    ///
    /// No name, or the default name, means every entity.
    public func entities(inConfiguration name: String?) -> [Entity]? {
        guard let name, name != Self.defaultConfigurationName else { return entities }
        return configurations[name]?.compactMap { entitiesByName[$0] }
    }

    /// The entity that a class stands for, nil when the model does not know the class.
    public func entity(for managedObjectClass: ManagedObject.Type) -> Entity? {
        entitiesByClass[ObjectIdentifier(managedObjectClass)]
    }
}

extension String {
    /// Whether the text comes before another when their UTF-8 bytes are compared: the order of entities in a model and of
    /// properties in a version hash. `<` compares by Unicode's canonical equivalence.
    package static func precedesInBytes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}
