/// **Confined.** A reader on each store, all of one generation.
package final class StoreSnapshot {
    /// By store index.
    package let readers: [any StoreReader]
    package let generation: Generation
    /// Whether one of the readers is its store's last.
    let isScarce: Bool

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

    func end() {
        for reader in readers { reader.end() }
    }
}

@available(*, unavailable)
extension StoreSnapshot: Sendable {}
