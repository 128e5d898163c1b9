/// **Confined.** An object of the graph, and the base class of all entity classes.
///
///     @Entity final class Person: ManagedObject {
///         var name: String = ""
///         var age: Int = 0
///         @Relationship(inverse: \Person.friends) var friend: Person?
///         var friends: Set<Person>
///     }
///
/// An object belongs to one context and may be used only where that context runs. It is not Sendable, so the compiler
/// rejects code that passes it elsewhere. Pass its ``objectID`` instead.
///
/// An object whose row has not been read is a *fault*: the first access to a property *fulfills* it. Reading a property
/// never fails visibly: if the store fails, the property reads as empty and the error goes to the stack's error handler.
/// `fault()` is the throwing form.
///
/// Objects are equal if they are the same instance.
///
/// Fields and their writers (all confined to the context):
/// 1. `row` is `nil` for a fault. Otherwise it points to the draft's row if there is a draft, else into `block`.
/// 2. `objectStorage` has a draft exactly while the object has unsaved values (always for an inserted object), and to-manys
///    from their first use on.
/// 3. `block` retains the row last received from the store, which is the base of the draft if there is one. A fault has
///    no block, or one with a `PartialRow`.
///
/// Every word counts: including its header, an object fills a cache line of 64 bytes, less the allocator's eight.
open nonisolated class ManagedObject {
    // Unchecked exclusivity: confined, and each access is a single load or store. The dynamic checks would make a
    // property read five times as expensive.
    @usableFromInline
    @exclusivity(unchecked) final var row: UnsafeRawPointer?
    @usableFromInline
    @exclusivity(unchecked) final var objectStorage: ObjectStorage?
    @usableFromInline
    @exclusivity(unchecked) package final var key: ObjectKey
    @exclusivity(unchecked) package final var home: EntityBinding
    @usableFromInline
    @exclusivity(unchecked) final var state: ObjectState = []
    /// The index in the identity map; -1 if not registered.
    @usableFromInline
    @exclusivity(unchecked) final var registration: Int32 = -1

    /// Called by the engine. Create objects with `update.create(_:)`.
    public required nonisolated init(_ seed: ObjectSeed) {
        key = seed.key
        home = seed.home
        row = seed.row
        objectStorage = seed.objectStorage
    }

    /// The class's declaration of its entity; overridden by `@Entity`.
    open nonisolated class var entityDeclaration: EntityDeclaration? { nil }

    /// The names of the properties by their key paths, whose root is exactly this class; overridden by `@Entity`.
    /// Conditions written with key paths look up their keys here.
    open nonisolated class var keyNames: [AnyKeyPath: String] { [:] }

    // MARK: Validation

    /// Validates a new object before it is saved. Overrides call `super`, which validates each property, and throw their
    /// own errors.
    ///
    ///     override func validateForInsert() throws {
    ///         try super.validateForInsert()
    ///         if end < begin { throw ShiftError.endsBeforeItBegins }
    ///     }
    ///
    /// Overrides may change values; the object is then validated again.
    ///
    /// - Throws: ``SaveError`` with each problem. An error thrown by an override reaches the caller of `save()` unchanged
    ///   if it is the only one, otherwise as the `underlyingError` of a ``ValidationProblem``.
    open nonisolated func validateForInsert() throws { try validateProperties() }

    /// Validates changes of a saved object before they are saved; see ``validateForInsert()``.
    open nonisolated func validateForUpdate() throws { try validateProperties() }

    /// Validates the deletion of a saved object before it is deleted from its store; see ``validateForInsert()``. `super`
    /// checks the delete rule deny.
    open nonisolated func validateForDelete() throws { try validateDeletion() }

    /// Validates a value for an attribute or to-one. Called for each of them before an object is saved, and by code that
    /// needs to check a value. It may replace the value.
    ///
    ///     override func validateValue(_ value: inout ManagedValue, forKey key: String) throws {
    ///         if key == "name", case .string(let text) = value { value = .string(text.trimmed) }
    ///         try super.validateValue(&value, forKey: key)
    ///     }
    ///
    /// The value must satisfy the model's rules in any case, whether an override calls `super` or not. The value of a
    /// to-one is its object's id.
    ///
    /// - Throws: ``SaveError`` with the problem; ``FetchError`` for an unknown key, or for a value of another type.
    open nonisolated func validateValue(_ value: inout ManagedValue, forKey key: String) throws {
        try validate(value, of: property(named: key))
    }

    // MARK: Life cycle

    /// Called once after the object has been inserted with its default values.
    open nonisolated func awakeFromInsert() {}

    /// Called once after the object's row has been read for the first time.
    open nonisolated func awakeFromFetch() {}

    /// Called before the object is deleted, on each call of delete, while its relationships are still set.
    open nonisolated func prepareForDeletion() {}

    /// Called before the object is saved, and again whenever such a call has changed it.
    open nonisolated func willSave() {}

    /// Called after the object has been saved.
    open nonisolated func didSave() {}

    /// Called before the object's values are discarded. If a refresh turns many objects into faults, all of them are told
    /// before the first one loses its values.
    open nonisolated func willTurnIntoFault() {}

    /// Called after the object's values have been discarded; if commits are merged or many objects are refreshed, after all
    /// of that.
    open nonisolated func didTurnIntoFault() {}
}

@available(*, unavailable)
extension ManagedObject: Sendable {}

extension ManagedObject: Hashable {
    /// Returns `true` if both are the same instance.
    public nonisolated static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// **Confined.** The data from which the engine creates an object.
public struct ObjectSeed {
    let key: ObjectKey
    let home: EntityBinding
    /// The object's values; `nil` for a fault.
    var row: UnsafeRawPointer?
    var objectStorage: ObjectStorage?
}

@available(*, unavailable)
extension ObjectSeed: Sendable {}
