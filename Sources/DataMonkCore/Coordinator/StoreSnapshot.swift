/// **Confined.** A reader on each store, all of one generation.
package final class StoreSnapshot {
    /// By store index.
    package let readers: [any StoreReader]
    package let generation: Generation
    /// Whether one of the readers is its store's last.
    let isScarce: Bool
    /// How many more rows that are read by themselves go into the row cache.
    private var placesInCache = 1_024

    init(readers: [any StoreReader], generation: Generation) {
        self.readers = readers
        self.generation = generation
        isScarce = readers.contains(where: \.isLast)
    }

    package func reader(of key: ObjectKey) throws -> any StoreReader {
        guard key.storeIndex < readers.count else { throw StoreError.noStore(key) }
        return readers[key.storeIndex]
    }

    /// The row of one object; nil if there is none.
    func row(of key: ObjectKey, in arena: inout RowArena) throws -> Row? {
        guard key.storeIndex < readers.count else { throw StoreError.noStore(key) }
        return try readers[key.storeIndex].row(of: key, in: &arena)
    }

    /// Whether a row read by itself is for the row cache: somebody who reads thousands of rows one by one in one turn would
    /// only push out of it what others read again.
    func takesPlaceInCache() -> Bool {
        if placesInCache == 0 { return false }
        placesInCache -= 1
        return true
    }

    func end() {
        for reader in readers { reader.end() }
    }
}

@available(*, unavailable)
extension StoreSnapshot: Sendable {}
