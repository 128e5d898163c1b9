/// **Confined.** Writes to a store; nothing of it is visible before `commit` returns, and all of it afterwards, on disk.
package protocol StoreTransaction: AnyObject {
    /// Whether the transaction can still be committed. A store may end one by itself after a severe error.
    var isStanding: Bool { get }
    /// Whether other processes had committed something, when the transaction began, that the store's observer did not
    /// know of. It does now.
    var sawForeignChanges: Bool { get }
    func beginSavepoint() throws
    func releaseSavepoint() throws
    func rollBackToSavepoint() throws
    /// Replaces what is written down about the store, but for the store's own keys.
    ///
    /// - Parameter metadata: values that a property list can hold.
    func setMetadata(_ metadata: [String: ManagedValue]) throws
    /// Primary keys for `count` new objects of `entity`, never given out before: the first of consecutive ones.
    func reservePrimaryKeys(_ count: Int, for entity: Entity) throws -> Int64
    /// What is written from now on is one transaction of the store's history, if it keeps one.
    func beginHistoryTransaction(_ signature: HistorySignature?)
    /// The row that an object has inside of the transaction.
    func stored(_ key: ObjectKey) throws -> StoredVersion
    /// Writes the changes, whose keys are all permanent.
    ///
    /// - Returns: the objects whose stored version is not the one that their change started from, with their stored
    ///   rows; if there is none, those that have unique values of another object. If there is one, the caller rolls back
    ///   to the savepoint.
    func write(_ changes: ChangeSet) throws -> [StoredVersion]
    /// The rows that the store holds in another form than the last `write` was given, and rows that it changed beside
    /// them: values that it derives itself, data that it put into files. Without conflicts, and before the next `write`.
    func rowsAsStored(after changes: ChangeSet) throws -> [StoredVersion]
    func commit() throws
    func rollBack()

    // Batch requests: many objects a call, as the transaction has them by now. What follows for others' derived attributes
    // is told by `rowsAsStored(after:)` after each call that writes.

    /// The keys of the fetch's objects, in its order.
    func keys(_ fetch: ResolvedFetch) throws -> [ObjectKey]
    /// Which of some keys have a row.
    func present(_ keys: [ObjectKey]) throws -> [ObjectKey]
    /// The keys at the other end of a relationship of some objects, in any order, each perhaps more than once.
    func destinationKeys(of relationship: Entity.Relationship, from keys: [ObjectKey]) throws -> [ObjectKey]
    /// The objects that refer to some objects, by the relationship of those that leads back: the members of a to-many, and
    /// for a one-to-one the objects whose own side points at the keys. The keys' rows may be gone. A to-one whose inverse
    /// is a to-many, or that has none, has no referrers of this kind.
    ///
    /// - Parameter owners: of one inheritance tree.
    func links(of relationship: Entity.Relationship, from owners: [ObjectKey]) throws -> [StoredLink]
    /// Sets properties of the update's objects, whose versions go up.
    ///
    /// - Parameter check: to be called with each value that was worked out; what it throws ends the update.
    /// - Throws: ``SaveError`` with the code `constraintConflict` if unique values would be another object's.
    func update(
        _ update: ResolvedBatchUpdate, check: (ManagedValue, Entity.Attribute) throws -> Void
    ) throws -> [BatchChanges.Written]
    /// Empties a to-one of some objects, whose versions go up.
    func clear(_ relationship: Entity.Relationship, of keys: [ObjectKey]) throws -> [BatchChanges.Written]
    /// Deletes the rows of some objects, whatever their versions, and their links. To-ones that lead to them stay.
    func delete(_ keys: [ObjectKey]) throws

    /// Forgets the transactions of the history before a place.
    ///
    /// - Returns: how many went.
    func deleteHistory(before bound: HistoryBound) throws -> Int

    /// The last call, after `commit` and the publishing of what it wrote, or after `rollBack`: gives the writer back, and is
    /// the time for housekeeping.
    func end()
}

extension StoreTransaction {
    /// A store that keeps rows as they are given has nothing to tell.
    package func rowsAsStored(after changes: ChangeSet) throws -> [StoredVersion] { [] }
}
