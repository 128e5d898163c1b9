/// **Value.** The declaration of an entity by its class, which `@Entity` generates and a model made from classes reads.
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
    /// The class that declares the entity.
    public let managedObjectClass: ManagedObject.Type
    /// A Boolean value indicating whether only sub-entities have objects.
    public let isAbstract: Bool
    /// The entity's name in earlier models, if it was renamed.
    public let originalName: String?
    /// A text that changes the version hash when nothing else has changed.
    public let hashModifier: String?
    /// Notes for the application or its tools.
    public let userInfo: [String: String]
    /// Groups of properties whose combination of values must be unique.
    public let unique: [[String]]
    /// Groups of properties with a common index.
    public let indexes: [[String]]
    /// A Boolean value indicating whether the class overrides `validateValue(_:forKey:)`, or may do so. If `false`, saves
    /// omit the calls. `@Entity` derives it from the class's source.
    public let validatesValues: Bool
    /// The class's own properties, in the order of their slots.
    public let properties: [PropertyDeclaration]

    /// Creates the declaration of a class's entity. The superentity follows from the class's superclass.
    public init(
        _ name: String, class managedObjectClass: ManagedObject.Type, isAbstract: Bool = false,
        originalName: String? = nil, hashModifier: String? = nil, userInfo: [String: String] = [:],
        unique: [[String]] = [], indexes: [[String]] = [], validatesValues: Bool = true,
        properties: [PropertyDeclaration]
    ) {
        self.name = name
        self.managedObjectClass = managedObjectClass
        self.isAbstract = isAbstract
        self.originalName = originalName
        self.hashModifier = hashModifier
        self.userInfo = userInfo
        self.unique = unique
        self.indexes = indexes
        self.validatesValues = validatesValues
        self.properties = properties
    }
}

extension EntityDeclaration {
    /// Returns the class's own declaration, or `nil` if the class has none or only inherits one.
    static func own(_ managedObjectClass: ManagedObject.Type) -> EntityDeclaration? {
        guard let declaration = managedObjectClass.entityDeclaration,
            declaration.managedObjectClass == managedObjectClass
        else { return nil }
        return declaration
    }
}

extension EntityDescription {
    /// The declaration by the entity's class, or `nil` without a class or for a class without a declaration.
    var classDeclaration: EntityDeclaration? { managedObjectClass.flatMap(EntityDeclaration.own) }

    /// The properties in the order of their slots, beginning with those that the class declares, in the order of its code.
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
