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
    /// ``ManagedAttribute`` lists the types of attributes. Computed, `static` and `lazy` properties stay what they are.
    /// An initial value is evaluated once, for the model; what differs from object to object is set in
    /// `awakeFromInsert()`.
    ///
    /// A class that inherits from another entity class is a sub-entity; classes without `@Entity` may stand between. The class may be public, open, nested, and in a
    /// module whose default isolation is the main actor; it is nonisolated there too, as its objects belong to their
    /// context. It has no initializers: `update.create(Person.self)` makes objects.
    ///
    /// - Parameters:
    ///   - name: The entity's name; the class's name unless given.
    ///   - isAbstract: Whether there are objects of sub-entities only.
    ///   - originalName: The entity's name in earlier versions, if it was renamed.
    ///   - hashModifier: Any text; another one makes the entity another version though its properties are the same.
    @attached(
        member, names: named(entityDeclaration), named(endOfProperties), named(keyNames), named(collectKeyNames))
    @attached(memberAttribute)
    public macro Entity(
        _ name: String? = nil, isAbstract: Bool = false, originalName: String? = nil, hashModifier: String? = nil
    ) = #externalMacro(module: "DataMonkMacros", type: "EntityMacro")

    /// Reads and writes a property in the object's row. `@Entity` puts it on every property; do not write it yourself.
    ///
    /// - Parameter number: The property's place among those of its class.
    @attached(accessor)
    public macro ManagedProperty(_ number: Int) =
        #externalMacro(module: "DataMonkMacros", type: "ManagedPropertyMacro")

    extension ManagedObject {
        /// The slot behind the last property of a class: what the accessors of its subclasses count from.
        ///
        /// `@Entity` overloads it in every entity class; this is the one of classes with no entity above them.
        @inlinable
        public nonisolated static func endOfProperties(of _: ManagedObject.Type) -> Int { 0 }

        /// The names of a class's properties by the key paths from one of its subclasses, which differ from its own.
        ///
        /// `@Entity` overloads it in every entity class, as it does ``endOfProperties(of:)``.
        public nonisolated static func collectKeyNames<Heir: ManagedObject>(of _: Heir.Type) -> [AnyKeyPath: String] {
            [:]
        }
    }
#endif
