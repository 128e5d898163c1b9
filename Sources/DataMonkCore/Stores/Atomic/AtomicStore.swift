public import Foundation

/// **Shared.** A store that is loaded as a whole and saved as a whole, in a form of your own: JSON, CSV, a document.
///
/// Load everything, save everything: contexts, fetches, conflicts, delete rules and undo are the engine's work, over the
/// contents in memory. `Examples/CustomStore` keeps each object in a file of JSON.
///
///     struct Notes: AtomicStore {
///         let file: URL
///         var url: URL? { file }
///         var typeName: String { "Notes" }
///
///         func load(model: ManagedObjectModel) throws -> AtomicContents? { try read(file) }
///         func save(_ contents: AtomicContents, model: ManagedObjectModel) throws { try write(contents, to: file) }
///     }
///     try await stack.addStore(.custom(Notes(file: file)))
///
/// What `load` returns is checked before anybody sees it: an unknown entity or property, a value of a wrong type, a missing
/// required value, an id that occurs twice, a reference that leads nowhere or only in one direction. Each is a
/// ``StoreError`` that names the object and the property.
///
/// Calls come one at a time, on any thread: `load` when the store is added, and when it is migrated by its stack; `save` in each
/// commit, while other contexts read what was committed before. A commit takes as long as `save` does. One stack has the store.
public protocol AtomicStore: Sendable {
    /// The location of the store for messages; `nil` if it has none. Two stores of one stack have different locations.
    var url: URL? { get }
    /// The name of the kind, which is the value of `NSStoreType` in the metadata.
    var typeName: String { get }

    /// Returns everything that is stored, or `nil` if there is nothing yet: then `save` is called with the contents of a new
    /// store.
    ///
    /// - Parameter model: The model that the contents are checked against, for a form that does not say types itself.
    /// - Throws: A ``StoreError`` for contents that cannot be read. Other errors become the underlying error of one.
    func load(model: ManagedObjectModel) throws -> AtomicContents?

    /// Replaces everything that is stored.
    ///
    /// - Parameters:
    ///   - contents: All objects, in the order of their ids, with the metadata.
    ///   - model: The model of the contents.
    /// - Throws: An error after which the store must have its former contents: the commit has failed, and its changes are
    ///   still unsaved.
    func save(_ contents: AtomicContents, model: ManagedObjectModel) throws

    /// Releases what the store holds. Called when the stack is closed, or when the store cannot be added. Neither `load` nor
    /// `save` is called afterwards, unless the store is added again.
    func close()
}

extension AtomicStore {
    /// `nil`, for a store without a location.
    public var url: URL? { nil }
    /// Does nothing, for a store that holds nothing.
    public func close() {}
}

/// **Value.** A save that may have succeeded: what is stored has been replaced, but it is not known to survive a power cut.
struct UnconfirmedSave: Error {
    let cause: StoreError
}
