import DataMonkCore

/// **Value.** The classes and enums of a model, in no particular style.
struct ClassPlan {
    let modelName: String
    private(set) var classes: [GeneratedClass] = []
    private(set) var enums: [GeneratedEnum] = []
    let names: SwiftNames

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
        var planned: [GeneratedClass] = []
        for entity in model.entities {
            var planner = ClassPlanner(entity, naming: naming, enums: enums, names: names)
            planned.append(planner.plan(with: Self.templates(of: entity, in: model)))
            naming.problems += planner.problems
        }
        naming.checkFiles(of: self.modelName, enums: enums.names)
        let problems = naming.problems + enums.problems
        guard problems.isEmpty else { throw ModelError(problems: problems) }
        classes = planned
        self.enums = enums.written
    }

    private static func templates(of entity: Entity, in model: ManagedObjectModel) -> [FetchRequestTemplate] {
        model.fetchRequestTemplates.values.filter { $0.entityName == entity.name }
            .sorted { String.precedesInBytes($0.name, $1.name) }
    }
}
