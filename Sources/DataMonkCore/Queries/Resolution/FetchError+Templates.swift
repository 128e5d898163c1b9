extension FetchError {
    static func unknownTemplate(_ name: String, in model: ManagedObjectModel) -> FetchError {
        FetchError(
            .unknownTemplate,
            "The model has no fetch request \"\(name)\"." + hint(name, model.fetchRequestTemplates.keys))
    }

    static func missingVariable(_ name: String, among given: some Sequence<String>) -> FetchError {
        FetchError(.missingVariable, "The variable $\(name) has no value." + hint(name, given, "You gave"))
    }

    static func unknownVariable(_ name: String, among known: [String]) -> FetchError {
        FetchError(
            .unknownVariable,
            "The condition has no variable $\(name)." + hint(name, known)
                + (known.isEmpty ? " It has no variables at all." : ""))
    }

    static func variableWithPath(_ name: String, _ keyPath: String) -> FetchError {
        FetchError(
            .unsupportedCondition,
            """
            $\(name).\(keyPath) reads a value of an object that the fetch does not load. Write $NAME instead, and \
            pass the value itself.
            """
        )
    }

    /// The objects of a template are not of the requested class.
    package static func wrongTemplate(_ name: String, _ entity: Entity, expected: Entity) -> FetchError {
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

    private static func hint(
        _ name: String, _ names: some Sequence<String>, _ question: String = "Did you mean"
    ) -> String {
        NearestName.find(name, among: names).map { " \(question) \"\($0)\"\(question == "Did you mean" ? "?" : ".")" }
            ?? ""
    }
}
