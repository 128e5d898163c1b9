/// **Confined.** Reads one snapshot of a store: everything committed when it was opened, and nothing later.
package protocol StoreReader: AnyObject {
    /// Reads the rows of the fetch's objects, in its order. Rows that the sink does not want are not packed. Rows that
    /// cannot be made into objects are left out and reported.
    func fetch(_ fetch: ResolvedFetch, into sink: some RowSink) throws
    /// Returns the keys of the fetch's objects, in its order.
    func keys(_ fetch: ResolvedFetch) throws -> [ObjectKey]
    /// Returns the number of objects in the fetch, subject to its limit and offset.
    func count(_ fetch: ResolvedFetch) throws -> Int
    /// Returns the rows of a fetch with selections: one value for each column, in their order.
    func values(_ fetch: ResolvedFetch) throws -> ValueRows
    /// Returns the store's plan for answering the fetch. The type of its request decides between objects, keys, their count
    /// and rows of values.
    ///
    /// - Parameter showsValues: Whether the plan contains the constants of the fetch.
    func plan(of fetch: ResolvedFetch, showsValues: Bool) throws -> FetchPlan
    /// Returns the row of one object, or `nil` if there is none. Throws for a row that cannot be made into an object.
    func row(of key: ObjectKey, in arena: inout RowArena) throws -> Row?
    /// Reads the rows of some objects, in any order. Skips keys without a row, and rows that cannot be made into objects.
    func rows(of keys: [ObjectKey], into sink: some RowSink) throws
    /// Reads the rows of a to-many relationship's destinations, in its order if it has one. Throws for a row that cannot be
    /// made into an object, because delete rules must not miss it.
    func destinations(of relationship: Entity.Relationship, from key: ObjectKey, into sink: some RowSink) throws
    /// Reads the rows of a to-many relationship's destinations for several objects: those of the first key, then those of
    /// the second, and so on. After the destinations of each key, even if there are none, calls `sink.ownerDidEnd()`,
    /// until that returns `false`.
    ///
    /// - Parameter keys: The keys of objects of one inheritance tree, in the order of their primary keys, without duplicates.
    func destinations(of relationship: Entity.Relationship, from keys: [ObjectKey], into sink: some RowSink) throws
    /// Returns the version of an object's row in this snapshot, or `nil` if there is none. Cheaper than reading the row.
    func version(of key: ObjectKey) throws -> Int64?
    /// Returns the highest primary key ever assigned in the entity's inheritance tree, as of this snapshot: by this process, or
    /// by any if that is cheap. See `primaryKeyLimit(of:)`.
    func lastPrimaryKey(of entity: Entity) throws -> Int64
    /// Returns a primary key that no object of the entity's inheritance tree in this snapshot exceeds, whoever assigned its
    /// key, and no deleted one to which there may still be references.
    func primaryKeyLimit(of entity: Entity) throws -> Int64
    /// Returns `true` if there is a history, kept by this process or by others.
    func keepsHistory() throws -> Bool
    /// Returns the transactions of the history after a position, in their order, or `nil` if there is no history.
    ///
    /// - Throws: ``StoreError`` with the code `historyTokenExpired` if the transaction does not exist.
    func history(after bound: HistoryBound, includingChanges: Bool) throws -> [HistoryRecord]?
    /// Returns the last transaction in the history, or `nil` if there is none.
    func lastHistoryPosition() throws -> HistoryPosition?
    /// Notifies the store's observer of other processes' commits in the snapshot, if it has not been notified of them.
    /// Called once, before anything is read.
    func tellForeignCommits() throws -> ForeignCommitStatus
    /// A Boolean value indicating whether the snapshot can still be read. A store may lose it, with its connection for one;
    /// then the error of a read does not say anything about the next one, which another reader answers.
    var isStanding: Bool { get }
    /// Indicates whether `isStanding` can become `false` at any time before the reader ends, as with a connection to a server.
    /// Otherwise it does so in a call only, which then tells the owner.
    var canBeLost: Bool { get }
    /// The owner of the reader until it ends, for a reader that tells it of a loss.
    var owner: (any ReaderOwner)? { get set }
    /// Indicates whether the snapshot is one of a copy of the store, and nothing was read from it.
    var isReplaceable: Bool { get }
    /// The time at which reads end that belong to no fetch, for stores that may take long: that by which the reader was to be
    /// open, until it is set. `nil` for the store's own limit.
    var deadline: ContinuousClock.Instant? { get set }
    /// A Boolean value indicating whether the store can open no further reader until one ends. Such a reader must be ended
    /// after each call.
    var isLast: Bool { get }
    /// Releases the snapshot. No method is called afterwards.
    func end()
}

/// **Confined.** An object that holds readers, and ends them before it goes.
package protocol ReaderOwner: AnyObject {
    /// Called when a call of a reader has lost its snapshot.
    func readerDidLoseSnapshot()
}
