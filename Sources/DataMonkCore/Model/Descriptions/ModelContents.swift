/// **Value.** What a model file or the model inside a store describes, before it is checked.
package struct ModelContents: Sendable, Hashable {
    /// The entities, each with the properties that it declares itself.
    package var entities: [EntityDescription]
    /// The names of the entities of each configuration.
    package var configurations: [String: [String]]
    /// The fetches that the model names.
    package var fetchRequestTemplates: [FetchRequestTemplate]
    /// What the author calls this version.
    package var versionIdentifiers: [String]
    /// The entities of which something was left out that changes the stored form or the version hash.
    package var incompleteEntities: Set<String> = []

    /// Contents of a model.
    package init(
        entities: [EntityDescription] = [], configurations: [String: [String]] = [:],
        fetchRequestTemplates: [FetchRequestTemplate] = [], versionIdentifiers: [String] = []
    ) {
        self.entities = entities
        self.configurations = configurations
        self.fetchRequestTemplates = fetchRequestTemplates
        self.versionIdentifiers = versionIdentifiers
    }

    /// Gives entities the classes that their class names stand for. Model files and stores spell a class with or without
    /// its module: `Person`, `.Person`, `MyApp.Person`.
    package mutating func assignClasses(from classes: [ManagedObject.Type]) {
        for index in entities.indices {
            guard let name = entities[index].managedObjectClassName?.split(separator: ".").last else { continue }
            entities[index].managedObjectClass = classes.first { "\($0)" == name }
        }
    }
}

extension ManagedObjectModel {
    /// Checks and resolves what a file describes.
    ///
    /// - Throws: `ModelError` with every problem of the model.
    package convenience init(_ contents: ModelContents) throws(ModelError) {
        try self.init(contents, storedHashes: nil)
    }
}
