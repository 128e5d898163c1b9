public import Foundation

/// **Shared.** The entities of an application, validated as a whole and immutable.
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
/// A model is built once and shared by all its stacks, contexts and objects. **It is never freed**: its entities refer to
/// each other, and an object's reference to its entity must cost nothing and be valid at any time.
public final class ManagedObjectModel: Sendable {
    /// The name of the configuration that contains every entity, used by a store without a configuration.
    public static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

    /// All entities, sorted by name in byte order. An entity's position is its `index`.
    public let entities: [Entity]
    /// The entities by name.
    public let entitiesByName: [String: Entity]
    /// The names of the entities of each configuration, sorted.
    public let configurations: [String: [String]]
    /// The fetch request templates by name.
    public let fetchRequestTemplates: [String: FetchRequestTemplate]
    /// The author's identifiers for this version, in the order given.
    public let versionIdentifiers: [String]
    /// Core Data's hash of each entity: 32 bytes that change with everything that changes the stored form.
    public var entityVersionHashesByName: [String: Data] { versionHashes.byEntityName }
    /// A hash over all entities, as stores and compiled models record it: SHA-256 in base 64.
    ///
    /// - Complexity: Linear in the number of entities, at each call.
    public var versionChecksum: String { versionHashes.checksum }
    /// Another hash over all entities and their names, as stores record it: SHA-512 in base 64.
    ///
    /// - Complexity: Linear in the number of entities, at each call.
    public var versionHashesDigest: String { versionHashes.digest }

    /// The entities of a stored model of which something was left out that changes the stored form or the version hash.
    package let incompleteEntities: Set<String>

    private let versionHashes: VersionHashes
    private let entitiesByClass: [ObjectIdentifier: Entity]

    /// Validates the descriptions as a whole and resolves them.
    ///
    /// - Parameters:
    ///   - entities: The descriptions of the entities, in any order.
    ///   - configurations: The names of the entities of each configuration.
    ///   - fetchRequestTemplates: The named fetch requests.
    ///   - versionIdentifiers: The author's identifiers for this version.
    /// - Throws: `ModelError` with **every** problem of the model.
    /// - Complexity: linear in the number of properties, inherited ones counted again.
    public convenience init(
        entities: [EntityDescription], configurations: [String: [String]] = [:],
        fetchRequestTemplates: [FetchRequestTemplate] = [], versionIdentifiers: [String] = []
    ) throws(ModelError) {
        try self.init(
            ModelContents(
                entities: entities, configurations: configurations, fetchRequestTemplates: fetchRequestTemplates,
                versionIdentifiers: versionIdentifiers))
    }

    /// Checks and resolves contents.
    ///
    /// - Parameter storedHashes: The version hashes that stand beside a stored or compiled model: entities of which something
    ///   was left out have theirs from there. `nil` for a model of one's own, which may not use reserved names.
    package init(_ contents: ModelContents, storedHashes: [String: Data]?) throws(ModelError) {
        let validated = try ModelValidator.validated(contents, isStored: storedHashes != nil)
        let resolved = EntityResolver.resolve(validated)
        try Self.checkValidationPredicates(of: resolved)
        self.entities = resolved
        self.entitiesByName = Dictionary(uniqueKeysWithValues: resolved.map { ($0.name, $0) })
        self.entitiesByClass = Dictionary(
            uniqueKeysWithValues: resolved.compactMap { entity in
                entity.managedObjectClass.map { (ObjectIdentifier($0), entity) }
            })
        self.configurations = contents.configurations.mapValues { Set($0).sorted(by: String.precedesInBytes) }
        self.fetchRequestTemplates = Dictionary(
            uniqueKeysWithValues: contents.fetchRequestTemplates.map { ($0.name, $0) })
        self.versionIdentifiers = contents.versionIdentifiers
        self.incompleteEntities = contents.incompleteEntities
        let incomplete = resolved.filter { entity in
            sequence(first: entity, next: \.superentity).contains { contents.incompleteEntities.contains($0.name) }
        }
        self.versionHashes = VersionHashes(of: resolved, incomplete: incomplete, stored: storedHashes ?? [:])
    }

    /// Refuses a model that no store can be made of, because parts of it are not understood.
    ///
    /// - Throws: `ModelError` with the code `incompleteModel`.
    package func requireCompleteness() throws(ModelError) {
        if incompleteEntities.isEmpty { return }
        let names = incompleteEntities.sorted(by: String.precedesInBytes).joined(separator: ", ")
        throw ModelError(
            code: .incompleteModel,
            message: """
                Parts of \(names) could not be read with the model. Stores that Core Data created for the model can \
                be opened, but no store can be created for it or migrated to it. Use the model's source, or describe \
                the model in code.
                """)
    }

    /// Returns the entities of a configuration in the order of `entities`, or `nil` if there is no such configuration.
    ///
    /// Without a name, or with the default name, returns every entity.
    public func entities(inConfiguration name: String?) -> [Entity]? {
        guard let name, name != Self.defaultConfigurationName else { return entities }
        return configurations[name]?.compactMap { entitiesByName[$0] }
    }

    /// Returns the entities of a configuration.
    ///
    /// - Throws: `ModelError` with the code `unknownConfiguration` if there is no such configuration.
    package func requireEntities(inConfiguration name: String?) throws(ModelError) -> [Entity] {
        if let entities = entities(inConfiguration: name) { return entities }
        let known = configurations.keys.sorted().joined(separator: ", ")
        throw ModelError(
            code: .unknownConfiguration,
            message: """
                The model has no configuration \(name ?? ""). \(known.isEmpty ? "It has none at all." : "It has: \(known).")
                """)
    }

    /// Returns the entity of a class, or `nil` if the model does not contain the class.
    public func entity(for managedObjectClass: ManagedObject.Type) -> Entity? {
        entitiesByClass[ObjectIdentifier(managedObjectClass)]
    }
}

extension String {
    /// Returns `true` if the UTF-8 bytes of a text precede those of another. This is the order of entities in a model and
    /// of properties in a version hash; `<` compares by Unicode canonical equivalence.
    package static func precedesInBytes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}
