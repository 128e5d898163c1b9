import DataMonkCore

/// **Value.** The names of a model's classes, and what is wrong with names.
struct ClassNaming {
    /// The name of each entity's class.
    let classNames: [String: String]
    var problems: [ModelError.Problem] = []

    init(_ model: ManagedObjectModel, style: ClassStyle) {
        var names: [String: String] = [:]
        for entity in model.entities { names[entity.name] = Self.className(of: entity) }
        classNames = names
        var owners: [String: String] = [:]
        for entity in model.entities {
            let name = Self.className(of: entity)
            if !SwiftNames.isIdentifier(name) {
                report(.illegalName, entity.name, "Its class \"\(name)\" has no name of Swift. Rename the class.")
            } else if SwiftNames.isUnusable(asClass: name, style: style) {
                report(
                    .reservedName, entity.name,
                    "Its class has the name \(name), which its code needs for something else. Rename the class.")
            }
            if let other = owners.updateValue(entity.name, forKey: name.lowercased()) {
                report(
                    .duplicateClass, entity.name,
                    """
                    The class \(name) is the one of the entity \(other), or would have the same file. Give each entity a \
                    class with a name of its own.
                    """)
            }
            for property in entity.description.properties where SwiftNames.isUnusable(asProperty: property.name) {
                problems.append(
                    ModelError.Problem(
                        kind: .reservedName, entityName: entity.name, propertyName: property.name,
                        message: "The code of its class needs the name \(property.name) for something else. Rename it.")
                )
            }
        }
        problems += Self.reservedNames(in: model)
    }

    /// Returns the properties with names that managed objects use. A model that Core Data has stored may have them, but not
    /// together with a class, so the validation of a model of classes finds them.
    private static func reservedNames(in model: ManagedObjectModel) -> [ModelError.Problem] {
        do {
            _ = try ManagedObjectModel(entities: model.entities.map(\.description))
            return []
        } catch {
            return error.problems.filter { $0.kind == .reservedName }
        }
    }

    /// Returns the class's name without its module: `Person` for `Person`, `.Person` and `MyApp.Person`. An entity without
    /// a class name has a class of its own name.
    private static func className(of entity: Entity) -> String {
        entity.description.managedObjectClassName?.split(separator: ".").last.map(String.init) ?? entity.name
    }

    /// Returns the name of an entity's class.
    subscript(entity: Entity) -> String { classNames[entity.name] ?? entity.name }

    mutating func report(_ kind: ModelError.Problem.Kind, _ entity: String?, _ message: String) {
        problems.append(ModelError.Problem(kind: kind, entityName: entity, message: message))
    }

    /// Checks that no two files have the same name.
    mutating func checkFiles(of modelName: String, enums: [String]) {
        let classes = Set(classNames.values.map { $0.lowercased() })
        for name in enums + ["\(modelName)Classes"] where classes.contains(name.lowercased()) {
            report(
                .duplicateClass, nil,
                "A class of the model has the name \(name), which is also that of another generated type. Rename one.")
        }
    }
}
