import DataMonkCore

/// **Value.** The classes and enums of a model, in no particular style.
struct ClassPlan {
    let modelName: String
    private(set) var classes: [GeneratedClass] = []
    private(set) var enums: [GeneratedEnum] = []
    let names: SwiftNames
    /// The parts of the model that the classes do not declare.
    let omissions: [String]

    /// Describes the classes of a model.
    ///
    /// - Parameter modelName: The model's name, for the list of its classes.
    /// - Throws: `ModelError` with every name that Swift or managed objects do not allow, and every enum that is not
    ///   described correctly.
    init(_ model: ManagedObjectModel, named modelName: String, style: ClassStyle) throws(ModelError) {
        self.modelName = SwiftNames.typeName(modelName)
        var naming = ClassNaming(model, style: style)
        let enums = EnumPlanner(model)
        let ownTypes = Set(naming.classNames.values).union(enums.names)
        names = SwiftNames(ownTypes: ownTypes)
        omissions = ClassOmissions(of: model, names: names).lines
        var planned: [GeneratedClass] = []
        for entity in model.entities {
            var planner = ClassPlanner(entity, naming: naming, enums: enums, names: names)
            planned.append(planner.plan(with: Self.templates(of: entity, in: model)))
            naming.problems += planner.problems
        }
        naming.problems += Self.inheritedFunctions(in: planned)
        naming.checkFiles(of: self.modelName, enums: enums.names)
        let problems = naming.problems + enums.problems
        guard problems.isEmpty else { throw ModelError(problems: problems) }
        classes = planned
        self.enums = enums.written
    }

    /// Returns the fetch requests whose function a superclass has, because an extension cannot override it.
    private static func inheritedFunctions(in classes: [GeneratedClass]) -> [ModelError.Problem] {
        // Two classes of one name are a problem already.
        let byName = Dictionary(classes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return classes.flatMap { each -> [ModelError.Problem] in
            let above = sequence(first: each) { $0.superclass.flatMap { byName[$0] } }.prefix(classes.count).dropFirst()
            return each.fetches.compactMap { fetch in
                guard case .template(let template) = fetch.kind,
                    let owner = above.first(where: { $0.fetches.contains { $0.signature == fetch.signature } })
                else { return nil }
                return ModelError.Problem(
                    kind: .illegalName, entityName: each.entityName, propertyName: nil,
                    message: """
                        The fetch request \(template.name): The class \(owner.name), from which its class inherits, has \
                        the same function \(fetch.name). Rename one of the fetch requests.
                        """)
            }
        }
    }

    private static func templates(of entity: Entity, in model: ManagedObjectModel) -> [FetchRequestTemplate] {
        model.fetchRequestTemplates.values.filter { $0.entityName == entity.name }
            .sorted { String.precedesInBytes($0.name, $1.name) }
    }
}
