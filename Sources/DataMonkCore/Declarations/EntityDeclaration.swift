/// **Value.** What a class says of its entity: made by `@Entity`, read when a model is made from classes.
///
/// You write one by hand only for a class that does not use the macro:
///
///     final class Person: ManagedObject {
///         var name: String {
///             get { property(at: 0) }
///             set { setProperty(newValue, at: 0) }
///         }
///         override nonisolated class var entityDeclaration: EntityDeclaration? {
///             EntityDeclaration("Person", class: Person.self, properties: [.property("name", String.self)])
///         }
///         override nonisolated class var keyNames: [AnyKeyPath: String] { [\Person.name: "name"] }
///     }
public struct EntityDeclaration: Sendable {
    /// The entity's name.
    public let name: String
    /// The class that declares it.
    public let managedObjectClass: ManagedObject.Type
    /// Whether there are objects of sub-entities only.
    public let isAbstract: Bool
    /// The entity's name in earlier models, if it was renamed.
    public let originalName: String?
    /// Text that makes the version hash another one though nothing else changed.
    public let hashModifier: String?
    /// Groups of properties whose values together occur once.
    public let unique: [[String]]
    /// Groups of properties with an index over them.
    public let indexes: [[String]]
    /// Whether the class overrides `validateValue(_:forKey:)`, or may; if not, saves spare the calls. `@Entity` sees it in
    /// the class's source.
    public let validatesValues: Bool
    /// The class's own properties, in the order of their slots.
    public let properties: [PropertyDeclaration]

    /// Describes the entity of a class. The superentity follows from the class's superclass.
    public init(
        _ name: String, class managedObjectClass: ManagedObject.Type, isAbstract: Bool = false,
        originalName: String? = nil, hashModifier: String? = nil, unique: [[String]] = [], indexes: [[String]] = [],
        validatesValues: Bool = true, properties: [PropertyDeclaration]
    ) {
        self.name = name
        self.managedObjectClass = managedObjectClass
        self.isAbstract = isAbstract
        self.originalName = originalName
        self.hashModifier = hashModifier
        self.unique = unique
        self.indexes = indexes
        self.validatesValues = validatesValues
        self.properties = properties
    }
}

extension EntityDeclaration {
    /// The class's own declaration; one that it merely inherits is not its own.
    static func own(_ managedObjectClass: ManagedObject.Type) -> EntityDeclaration? {
        guard let declaration = managedObjectClass.entityDeclaration,
            declaration.managedObjectClass == managedObjectClass
        else { return nil }
        return declaration
    }
}

extension EntityDescription {
    /// What the entity's class says of it; nil without a class, and for a class that declares nothing.
    var classDeclaration: EntityDeclaration? { managedObjectClass.flatMap(EntityDeclaration.own) }

    /// The properties in the order of their slots: first those that the class declares, as its code counts them.
    var propertiesBySlot: [PropertyDescription] {
        guard let declaration = classDeclaration else { return properties }
        let places = Dictionary(
            declaration.properties.enumerated().map { ($0.element.name, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        let placed = properties.enumerated().map { offset, property in
            (place: places[property.name] ?? places.count + offset, property: property)
        }
        return placed.sorted { $0.place < $1.place }.map(\.property)
    }
}
