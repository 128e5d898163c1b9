extension FetchError {
    static func missingVariable(_ name: String, among given: some Sequence<String>) -> FetchError {
        FetchError(
            .missingVariable,
            "The variable $\(name) has no value." + hint(for: name, among: given, question: "You gave"))
    }

    static func unknownVariable(_ name: String, among known: [String]) -> FetchError {
        FetchError(
            .unknownVariable,
            "The condition has no variable $\(name)." + hint(for: name, among: known)
                + (known.isEmpty ? " It has no variables at all." : ""))
    }

    static func variableWithPath(_ name: String, keyPath: String) -> FetchError {
        FetchError(
            .unsupportedCondition,
            """
            $\(name).\(keyPath) reads a value of an object that the fetch does not load. Write $NAME instead, and \
            pass the value itself.
            """
        )
    }

    /// Returns a sentence with the most similar of some names, or an empty text if none is similar.
    static func hint(
        for name: String, among names: some Sequence<String>, question: String = "Did you mean"
    ) -> String {
        NearestName.find(name, among: names).map { " \(question) \"\($0)\"\(question == "Did you mean" ? "?" : ".")" }
            ?? ""
    }
}
