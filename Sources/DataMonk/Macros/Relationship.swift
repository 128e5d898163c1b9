#if Macros
    public import DataMonkCore

    /// Says more of a relationship than its type does.
    ///
    ///     @Entity final class Department: ManagedObject {
    ///         @Relationship(deleteRule: .cascade, inverse: \Employee.department) var employees: Set<Employee>
    ///     }
    ///
    ///     @Entity final class Employee: ManagedObject {
    ///         var department: Department?
    ///     }
    ///
    /// The inverse is written on one side, whichever; the model finds the other. (Written on both, the compiler reports
    /// a circular reference.) Setting either side then sets the other.
    ///
    /// A relationship that needs none of this needs no `@Relationship`.
    ///
    /// - Parameters:
    ///   - options: What the relationship is besides its destination.
    ///   - deleteRule: What happens to the destination when the object is deleted.
    ///   - minimumModelCount: The fewest objects a to-many relationship may have when it is saved and not empty.
    ///   - maximumModelCount: The most objects a to-many relationship may have when it is saved.
    ///   - originalName: The relationship's name in earlier versions, if it was renamed.
    ///   - inverse: The relationship back, as a key path from the destination.
    ///   - hashModifier: Any text; another one makes the relationship another version though nothing else changed.
    @attached(peer)
    public macro Relationship(
        _ options: RelationshipOption..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = nil,
        maximumModelCount: Int? = nil, originalName: String? = nil, inverse: AnyKeyPath? = nil,
        hashModifier: String? = nil
    ) = #externalMacro(module: "DataMonkMacros", type: "PropertyMarkerMacro")

    /// The same with the inverse by its name, for a relationship that is its own inverse.
    ///
    ///     @Entity final class Person: ManagedObject {
    ///         @Relationship(inverse: "siblings") var siblings: Set<Person>
    ///     }
    ///
    /// The compiler cannot check the name; the model does, when it is made. Write a key path wherever one is accepted:
    /// only a path to the very property it stands on is circular.
    @attached(peer)
    public macro Relationship(
        _ options: RelationshipOption..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = nil,
        maximumModelCount: Int? = nil, originalName: String? = nil, inverse: String, hashModifier: String? = nil
    ) = #externalMacro(module: "DataMonkMacros", type: "PropertyMarkerMacro")
#endif
