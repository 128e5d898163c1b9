import Foundation

/// **Confined.** Writes the objects of a batch insert, a thousand at a time, so that written objects are not kept in
/// memory.
struct BatchInsertion {
    private let source: BatchInsertRequest.Source
    private let updatesDuplicates: Bool
    private let entity: Entity
    private let rows: BatchRowMaker
    private let directory: ObjectDirectory

    private static let chunkSize = 1_000

    init(
        source: BatchInsertRequest.Source, updatesDuplicates: Bool, entity: Entity,
        coordinator: PersistentStoreCoordinator
    ) {
        self.source = source
        self.updatesDuplicates = updatesDuplicates
        self.entity = entity
        rows = BatchRowMaker(entity: entity, coordinator: coordinator)
        directory = coordinator.directory
    }

    func run(in transaction: any StoreTransaction, storeIndex: Int, _ changes: inout BatchChanges) throws {
        let date = Date()
        var position = 0
        var hasMore = true
        while hasMore {
            var arena = RowArena()
            var chunk: [Row] = []
            var given: [SlotSet] = []
            while hasMore, chunk.count < Self.chunkSize {
                rows.begin()
                hasMore = try fillNext(at: position)
                if !hasMore { break }
                position += 1
                // Evaluate this first: as an argument it would open a block that `chunk` on its left does not know yet.
                let row = try rows.finish(in: &arena, savedAt: date)
                chunk.append(row)
                if updatesDuplicates { given.append(rows.given) }
            }
            if chunk.isEmpty { continue }
            if updatesDuplicates {
                let entries = zip(chunk, given).map { BatchUpsert.Entry(row: $0, given: $1) }
                var upsert = BatchUpsert(entity, storeIndex: storeIndex, directory: directory, date: date)
                let set = try upsert.write(entries, in: transaction, recording: &changes)
                try finish(set, in: transaction, recording: &changes)
            } else {
                try write(chunk, in: transaction, storeIndex: storeIndex, recording: &changes)
            }
        }
    }

    /// Fills in the next object. Returns `false` if there are no more objects.
    private func fillNext(at position: Int) throws -> Bool {
        switch source {
        case .dictionaries(let dictionaries):
            if position == dictionaries.count { return false }
            try rows.fill(dictionaries[position])
        case .dictionaryHandler(let handler):
            var values: [String: ManagedValue] = [:]
            if try handler(&values) { return false }
            try rows.fill(values)
        case .objectHandler(let handler):
            return try !handler(rows.object)
        }
        return true
    }

    private func write(
        _ chunk: [Row], in transaction: any StoreTransaction, storeIndex: Int, recording changes: inout BatchChanges
    ) throws {
        let first = try transaction.reservePrimaryKeys(chunk.count, for: entity.root)
        var set = ChangeSet()
        set.inserted = chunk.enumerated().map { offset, row in
            let key = ObjectKey(store: storeIndex, entity: entity.index, primaryKey: first + Int64(offset))
            return ChangeSet.ObjectChange(key: key, row: row, base: nil, changed: SlotSet())
        }
        let conflicts = try transaction.write(set)
        if let conflict = conflicts.first {
            throw SaveError.duplicate(conflict.duplicate?.constraint ?? [], of: entity)
        }
        try finish(set, in: transaction, recording: &changes)
    }

    /// Checks and records changes that were written.
    private func finish(
        _ written: ChangeSet, in transaction: any StoreTransaction, recording changes: inout BatchChanges
    ) throws {
        var set = written
        try transaction.requireDestinations(of: set, directory: directory)
        changes.noteInserted(set.inserted.map(\.key))
        set.adopt(try transaction.rowsAsStored(after: set))
        changes.noteFollowers(set.consequences)
        let updated = set.updated.map { BatchChanges.Written(key: $0.key, version: $0.row.version) }
        changes.noteUpdated(updated, isRequested: true)
        if let last = set.inserted.last { changes.noteWritten(.init(key: last.key, version: last.row.version)) }
    }
}

@available(*, unavailable)
extension BatchInsertion: Sendable {}
