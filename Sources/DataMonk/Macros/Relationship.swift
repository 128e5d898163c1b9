#if Macros
    public import DataMonkCore

    /// Sets options of a relationship that its type does not express.
    ///
    ///     @Entity final class Department: ManagedObject {
    ///         @Relationship(deleteRule: .cascade, inverse: \Employee.department) var employees: Set<Employee>
    ///     }
    ///
    ///     @Entity final class Employee: ManagedObject {
    ///         var department: Department?
    ///     }
    ///
    /// Write the inverse on either side; the model finds the other. If it is written on both sides, the compiler reports a
    /// circular reference. Setting one side of the relationship sets the other.
    ///
    /// A relationship without such options needs no `@Relationship`.
    ///
    /// - Parameters:
    ///   - options: The options of the relationship.
    ///   - deleteRule: The rule applied to the destination when the object is deleted.
    ///   - minimumModelCount: The minimum number of objects in a to-many relationship when it is saved, unless it is empty.
    ///   - maximumModelCount: The maximum number of objects in a to-many relationship when it is saved.
    ///   - originalName: The relationship's name in earlier versions, if it was renamed.
    ///   - inverse: The inverse relationship, as a key path from the destination. If the destination has no such property,
    ///     the compiler says that its “value … has no member” of that name, and refuses an attribute with the remedy.
    ///   - hashModifier: Any text. Changing it gives the relationship a new version hash although nothing else changed.
    ///   - importedFrom: The key, or key path as `user.id`, of the objects in the rows of an import: the relationship's
    ///     `mappedKeyName` in `userInfo`. By default it is the relationship's name.
    ///   - relatedBy: The attribute of the destination by which imports find its objects, and by which an ordered relationship
    ///     is put in order: `relatedByAttribute` in `userInfo`. By default it is the key of the destination's entity.
    ///   - userInfo: Notes for the application or its tools, in ``/DataMonkCore/RelationshipDescription/userInfo``. They
    ///     have no influence on the store.
    @attached(peer)
    public macro Relationship(
        _ options: RelationshipOption..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = nil,
        maximumModelCount: Int? = nil, originalName: String? = nil, inverse: AnyKeyPath? = nil,
        hashModifier: String? = nil, importedFrom: String? = nil, relatedBy: String? = nil,
        userInfo: [String: String] = [:]
    ) = #externalMacro(module: "DataMonkMacros", type: "PropertyMarkerMacro")

    /// Sets options of a relationship whose inverse is given by name, for a relationship that is its own inverse.
    ///
    ///     @Entity final class Person: ManagedObject {
    ///         @Relationship(inverse: "siblings") var siblings: Set<Person>
    ///     }
    ///
    /// The compiler cannot check the name; the model does when it is created. Write a key path wherever one is accepted:
    /// only a path to the property itself is circular.
    @attached(peer)
    public macro Relationship(
        _ options: RelationshipOption..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = nil,
        maximumModelCount: Int? = nil, originalName: String? = nil, inverse: String, hashModifier: String? = nil,
        importedFrom: String? = nil, relatedBy: String? = nil, userInfo: [String: String] = [:]
    ) = #externalMacro(module: "DataMonkMacros", type: "PropertyMarkerMacro")
#endif
