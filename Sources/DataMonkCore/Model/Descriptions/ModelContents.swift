/// **Value.** The contents of a model file, or of the model inside a store, before validation.
package struct ModelContents: Sendable, Hashable {
    /// The entities, each with the properties that it declares itself.
    package var entities: [EntityDescription]
    /// The names of the entities of each configuration.
    package var configurations: [String: [String]]
    /// The named fetch requests.
    package var fetchRequestTemplates: [FetchRequestTemplate]
    /// The author's identifiers for this version.
    package var versionIdentifiers: [String]
    /// The entities of which something was left out that changes the stored form or the version hash.
    package var incompleteEntities: Set<String> = []

    /// Creates the contents of a model.
    package init(
        entities: [EntityDescription] = [], configurations: [String: [String]] = [:],
        fetchRequestTemplates: [FetchRequestTemplate] = [], versionIdentifiers: [String] = []
    ) {
        self.entities = entities
        self.configurations = configurations
        self.fetchRequestTemplates = fetchRequestTemplates
        self.versionIdentifiers = versionIdentifiers
    }

    /// Assigns classes to the entities by their class names. Model files and stores spell a class with or without its
    /// module: `Person`, `.Person`, `MyApp.Person`. An entity without a class name has the class that declares it.
    package mutating func assignClasses(from classes: [ManagedObject.Type]) {
        for index in entities.indices {
            let name = entities[index].managedObjectClassName?.split(separator: ".").last
            let entityName = entities[index].name
            entities[index].managedObjectClass = classes.first { candidate in
                name.map { "\(candidate)" == $0 } ?? (EntityDeclaration.own(candidate)?.name == entityName)
            }
        }
    }
}

extension ManagedObjectModel {
    /// Validates and resolves the contents of a file.
    ///
    /// - Throws: `ModelError` with every problem of the model.
    package convenience init(_ contents: ModelContents) throws(ModelError) {
        try self.init(contents, storedHashes: nil)
    }
}
