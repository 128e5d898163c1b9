package import Foundation

/// **Shared.** Where rows are kept: what a coordinator asks of a store, and all that it knows of one.
///
/// A store hands out readers, each over a snapshot of its own, and one transaction at a time. It knows keys, rows and
/// resolved fetches; contexts, objects and generations are not its business.
///
/// Every store passes the suite `StoreContract` of DataMonkTesting.
package protocol PersistentStore: AnyObject, Sendable {
    /// The store's identity: in the host part of its objects' URIs, and for ever the same.
    var identifier: UUID { get }
    /// The name of the configuration whose entities the store holds; nil for all.
    var configuration: String? { get }
    /// Where the store lies, nil in memory.
    var url: URL? { get }

    /// Opens a reader over what is committed now. Never waits for a transaction.
    ///
    /// - Throws: ``StoreError`` when no reader comes free in time or the file cannot be read.
    func openReader() throws -> any StoreReader

    /// Begins the one transaction that may write. The coordinator's commit queue sees to it that no other one of this
    /// coordinator is open; other processes are waited for.
    func beginTransaction() throws -> any StoreTransaction

    /// Gives everything back. No reader or transaction is open any more.
    func close() throws
}

/// **Confined.** Reads one snapshot of a store: what was committed when it was opened, and nothing later.
package protocol StoreReader: AnyObject {
    /// The rows of the fetch's objects, in its order. A row that the intake does not want is not packed.
    func fetch(_ fetch: ResolvedFetch, into intake: RowIntake) throws
    /// The keys of the fetch's objects, in its order.
    func keys(_ fetch: ResolvedFetch) throws -> [ObjectKey]
    /// How many objects the fetch has; limit and offset count.
    func count(_ fetch: ResolvedFetch) throws -> Int
    /// The rows of a fetch with selections: a value for each selection, in their order.
    func values(_ fetch: ResolvedFetch) throws -> [[ManagedValue]]
    /// The row of one object; nil if there is none.
    func row(of key: ObjectKey, in arena: inout RowArena) throws -> Row?
    /// The rows of some objects, in any order. Keys without a row are passed over.
    func rows(of keys: [ObjectKey], into intake: RowIntake) throws
    /// The rows at the other end of a to-many, in its order if it has one.
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
    /// Whether the store can open no other reader before one ends: it is wanted back after each call.
    var isLast: Bool { get }
    /// Gives the snapshot back. Nothing is called afterwards.
    func end()
}

extension StoreReader {
    /// False, for stores that open as many readers as anybody likes.
    package var isLast: Bool { false }

    /// One call for each key, for stores to which a call is cheap.
    package func destinations(
        of relationship: Entity.Relationship, from keys: [ObjectKey], into intake: RowIntake
    ) throws {
        for key in keys {
            try destinations(of: relationship, from: key, into: intake)
            if !intake.ownerDidEnd() { return }
        }
    }
}

/// **Value.** Why a change cannot be written: what a store holds of an object that somebody else has changed, or of another
/// object with the same unique values.
package struct StoredVersion: Sendable {
    /// **Value.** The object that has the unique values.
    package struct Duplicate: Sendable {
        /// The names of the properties that must be unique.
        package let constraint: [String]
        package var holder: ObjectKey
        /// Its stored row; nil if the same save writes it.
        package let row: Row?

        package init(constraint: [String], holder: ObjectKey, row: Row?) {
            self.constraint = constraint
            self.holder = holder
            self.row = row
        }
    }

    /// The object that the save wants to write.
    package var key: ObjectKey
    /// Its stored row; nil if it was deleted, and for a duplicate.
    package let row: Row?
    /// Nil if its version is the matter.
    package var duplicate: Duplicate?

    package init(key: ObjectKey, row: Row?, duplicate: Duplicate? = nil) {
        self.key = key
        self.row = row
        self.duplicate = duplicate
    }
}
