/// **Confined.** Writes to a store. Nothing of it is visible before `commit` returns; afterwards all of it is visible, and
/// on disk.
package protocol StoreTransaction: AnyObject {
    /// A Boolean value indicating whether the transaction can still be committed. A store may end it after a severe error.
    var isStanding: Bool { get }
    /// A Boolean value indicating whether `commit` has failed without an answer: the transaction may be in the store.
    var isOutcomeUnknown: Bool { get }
    /// A Boolean value indicating whether other processes had committed anything, when the transaction began, that the
    /// store's observer did not know of. It has been notified since.
    var sawForeignChanges: Bool { get }
    /// A Boolean value indicating whether no other process can commit while the transaction is open. Otherwise only rows that
    /// it has locked stay as they are.
    var excludesOthers: Bool { get }
    func beginSavepoint() throws
    func releaseSavepoint() throws
    func rollBackToSavepoint() throws
    /// Replaces the metadata of the store, except for the store's own keys.
    ///
    /// - Parameter metadata: Values that a property list can contain.
    func setMetadata(_ metadata: [String: ManagedValue]) throws
    /// Reserves consecutive primary keys, never assigned before, for `count` new objects of `entity`, and returns the first
    /// one.
    func reservePrimaryKeys(_ count: Int, for entity: Entity) throws -> Int64
    /// Begins a transaction of the store's history, if it keeps one, to which the following writes belong.
    func beginHistoryTransaction(_ signature: HistorySignature?)
    /// The row that an object has inside of the transaction.
    func stored(_ key: ObjectKey) throws -> StoredVersion
    /// The rows that some objects have inside of the transaction, in any order.
    func stored(_ keys: [ObjectKey]) throws -> [StoredVersion]
    /// Locks the rows that the changes, which are those of the next `write`, update or delete: nobody else changes them, or
    /// adds a reference to one that is to be deleted, before the transaction ends. Called for transactions that do not exclude
    /// others, if something is to be read before the write.
    ///
    /// - Returns: The versions of the rows that exist. If the transaction has assumed them, `commit()` fails unless they are so.
    @discardableResult
    func lockRows(of changes: ChangeSet) throws -> [ObjectKey: Int64]
    /// Writes the changes, whose keys are all permanent.
    ///
    /// - Returns: The objects whose stored version differs from the one that their change is based on, with their stored
    ///   rows; if there are none, those whose unique values belong to another object. If the result is not empty, the caller
    ///   rolls back to the savepoint.
    func write(_ changes: ChangeSet) throws -> [StoredVersion]
    /// Returns the rows whose stored form differs from the one given to the last `write`, and rows that the store changed in
    /// addition: values that it derives itself, and data that it put into files. Called without conflicts, and before the
    /// next `write`.
    func rowsAsStored(after changes: ChangeSet) throws -> [StoredVersion]
    /// Sends what was written, if some of it waits for the commit. Called where a failure then would come too late, because
    /// another store is committed before.
    func sendWrites() throws
    func commit() throws
    /// A Boolean value indicating whether others committed since the transaction began, before its own commit, which has
    /// returned. The store's observer is not notified of them: their changes are published together with the commit.
    var isBehindOthers: Bool { get }
    /// A Boolean value indicating whether a version may stand for other values than a context has read with it, because the
    /// store has lost its last commits.
    var mayRepeatVersions: Bool { get }
    func rollBack()

    // Batch requests: each call handles many objects, as the transaction sees them now. After each writing call,
    // `rowsAsStored(after:)` returns the consequences for derived attributes of other objects.

    /// Returns the keys of the fetch's objects, which are about to be deleted, in its order. Nobody else changes them before
    /// the transaction ends.
    func keys(_ fetch: ResolvedFetch) throws -> [ObjectKey]
    /// Returns the keys that have a row, which nobody else deletes before the transaction ends.
    func present(_ keys: [ObjectKey]) throws -> [ObjectKey]
    /// Returns the keys of a relationship's destinations for some objects, in any order and possibly with duplicates.
    func destinationKeys(of relationship: Entity.Relationship, from keys: [ObjectKey]) throws -> [ObjectKey]
    /// Returns the objects that refer to `owners` through the inverse of `relationship`: the members of a to-many, and for a
    /// one-to-one the objects whose own side refers to the keys. The rows of the keys may be deleted. A to-one whose inverse
    /// is a to-many, or that has none, has no such referrers.
    ///
    /// - Parameter owners: Keys of one inheritance tree.
    func links(of relationship: Entity.Relationship, from owners: [ObjectKey]) throws -> [StoredLink]
    /// Sets properties of the update's objects and increments their versions.
    ///
    /// - Parameter check: Called with each computed value. An error that it throws ends the update.
    /// - Throws: ``SaveError`` with the code `constraintConflict` if unique values would belong to another object.
    func update(
        _ update: ResolvedBatchUpdate, check: (ManagedValue, Entity.Attribute) throws -> Void
    ) throws -> [BatchChanges.Written]
    /// Sets a to-one of some objects to `nil` and increments their versions.
    func clear(_ relationship: Entity.Relationship, of keys: [ObjectKey]) throws -> [BatchChanges.Written]
    /// Deletes the rows of some objects, whatever their versions, and their links. To-one references to them are kept.
    func delete(_ keys: [ObjectKey]) throws

    /// Deletes the transactions of the history before a position.
    ///
    /// - Returns: The number of deleted transactions.
    func deleteHistory(before bound: HistoryBound) throws -> Int

    /// Ends the transaction: the last call, after `rollBack`, or after `commit` and publishing its changes. Returns the
    /// writer, and is the time for housekeeping.
    func end()
}

extension StoreTransaction {
    /// `false`, for stores that always answer.
    package var isOutcomeUnknown: Bool { false }

    /// `false`, for stores with one writer at a time.
    package var isBehindOthers: Bool { false }

    /// `false`, for stores that keep what they have confirmed.
    package var mayRepeatVersions: Bool { false }

    /// Reads row by row, for stores where calls are cheap.
    package func stored(_ keys: [ObjectKey]) throws -> [StoredVersion] { try keys.map(stored) }

    /// `true`, for stores with one writer at a time.
    package var excludesOthers: Bool { true }

    /// Does nothing, for stores with one writer at a time.
    package func lockRows(of changes: ChangeSet) throws -> [ObjectKey: Int64] { [:] }

    /// Returns nothing, for stores that keep rows as they are given.
    package func rowsAsStored(after changes: ChangeSet) throws -> [StoredVersion] { [] }

    /// Does nothing, for stores that write at once.
    package func sendWrites() throws {}
}
