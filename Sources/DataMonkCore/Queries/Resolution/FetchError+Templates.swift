extension FetchError {
    static func unknownTemplate(_ name: String, in model: ManagedObjectModel) -> FetchError {
        FetchError(
            .unknownTemplate,
            "The model has no fetch request \"\(name)\"." + hint(for: name, among: model.fetchRequestTemplates.keys))
    }

    /// The objects of a template are not of the requested class.
    package static func wrongTemplate(_ name: String, for entity: Entity, expected: Entity) -> FetchError {
        FetchError(
            .wrongClass,
            "The fetch request \"\(name)\" is for \(entity.name), not for \(expected.name). Ask for \(entity.name).",
            entityName: entity.name)
    }

    /// Returns the error with the name of the template that it concerns.
    func inTemplate(_ name: String) -> FetchError {
        var named = self
        named.message = "The model's fetch request \"\(name)\" failed: \(message)"
        return named
    }
}
