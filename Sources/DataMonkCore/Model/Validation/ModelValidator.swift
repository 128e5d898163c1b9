/// **Value.** Validates the descriptions of a model together and collects all problems.
///
/// A check whose prerequisites are not met stays silent, so that each mistake is reported once: an unknown destination is
/// not reported as a missing inverse too.
struct ModelValidator {
    /// The maximum number of properties: SQLite allows 2,000 columns in a table, and a to-one may need two.
    static let maximumPropertyCount = 1000
    /// The maximum number of properties of all entities, counting an inherited one again in each: a file of a few hundred
    /// kilobytes can stand for millions.
    static let maximumTotalPropertyCount = 250_000
    /// The maximum depth of inheritance: far more than in any sensible model, and little enough for recursion.
    static let maximumDepth = 100

    /// The descriptions, completed with inverses as they are found.
    var entities: [EntityDescription]
    /// Indicates whether the model was stored or compiled by Core Data, which accepted its names.
    let isStored: Bool
    /// The index of each entity in `entities`; of duplicates, that of the first.
    let positions: [String: Int]
    /// The problems found so far.
    private(set) var problems: [ModelError.Problem] = []
    /// The superentities of each entity, nearest first. Empty below a cycle or an unknown superentity.
    var ancestors: [[Int]]
    // A model with thousands of unknown names is not misspelt, and comparing all with all would take minutes.
    private var suggestionsLeft = 200

    /// Returns the descriptions with every inverse named on both sides.
    ///
    /// - Throws: `ModelError` with all problems, in the order of the entities' names.
    static func validated(
        _ contents: ModelContents, isStored: Bool
    ) throws(ModelError) -> [EntityDescription] {
        let entities = contents.entities
        var validator = ModelValidator(entities, isStored: isStored)
        guard !entities.isEmpty else {
            validator.report(
                .noEntities, in: nil, property: nil,
                message: """
                    The model has no entities. Pass the classes of its objects, as in Stack(Person.self), or add some \
                    entities.
                    """)
            throw ModelError(problems: validator.problems)
        }
        guard entities.count <= ObjectKey.maximumEntities else {
            validator.report(
                .tooMany, in: nil, property: nil,
                message:
                    "The model has \(entities.count) entities, but the maximum is \(ObjectKey.maximumEntities). Split it."
            )
            throw ModelError(problems: validator.problems)
        }
        validator.checkNames()
        validator.checkInheritance()
        try validator.checkTotal()
        validator.checkOverrides()
        validator.checkClasses()
        validator.checkDeclarations()
        validator.checkAttributes()
        validator.checkRelationships()
        validator.checkUniquenessConstraints()
        validator.checkIndexes()
        validator.checkConfigurations(contents.configurations)
        validator.checkFetchRequests(contents.fetchRequestTemplates)
        guard validator.problems.isEmpty else { throw ModelError(problems: validator.sortedProblems) }
        return validator.entities
    }

    private init(_ entities: [EntityDescription], isStored: Bool) {
        self.entities = entities
        self.isStored = isStored
        ancestors = Array(repeating: [], count: entities.count)
        positions = Dictionary(
            entities.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    /// Adds a problem.
    mutating func report(
        _ kind: ModelError.Problem.Kind, in entityName: String?, property propertyName: String?, message: String
    ) {
        problems.append(
            ModelError.Problem(kind: kind, entityName: entityName, propertyName: propertyName, message: message))
    }

    /// Returns ` Did you mean "friends"?` for the nearest of some names, or an empty string if none is similar.
    mutating func suggestion(for name: String, among names: some Sequence<String>) -> String {
        guard suggestionsLeft > 0 else { return "" }
        suggestionsLeft -= 1
        return FetchError.hint(for: name, among: names)
    }

    private var sortedProblems: [ModelError.Problem] {
        problems.enumerated().sorted { left, right in
            let (first, second) = (left.element.entityName ?? "", right.element.entityName ?? "")
            return first == second ? left.offset < right.offset : String.precedesInBytes(first, second)
        }.map(\.element)
    }
}

extension ModelValidator {
    /// Returns the property of an entity with a name, preferring the nearest declaration.
    func property(named name: String, ofEntityAt position: Int) -> PropertyDescription? {
        for place in [position] + ancestors[position] {
            if let property = entities[place].properties.first(where: { $0.name == name }) { return property }
        }
        return nil
    }

    /// Returns the names of all properties of an entity, including inherited ones.
    func propertyNames(ofEntityAt position: Int) -> [String] {
        ([position] + ancestors[position]).flatMap { entities[$0].properties.map(\.name) }
    }
}
