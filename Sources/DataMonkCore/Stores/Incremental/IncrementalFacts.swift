import Foundation

/// **Value.** The facts that this process knows of an incremental store, which nobody else changes: what the store tells
/// later has to agree with them, or somebody's changes would be overwritten.
///
/// A snapshot is compared with the facts from before it was asked for: a save may end meanwhile.
struct IncrementalFacts: Sendable {
    let identifier: UUID
    /// Indicates whether there is something stored. A new store may be saved by its first commit alone.
    var isStored: Bool
    /// The highest id that the store has told of, or has been given.
    private(set) var lastID: Int64
    /// The versions of objects that were updated, by their ids, until the store has returned one of them.
    private var versions: [Int64: Int64] = [:]
    private var keepsVersions = false

    init(identifier: UUID, isStored: Bool, lastID: Int64) {
        self.identifier = identifier
        self.isStored = isStored
        self.lastID = lastID
    }

    /// Notes changes that were saved.
    mutating func note(_ changes: IncrementalChanges) {
        isStored = true
        lastID = changes.header.lastID
        if keepsVersions { return }
        for object in changes.updated { versions[object.id] = object.version }
        for id in changes.deletedIDs { versions[id] = nil }
    }

    /// Notes that the store has returned a version that was saved: it keeps them.
    mutating func noteVersions() {
        keepsVersions = true
        versions = [:]
    }

    /// Returns the version of an object that was saved; `nil` if it is not known, or need not be.
    func version(of id: Int64) -> Int64? { versions[id] }

    /// - Throws: ``StoreError`` if the header is not one of the same store, or not one of a later state.
    func check(_ header: StoreHeader?, of frame: StoreFrame) throws {
        guard let header else {
            if !isStored { return }
            throw frame.moved("is empty now, though it had contents")
        }
        guard header.identifier == identifier else {
            throw frame.moved(
                isStored
                    ? "is another store now: its identifier is \(header.identifier), and was \(identifier)"
                    : "has contents now, which somebody else has made")
        }
        guard header.lastID >= lastID else {
            throw StoreError(
                .corrupt,
                """
                \(frame.name) has the last id \(header.lastID), though \(lastID) was given to an object: ids would be \
                used again, and objects overwritten. Return the last id that was saved.
                """, storeURL: frame.url)
        }
    }
}

extension StoreFrame {
    fileprivate func moved(_ change: String) -> StoreError {
        StoreError(
            .fileMoved,
            """
            \(name) \(change), so it is neither read nor written. Keep the unsaved changes, and put the former contents \
            back; or open what is there in a new Stack, and make the changes there.
            """, storeURL: url)
    }
}
