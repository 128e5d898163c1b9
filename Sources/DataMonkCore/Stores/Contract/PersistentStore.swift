package import Foundation

/// **Shared.** A container of rows: everything that a coordinator asks of a store, or knows of it.
///
/// A store provides readers, each with a snapshot of its own, and one transaction at a time. It knows keys, rows and
/// resolved fetches, but not contexts, objects or generations.
///
/// Every store passes the test suite `StoreContract` of DataMonkTesting.
package protocol PersistentStore: AnyObject, Sendable {
    /// The store's identifier, which is the host in its objects' URIs and never changes.
    var identifier: UUID { get }
    /// The name of the configuration whose entities the store contains; `nil` for all.
    var configuration: String? { get }
    /// The location of the store; `nil` if it is in memory.
    var url: URL? { get }

    /// A Boolean value indicating whether the store was opened for reading only. Then `beginTransaction` throws `readOnly`.
    var isReadOnly: Bool { get }

    /// Opens a reader with a snapshot of what is committed now. Never waits for a transaction.
    ///
    /// - Parameter deadline: The time by which the caller needs the reader; `nil` for none. Asked by stores that may take long:
    ///   those on servers.
    /// - Throws: ``StoreError`` if no reader becomes available in time, or if the file cannot be read.
    func openReader(until deadline: () -> ContinuousClock.Instant?) throws -> any StoreReader

    /// Opens a reader, as `openReader(until:)` does, for a caller that is not going to write what depends on it: a copy of the
    /// store may answer, if it has all commits that this process knows.
    func openReplicaReader(until deadline: () -> ContinuousClock.Instant?) throws -> any StoreReader

    /// Begins the only transaction that may write. The coordinator's commit queue ensures that none of its other
    /// transactions is open. Waits for transactions of other processes.
    func beginTransaction() throws -> any StoreTransaction

    /// Begins the transaction, with the locks of what it writes first.
    ///
    /// - Parameters:
    ///   - changes: The changes that are written first, if they are known. A store that others write to at the same time may lock
    ///     their rows in one go with the beginning; if it cannot, the next call of the transaction throws the reason.
    ///   - deadline: The time until which it waits for locks of other processes: as long as it would anyway if that is `nil`,
    ///     and only for a moment if it has passed.
    func beginTransaction(
        for changes: ChangeSet?, lockingUntil deadline: ContinuousClock.Instant?
    ) throws -> any StoreTransaction

    /// The time after which a commit that others may see has ended, in any case. On the main actor, the time for which readers
    /// wait for it, if that is shorter.
    var landingTime: Duration { get }

    /// The time for which a write is repeated that other processes' writes are in the way of; `nil` for a store with one
    /// writer at a time, whose transactions exclude others.
    var contentionTime: Duration? { get }

    /// Sets the observer of other processes' commits. `beginTransaction` notifies it, and so do readers on request.
    func observeForeignCommits(_ observer: @escaping ForeignCommitObserver)

    /// Calls a block soon after other processes may have committed, on another thread, until the result is released.
    ///
    /// - Returns: `nil` for a store that no other process can access.
    func watchForeignCommits(_ block: @escaping @Sendable () -> Void) -> (any AnyObject & Sendable)?

    /// Notifies the observer if other processes have committed.
    func lookForForeignCommits() throws -> ForeignCommitStatus

    /// Returns the metadata of the store as of the last commit, including the store's own keys.
    func metadata() throws -> [String: ManagedValue]

    /// Moves commits from a log into the store, as far as readers permit. No transaction is open.
    func checkpoint() throws

    /// Closes the store and releases its resources. All readers and transactions have ended.
    func close() throws
}

extension PersistentStore {
    /// Opens a reader for a caller without a deadline.
    package func openReader() throws -> any StoreReader {
        let reader = try openReader { nil }
        reader.deadline = nil
        return reader
    }

    /// Opens a reader of the store itself, for stores without copies.
    package func openReplicaReader(until deadline: () -> ContinuousClock.Instant?) throws -> any StoreReader {
        try openReader(until: deadline)
    }
    /// Does nothing, for stores that no other process can access.
    package func observeForeignCommits(_ observer: @escaping ForeignCommitObserver) {}
    /// `nil`, for stores that no other process can access.
    package func watchForeignCommits(_ block: @escaping @Sendable () -> Void) -> (any AnyObject & Sendable)? { nil }
    /// Notifies nobody, for stores that no other process can access.
    package func lookForForeignCommits() throws -> ForeignCommitStatus { .told }
    /// Waits for no locks, for stores with one writer at a time.
    package func beginTransaction(
        for changes: ChangeSet?, lockingUntil deadline: ContinuousClock.Instant?
    ) throws -> any StoreTransaction {
        try beginTransaction()
    }
    /// Two minutes, for stores whose commits end as soon as the disk has them.
    package var landingTime: Duration { .seconds(120) }
    /// `nil`, for stores with one writer at a time.
    package var contentionTime: Duration? { nil }
    /// `false`, for stores that are always writable.
    package var isReadOnly: Bool { false }
    /// Does nothing, for stores without a log.
    package func checkpoint() throws {}
}

extension StoreReader {
    /// Notifies nobody, for stores that no other process can access.
    package func tellForeignCommits() throws -> ForeignCommitStatus { .told }

    /// The last primary key, for stores that know those that other processes have assigned.
    package func primaryKeyLimit(of entity: Entity) throws -> Int64 { try lastPrimaryKey(of: entity) }

    /// `true`, for stores that never lose a snapshot.
    package var isStanding: Bool { true }
    /// `false`, for the same stores.
    package var canBeLost: Bool { false }
    /// `nil`, for the same stores, and for those that are asked.
    package var owner: (any ReaderOwner)? {
        get { nil }
        set {}
    }
    /// `false`, for stores without copies.
    package var isReplaceable: Bool { false }
    /// `nil`, for the same stores, which do not wait for a server.
    package var deadline: ContinuousClock.Instant? {
        get { nil }
        set {}
    }

    /// `false`, for stores without a limit on readers.
    package var isLast: Bool { false }

    /// Reads the destinations with one call per key, for stores where calls are cheap.
    package func destinations(
        of relationship: Entity.Relationship, from keys: [ObjectKey], into sink: some RowSink
    ) throws {
        for key in keys {
            try destinations(of: relationship, from: key, into: sink)
            if !sink.ownerDidEnd() { return }
        }
    }
}

/// **Value.** The reason why a change cannot be written: the stored state of an object that others have changed, or of
/// another object with the same unique values.
package struct StoredVersion: Sendable {
    /// **Value.** The object that has the unique values.
    package struct Duplicate: Sendable {
        /// The names of the properties in the uniqueness constraint.
        package let constraint: [String]
        package var holder: ObjectKey
        /// The stored row; `nil` if the same save writes it.
        package let row: Row?

        package init(constraint: [String], holder: ObjectKey, row: Row?) {
            self.constraint = constraint
            self.holder = holder
            self.row = row
        }
    }

    /// The object to be written by the save.
    package var key: ObjectKey
    /// The stored row; `nil` if it was deleted, and for a duplicate or a broken reference.
    package let row: Row?
    /// `nil` unless another object has the unique values.
    package var duplicate: Duplicate?
    /// `nil` unless a relationship would refer to a nonexistent object.
    package var reference: BrokenReference?

    /// Indicates whether the stored version is the conflict, and the object exists.
    var isOfVersions: Bool { row != nil && duplicate == nil && reference == nil }

    package init(key: ObjectKey, row: Row?, duplicate: Duplicate? = nil, reference: BrokenReference? = nil) {
        self.key = key
        self.row = row
        self.duplicate = duplicate
        self.reference = reference
    }
}
