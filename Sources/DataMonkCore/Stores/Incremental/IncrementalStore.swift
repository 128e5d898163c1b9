public import Foundation

/// **Shared.** A store of your own of which only those objects are read that somebody asks for: a service, a large folder,
/// another database.
///
/// An ``AtomicStore`` is simpler, and holds everything in memory. `Examples/CustomStore` has one of each.
///
///     final class Records: IncrementalStore {
///         var typeName: String { "Records" }
///
///         func snapshot(model: ManagedObjectModel) throws -> (any IncrementalSnapshot)? { try readIndex() }
///         func save(_ changes: IncrementalChanges, model: ManagedObjectModel) throws { try write(changes) }
///     }
///     try await stack.addStore(.custom(Records(folder: folder)))
///
/// The engine evaluates conditions, order and limits, keeps objects unique, finds conflicts, and follows delete rules. It
/// gives each object its id. Nobody else changes what is stored while a stack has the store, and no other stack has it.
///
/// What the store answers is checked: an object that was not asked for, an id that is listed twice or that it has no object
/// for, an unknown entity or property, a value of a wrong type, a reference to an object of another entity or to an id that
/// was never given, a version or a last id below the one that was saved. Each is a ``StoreError`` with the code `corrupt` that
/// names the object. Contents that vanish, or become those of another store, are one with the code `fileMoved`, and are not
/// overwritten.
public protocol IncrementalStore: Sendable {
    /// The location of the store for messages; `nil` if it has none. Two stores of one stack have different locations.
    var url: URL? { get }
    /// The name of the kind, which is the value of `NSStoreType` in the metadata.
    var typeName: String { get }

    /// Returns what is stored now, or `nil` if there is nothing yet: then `save` is called for a new store.
    ///
    /// Called on any thread, for each state that somebody reads, also while `save` runs: a snapshot then has all of the
    /// changes or none. Make it cheap.
    ///
    /// - Parameter model: The model of the stack.
    /// - Throws: A ``StoreError`` for contents that cannot be read. Other errors become the underlying error of one.
    func snapshot(model: ManagedObjectModel) throws -> (any IncrementalSnapshot)?

    /// Stores changes, all of them or none. Called by one thread at a time. Changes that are returned from are durable, and
    /// part of every later snapshot; earlier ones stay as they are.
    ///
    /// - Throws: An error after which what is stored must be as before: the commit has failed, and its changes are still
    ///   unsaved.
    func save(_ changes: IncrementalChanges, model: ManagedObjectModel) throws

    /// Releases what the store holds. Called when the stack is closed and every snapshot has ended, or when the store cannot be
    /// added. No other method is called afterwards, unless the store is added again.
    func close()
}

extension IncrementalStore {
    /// `nil`, for a store without a location.
    public var url: URL? { nil }
    /// Does nothing, for a store that holds nothing.
    public func close() {}
}

/// **Shared.** One state of an ``IncrementalStore``, which later saves do not change.
///
/// Called on any thread, by one at a time.
public protocol IncrementalSnapshot: Sendable {
    /// The facts about the store beside its objects.
    var header: StoreHeader { get }

    /// Returns the ids of objects of an entity and of its sub-entities, each once, in any order.
    ///
    /// - Parameters:
    ///   - entityName: The name of the entity, which may be abstract.
    ///   - condition: The condition that the engine evaluates afterwards; `nil` for all objects. A store that understands it, or
    ///     a part of it, may leave out objects for which it is false. Others ignore it.
    func ids(of entityName: String, where condition: Condition?) throws -> [Int64]

    /// Returns objects with all values and to-ones and their versions, in any order. To-manys may be left out. An id without an object is left out,
    /// too: it was deleted.
    func objects(withIDs ids: [Int64]) throws -> [AtomicObject]

    /// Returns the ids of a to-many's objects, in its order if it has one. Those of deleted objects may be among them.
    func destinations(of relationshipName: String, from id: Int64) throws -> [Int64]

    /// Releases what the snapshot holds. No other method is called afterwards.
    func end()
}

extension IncrementalSnapshot {
    /// Does nothing, for a snapshot that holds nothing.
    public func end() {}
}
