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

    /// Whether the store was opened for reading alone. Its `beginTransaction` throws `readOnly` then.
    var isReadOnly: Bool { get }

    /// Opens a reader over what is committed now. Never waits for a transaction.
    ///
    /// - Throws: ``StoreError`` when no reader comes free in time or the file cannot be read.
    func openReader() throws -> any StoreReader

    /// Begins the one transaction that may write. The coordinator's commit queue sees to it that no other one of this
    /// coordinator is open; other processes are waited for.
    func beginTransaction() throws -> any StoreTransaction

    /// Sets who is told of other processes' commits: by `beginTransaction`, and by readers that are asked to.
    func observeForeignCommits(_ observer: @escaping ForeignCommitObserver)

    /// What is written down about the store, the store's own keys included, as of the last commit.
    func metadata() throws -> [String: ManagedValue]

    /// Gives everything back. No reader or transaction is open any more.
    func close() throws
}

extension PersistentStore {
    /// Nothing, for stores that no other process can reach.
    package func observeForeignCommits(_ observer: @escaping ForeignCommitObserver) {}
    /// False, for stores that can always be written to.
    package var isReadOnly: Bool { false }
}

extension StoreReader {
    /// Nothing to tell, for stores that no other process can reach.
    package func tellForeignCommits() throws -> ForeignCommitStatus { .told }

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
    /// Its stored row; nil if it was deleted, and for a duplicate or a broken reference.
    package let row: Row?
    /// `nil` unless another object has the unique values.
    package var duplicate: Duplicate?
    /// `nil` unless a relationship would lead to an object that does not exist.
    package var reference: BrokenReference?

    /// Whether the stored version is the matter, and the object is there.
    var isOfVersions: Bool { row != nil && duplicate == nil && reference == nil }

    package init(key: ObjectKey, row: Row?, duplicate: Duplicate? = nil, reference: BrokenReference? = nil) {
        self.key = key
        self.row = row
        self.duplicate = duplicate
        self.reference = reference
    }
}
