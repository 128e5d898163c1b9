extension FetchError {
    static func missingVariable(_ name: String, among given: some Sequence<String>) -> FetchError {
        FetchError(.missingVariable, "The variable $\(name) has no value." + hint(name, given, "You gave"))
    }

    static func unknownVariable(_ name: String, among known: [String]) -> FetchError {
        FetchError(
            .unknownVariable,
            "The condition has no variable $\(name)." + hint(name, known)
                + (known.isEmpty ? " It has none at all." : ""))
    }

    static func variableWithPath(_ name: String, _ keyPath: String) -> FetchError {
        FetchError(
            .unsupportedCondition,
            "$\(name).\(keyPath) is a value of an object that no fetch looks up: write $NAME for it, and give the value."
        )
    }

    /// Returns a sentence with the most similar of some names, or an empty text if none is similar.
    static func hint(
        _ name: String, _ names: some Sequence<String>, _ question: String = "Did you mean"
    ) -> String {
        NearestName.find(name, among: names).map { " \(question) \"\($0)\"\(question == "Did you mean" ? "?" : ".")" }
            ?? ""
    }
}
