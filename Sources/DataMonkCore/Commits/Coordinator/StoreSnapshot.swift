/// **Confined.** A reader for each store, all of the same generation.
package final class StoreSnapshot: ReaderOwner {
    /// The readers by store index.
    package let readers: [any StoreReader]
    package let generation: Generation
    /// Indicates whether one of the readers is its store's last.
    let isScarce: Bool
    // Unchecked exclusivity, here and below: confined, and each access is one load or store.
    /// Indicates whether one of the readers can be lost at any time, or has been. Faults ask whether a snapshot stands, so the
    /// readers are not asked each time.
    @exclusivity(unchecked) private(set) var canBeLost: Bool
    /// Indicates whether the commits that the snapshot shows have been met: see `FaultLoader.meetForeignCommits()`.
    @exclusivity(unchecked) var hasMetCommits = false

    init(readers: [any StoreReader], generation: Generation) {
        self.readers = readers
        self.generation = generation
        var (isScarce, canBeLost) = (false, false)
        for reader in readers {
            isScarce = isScarce || reader.isLast
            canBeLost = canBeLost || reader.canBeLost
        }
        self.isScarce = isScarce
        self.canBeLost = canBeLost
        for reader in readers { reader.owner = self }
        limit(to: nil)
    }

    package func readerDidLoseSnapshot() { canBeLost = true }

    /// Indicates whether all readers can still read.
    var isStanding: Bool { !canBeLost || readers.allSatisfy(\.isStanding) }

    /// Indicates whether a copy of a store has lost its snapshot before anything was read from any of them, so that another
    /// snapshot can take the place of this one.
    var isReplaceable: Bool { canBeLost && !isStanding && readers.allSatisfy(\.isReplaceable) }

    /// Sets the time at which reads end that belong to no fetch; `nil` for the stores' own limits.
    func limit(to deadline: ContinuousClock.Instant?) {
        if !canBeLost { return }
        for reader in readers { reader.deadline = deadline }
    }

    package func reader(of key: ObjectKey) throws -> any StoreReader {
        guard key.storeIndex < readers.count else { throw StoreError.noStore(key) }
        return readers[key.storeIndex]
    }

    /// Returns the row of an object, or `nil` if there is none.
    func row(of key: ObjectKey, in arena: inout RowArena) throws -> Row? {
        guard key.storeIndex < readers.count else { throw StoreError.noStore(key) }
        return try readers[key.storeIndex].row(of: key, in: &arena)
    }

    func end() {
        for reader in readers { reader.end() }
    }
}

@available(*, unavailable)
extension StoreSnapshot: Sendable {}
