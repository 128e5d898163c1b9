/// **Confined.** Reads one snapshot of a store: what was committed when it was opened, and nothing later.
package protocol StoreReader: AnyObject {
    /// The rows of the fetch's objects, in its order. A row that the intake does not want is not packed. Rows that no
    /// object can be made of are left out, and reported.
    func fetch(_ fetch: ResolvedFetch, into intake: RowIntake) throws
    /// The keys of the fetch's objects, in its order.
    func keys(_ fetch: ResolvedFetch) throws -> [ObjectKey]
    /// How many objects the fetch has; limit and offset count.
    func count(_ fetch: ResolvedFetch) throws -> Int
    /// The rows of a fetch with selections: a value for each selection, in their order.
    func values(_ fetch: ResolvedFetch) throws -> [[ManagedValue]]
    /// How the store would answer the fetch; its request's type says for objects, keys, their count or rows of values.
    ///
    /// - Parameter showsValues: whether the plan holds the constants of the fetch.
    func plan(of fetch: ResolvedFetch, showsValues: Bool) throws -> FetchPlan
    /// The row of one object; nil if there is none. Throws for a row that no object can be made of.
    func row(of key: ObjectKey, in arena: inout RowArena) throws -> Row?
    /// The rows of some objects, in any order. Keys without a row, and rows that no object can be made of, are passed over.
    func rows(of keys: [ObjectKey], into intake: RowIntake) throws
    /// The rows at the other end of a to-many, in its order if it has one. Throws for a row that no object can be made of:
    /// delete rules must not miss it.
    func destinations(of relationship: Entity.Relationship, from key: ObjectKey, into intake: RowIntake) throws
    /// The rows at the other ends of a to-many of several objects: those of the first key, then those of the second, and
    /// so on. After those of each key `intake.ownerDidEnd()` is called, even if there were none, until it returns false.
    ///
    /// - Parameter keys: ascending by primary key, each once; all of this store.
    func destinations(of relationship: Entity.Relationship, from keys: [ObjectKey], into intake: RowIntake) throws
    /// The version of an object's row in this snapshot; nil if there is none. Cheaper than its row.
    func version(of key: ObjectKey) throws -> Int64?
    /// The highest primary key ever given out for the entity's inheritance tree, as of this snapshot.
    func lastPrimaryKey(of entity: Entity) throws -> Int64
    /// Whether there is a history, kept by this process or by others.
    func keepsHistory() throws -> Bool
    /// The transactions of the history after a place, in their order; nil if there is no history.
    ///
    /// - Throws: ``StoreError`` with the code `historyTokenExpired` for a transaction that is not there.
    func history(after bound: HistoryBound, includingChanges: Bool) throws -> [HistoryRecord]?
    /// The number of the last transaction of the history; nil if there is none.
    func lastHistoryNumber() throws -> Int64?
    /// Tells the store's observer of the commits of other processes that the snapshot shows, if it does not know of them.
    /// Called once, before anything is read.
    func tellForeignCommits() throws -> ForeignCommitStatus
    /// Whether the store can open no other reader before one ends: it is wanted back after each call.
    var isLast: Bool { get }
    /// Gives the snapshot back. Nothing is called afterwards.
    func end()
}
