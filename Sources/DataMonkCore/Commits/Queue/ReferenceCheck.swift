/// **Confined.** Checks the referential integrity of one member of a commit in its store's transaction, which sees the
/// changes of other processes and of earlier members of the same commit.
///
/// 1. Each destination that the member has set exists, and so do both ends of each new link.
/// 2. Nothing that its delete rules should reach refers to what the member has deleted. What the rule noAction or a
///    missing inverse leaves may dangle.
/// 3. Both sides of each one-to-one that the member has changed agree. Versions do not tell: a context that writes keeps
///    the rows that it has read, so that it may have the two sides from two states. If the other side is, in the older
///    state, what the change would make it, it is not written, and nobody compares its version. To move such a context as
///    a whole instead, as one for reading, would lose updates: a value that was read a moment ago may be about to be set
///    from, and its object has to keep the row that the commit compares.
///
///     var check = ReferenceCheck(…)
///     try check.readLinksOfDeleted()              // a store deletes them with their objects
///     // write
///     let conflicts = try check.conflicts()
struct ReferenceCheck {
    private let changes: ChangeSet
    private let transaction: any StoreTransaction
    private let coordinator: PersistentStoreCoordinator
    /// The objects that earlier members of the same transaction have deleted; `nil` if the row cache must not be used at
    /// all.
    private let deletedBefore: Set<ObjectKey>?
    private let deleted: Set<ObjectKey>
    private var linksOfDeleted: [(relationship: Entity.Relationship, link: StoredLink)] = []

    init(
        _ changes: ChangeSet, in transaction: any StoreTransaction, of coordinator: PersistentStoreCoordinator,
        deletedBefore: Set<ObjectKey>?
    ) {
        self.changes = changes
        self.transaction = transaction
        self.coordinator = coordinator
        self.deletedBefore = deletedBefore
        deleted = Set(changes.deleted.lazy.map(\.key))
    }

    /// Reads the links that are affected by cascades and denials. Before the write.
    mutating func readLinksOfDeleted() throws {
        for (relationship, owners) in rules where relationship.hasOwnLinks {
            for link in try transaction.links(of: relationship, from: owners) {
                linksOfDeleted.append((relationship, link))
            }
        }
    }

    /// Returns the member's objects that have a relationship to an object that does not exist. After the write.
    func conflicts() throws -> [StoredVersion] {
        var conflicts = try missingDestinations()
        if !deleted.isEmpty { conflicts += try unreachedReferrers() }
        // Destinations that no longer exist are settled first, because they have no other side to compare.
        return conflicts.isEmpty ? try oneSidedReferences() : conflicts
    }

    // MARK: Destinations

    private func missingDestinations() throws -> [StoredVersion] {
        var wanted: Set<ObjectKey> = []
        let layouts = coordinator.directory.layouts
        changes.forEachReference(layouts: layouts) { _, _, destination in wanted.insert(destination) }
        let gone = try missing(among: wanted)
        if gone.isEmpty { return [] }
        var broken = BrokenReferences()
        var lost: [StoredVersion] = []
        changes.forEachReference(layouts: layouts) { source, relationship, destination in
            guard gone.contains(destination) else { return }
            if let relationship {
                broken.add(destination, at: source, in: relationship)
            } else {
                lost.append(StoredVersion(key: source, row: nil))
            }
        }
        return lost + broken.conflicts { .missing($0, destinations: $1) }
    }

    /// Returns the keys without a row, except those that the member itself has deleted.
    private func missing(among wanted: Set<ObjectKey>) throws -> Set<ObjectKey> {
        var unknown = wanted.subtracting(deleted)
        if let deletedBefore, !unknown.isEmpty {
            coordinator.rows.withLock { rows in
                let newest = rows.cache.newestGeneration
                unknown = unknown.filter { key in
                    if case .row = rows.cache.lookUp(key, at: newest) { return deletedBefore.contains(key) }
                    return true
                }
            }
        }
        if unknown.isEmpty { return [] }
        for index in changes.inserted.indices { unknown.remove(changes.inserted[index].key) }
        if unknown.isEmpty { return [] }
        return unknown.subtracting(try transaction.present(unknown.sorted()))
    }

    // MARK: One-to-ones

    /// The one-to-ones that the member has changed on one side alone, where the other one says something else.
    private func oneSidedReferences() throws -> [StoredVersion] {
        let references = changes.oneSidedReferences(layouts: coordinator.directory.layouts)
        if references.isEmpty { return [] }
        var broken = BrokenReferences()
        for (relationship, destinations) in references.sorted(by: { $0.key.slot < $1.key.slot }) {
            var unanswered = destinations.compactMapValues(\.self).filter { !deleted.contains($0.value) }
            for link in try transaction.links(of: relationship, from: destinations.keys.sorted()) {
                if unanswered[link.owner] == link.destination {
                    unanswered[link.owner] = nil
                } else {
                    broken.add(link.destination, at: link.owner, in: relationship)
                }
            }
            for (source, destination) in unanswered.sorted(by: { $0.key < $1.key }) {
                broken.add(destination, at: source, in: relationship)
            }
        }
        return broken.conflicts { .oneSided($0, others: $1) }
    }

    // MARK: Deletions

    private func unreachedReferrers() throws -> [StoredVersion] {
        var broken = BrokenReferences()
        for (relationship, link) in linksOfDeleted
        where !deleted.contains(link.destination) && !changes.endLink(link, of: relationship) {
            broken.add(link.destination, at: link.owner, in: relationship)
        }
        for (relationship, owners) in rules where !relationship.hasOwnLinks {
            for link in try transaction.links(of: relationship, from: owners) {
                broken.add(link.destination, at: link.owner, in: relationship)
            }
        }
        return broken.conflicts { .unreached($0, referrers: $1) }
    }

    /// The relationships of deleted objects with rules to check, each with the objects of one entity.
    private var rules: [(relationship: Entity.Relationship, owners: [ObjectKey])] {
        let groups = Dictionary(grouping: changes.deleted.lazy.map(\.key), by: \.entityIndex)
        return groups.sorted { $0.key < $1.key }.flatMap { entity, owners in
            coordinator.directory.layouts[entity].relationships
                .filter(\.ruleConcernsReferrers).map { ($0, owners) }
        }
    }
}

@available(*, unavailable)
extension ReferenceCheck: Sendable {}
