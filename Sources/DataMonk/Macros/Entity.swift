#if Macros
    public import DataMonkCore

    /// Makes a class the class of an entity.
    ///
    ///     @Entity final class Person: ManagedObject {
    ///         var name: String = ""
    ///         var age: Int = 0
    ///         var location: String?
    ///         @Relationship(inverse: \Person.friends) var friend: Person?
    ///         var friends: Set<Person>
    ///     }
    ///
    /// Every stored `var` becomes a property of the entity:
    ///
    /// | written as | becomes |
    /// |---|---|
    /// | `var age: Int = 0` | a required attribute with a default |
    /// | `var location: String?` | an optional attribute |
    /// | `var friend: Person?` | a to-one relationship |
    /// | `var friends: Set<Person>` | a to-many relationship |
    /// | `var steps: [Step]` | an ordered to-many relationship |
    ///
    /// ``/DataMonkCore/ManagedAttribute`` lists the attribute types. Computed, `static` and `lazy` properties are left as
    /// they are. An initial value is evaluated once, for the model; set values that differ from object to object in
    /// `awakeFromInsert()`.
    ///
    /// A class that inherits from another entity class is a sub-entity; classes without `@Entity` may come between them. The
    /// class may be public, open or nested. It may be in a module whose default isolation is the main actor, but is
    /// nonisolated even there, because its objects belong to their context. It has no initializers: create objects with
    /// `update.create(Person.self)`.
    ///
    /// - Parameters:
    ///   - name: The name of the entity; by default, the name of the class.
    ///   - isAbstract: Whether only sub-entities have objects.
    ///   - originalName: The entity's name in earlier versions, if it was renamed.
    ///   - hashModifier: Any text. Changing it gives the entity a new version hash although its properties stay the same.
    ///   - userInfo: Notes for the application or its tools, in ``/DataMonkCore/EntityDescription/userInfo``. They have no
    ///     influence on the store.
    @attached(
        member, names: named(entityDeclaration), named(endOfProperties), named(keyNames), named(collectKeyNames))
    @attached(memberAttribute)
    @attached(peer)
    public macro Entity(
        _ name: String? = nil, isAbstract: Bool = false, originalName: String? = nil, hashModifier: String? = nil,
        userInfo: [String: String] = [:]
    ) = #externalMacro(module: "DataMonkMacros", type: "EntityMacro")

    /// Declares the properties of an entity's class in an extension of the class, as `@Entity` does in the class itself.
    ///
    ///     final class Person: ManagedObject {
    ///         override nonisolated class var entityDeclaration: EntityDeclaration? { declareEntity(of: Person.self) }
    ///         override nonisolated class var keyNames: [AnyKeyPath: String] { collectKeyNames(of: Person.self) }
    ///     }
    ///
    ///     @EntityProperties extension Person {
    ///         var name: String = ""
    ///         var friends: Set<Person>
    ///     }
    ///
    /// `datamonk generate` writes classes in this form: the class is yours, and the extension follows the model. A class has
    /// one such extension.
    ///
    /// - Parameters:
    ///   - name: The name of the entity; by default, the name of the class.
    ///   - superclass: The class that it inherits from, unless that is `ManagedObject`. An extension does not show it.
    ///   - isAbstract: Whether only sub-entities have objects.
    ///   - originalName: The entity's name in earlier versions, if it was renamed.
    ///   - hashModifier: Any text. Changing it gives the entity a new version hash although its properties stay the same.
    ///   - userInfo: Notes for the application or its tools.
    @attached(member, names: named(declareEntity), named(endOfProperties), named(collectKeyNames))
    @attached(memberAttribute)
    public macro EntityProperties(
        _ name: String? = nil, superclass: ManagedObject.Type? = nil, isAbstract: Bool = false,
        originalName: String? = nil, hashModifier: String? = nil, userInfo: [String: String] = [:]
    ) = #externalMacro(module: "DataMonkMacros", type: "EntityPropertiesMacro")

    /// Reads and writes a property in the object's row. `@Entity` adds it to every property; do not write it yourself.
    ///
    /// - Parameter number: The position of the property among those of its class.
    @attached(accessor)
    public macro ManagedProperty(_ number: Int) =
        #externalMacro(module: "DataMonkMacros", type: "ManagedPropertyMacro")

    extension ManagedObject {
        /// The slot after the last property of a class. The accessors of its subclasses count from it.
        ///
        /// `@Entity` overloads it in every entity class. This overload is for classes without an entity above them.
        @inlinable
        public nonisolated static func endOfProperties(of _: ManagedObject.Type) -> Int { 0 }

        /// Returns the names of a class's properties, keyed by the key paths from one of its subclasses, which differ from
        /// its own.
        ///
        /// `@Entity` overloads it in every entity class, as it does ``endOfProperties(of:)``.
        public nonisolated static func collectKeyNames<Heir: ManagedObject>(of _: Heir.Type) -> [AnyKeyPath: String] {
            [:]
        }
    }
#endif
