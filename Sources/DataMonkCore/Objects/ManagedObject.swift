/// **Confined.** An object of the graph: the base class of your entities' classes.
///
///     @Entity final class Person: ManagedObject {
///         var name: String = ""
///         var age: Int = 0
///         @Relationship(inverse: \Person.friends) var friend: Person?
///         var friends: Set<Person>
///     }
///
/// An object belongs to one context and may be touched only where that context runs: it is not Sendable, so the
/// compiler refuses one that leaves. What crosses is its ``objectID``.
///
/// An object whose row has not been read is a *fault*: the first access to a property *fulfils* it. Reading a property
/// never fails visibly: should the store not answer, the property reads as empty and the error goes to the stack's
/// error handler; `fault()` is the form that throws.
///
/// Objects are equal when they are the same object.
///
/// Fields and who writes them (all confined to the context):
/// 1. `row` is nil for a fault; else it points at the draft's row if there is a draft, else into `block`.
/// 2. `holdings` has a draft exactly while the object has unsaved values (always for an inserted object), and to-manys from
///    their first use on.
/// 3. `block` keeps the row that the store last gave, which is the draft's base while there is a draft; a fault has none,
///    or one with a ``PartialRow``.
///
/// Every word counts: with its header an object fills a cache line of 64 bytes, less the allocator's eight.
open nonisolated class ManagedObject {
    // Unchecked exclusivity: confined, and each access is a single load or store; the dynamic checks would cost a
    // property read five times its price.
    @usableFromInline
    @exclusivity(unchecked) final var row: UnsafeRawPointer?
    @usableFromInline
    @exclusivity(unchecked) final var holdings: ObjectHoldings?
    @usableFromInline
    @exclusivity(unchecked) package final var key: ObjectKey
    @exclusivity(unchecked) package final var home: ObjectHome
    @usableFromInline
    @exclusivity(unchecked) final var state: ObjectState = []
    /// Place in the identity map; -1 when not registered.
    @usableFromInline
    @exclusivity(unchecked) final var registration: Int32 = -1

    /// Called by the engine. Make objects with `update.create(_:)`.
    public required nonisolated init(_ seed: ObjectSeed) {
        key = seed.key
        home = seed.home
        row = seed.row
        holdings = seed.holdings
    }

    /// What the class says of its entity; `@Entity` overrides it.
    open nonisolated class var entityDeclaration: EntityDeclaration? { nil }

    /// The names of the properties, by the key paths from this very class; `@Entity` overrides it. Conditions that are
    /// written with key paths look their keys up here.
    open nonisolated class var keyNames: [AnyKeyPath: String] { [:] }

    // MARK: Validation

    /// Called before a new object is saved: throws if it may not be. Overrides call `super`, which checks each property,
    /// and throw errors of their own.
    ///
    ///     override func validateForInsert() throws {
    ///         try super.validateForInsert()
    ///         if end < begin { throw ShiftError.endsBeforeItBegins }
    ///     }
    ///
    /// It may change values: the object is then asked again.
    ///
    /// - Throws: ``SaveError`` with each problem. An error of yours reaches the caller of `save()` as it is if it is the
    ///   only one, else as the `underlyingError` of a ``ValidationProblem``.
    open nonisolated func validateForInsert() throws { try validateProperties() }

    /// Called before changes of a saved object are saved; see ``validateForInsert()``.
    open nonisolated func validateForUpdate() throws { try validateProperties() }

    /// Called before a saved object is deleted from its store; see ``validateForInsert()``. `super` checks the delete
    /// rule deny.
    open nonisolated func validateForDelete() throws { try validateDeletion() }

    /// Called for each attribute and to-one before an object is saved, and by whoever wants to know whether a value would
    /// do. It may put another value in its place.
    ///
    ///     override func validateValue(_ value: inout ManagedValue, forKey key: String) throws {
    ///         if key == "name", case .string(let text) = value { value = .string(text.trimmed) }
    ///         try super.validateValue(&value, forKey: key)
    ///     }
    ///
    /// What the model asks of the value holds in any case, whether an override calls `super` or not. A to-one's value is
    /// its object's id.
    ///
    /// - Throws: ``SaveError`` with what is wrong; ``FetchError`` for an unknown key, or a value of another type.
    open nonisolated func validateValue(_ value: inout ManagedValue, forKey key: String) throws {
        try validate(value, of: property(named: key))
    }

    // MARK: Life cycle

    /// Called once, when the object has been inserted and has its default values.
    open nonisolated func awakeFromInsert() {}

    /// Called once, when the object's row has first been read.
    open nonisolated func awakeFromFetch() {}

    /// Called when the object is about to be deleted, on each call of delete; its relationships are still there.
    open nonisolated func prepareForDeletion() {}

    /// Called before the object is saved, as often as the object is changed by such calls.
    open nonisolated func willSave() {}

    /// Called after the object was saved.
    open nonisolated func didSave() {}

    /// Called before the object forgets its values.
    open nonisolated func willTurnIntoFault() {}

    /// Called after the object forgot its values.
    open nonisolated func didTurnIntoFault() {}
}

@available(*, unavailable)
extension ManagedObject: Sendable {}

extension ManagedObject: Hashable {
    /// Objects are equal when they are the same object.
    public nonisolated static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// **Confined.** What the engine makes an object of.
public struct ObjectSeed {
    let key: ObjectKey
    let home: ObjectHome
    /// The object's values; nil for a fault.
    var row: UnsafeRawPointer?
    var holdings: ObjectHoldings?
}

@available(*, unavailable)
extension ObjectSeed: Sendable {}
