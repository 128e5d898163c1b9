import Foundation

/// **Confined.** Copies the objects of one store into a new one of any kind, in one transaction.
///
/// ```
/// keys            reserved for each inheritance tree, up to the highest that was ever given out
/// rows            in parts; references lead into the new store, and data in files comes along
/// links           of relationships that no row holds
/// orders          of ordered relationships
/// metadata        the application's
/// ```
/// The keys of a tree move by the same amount: by nothing, unless the new store's trees share one sequence of keys. The caller
/// commits. Both stores belong to one coordinator, whose directory interprets their keys. Besides the part that is
/// being copied, which has at most a few megabytes unless a single row is larger, memory holds eight bytes for each object.
package struct StoreTransfer {
    /// **Value.** The objects of one entity, without those of its sub-entities.
    fileprivate struct Extent {
        let layout: EntityLayout
        let keys: [ObjectKey]
    }

    /// The largest number of objects in a part.
    private static let partCount = 500
    /// The number of bytes of rows after which a part ends.
    static let partSize = 4 << 20

    private let directory: ObjectDirectory
    private let source: any StoreReader
    private let target: any StoreTransaction
    private let targetIndex: Int
    private let extents: [Extent]
    /// Called with the entity that comes next and the numbers of completed and of all steps.
    private let observer: (Entity, Int64, Int64) throws -> Void
    private let total: Int64
    /// The difference between the new and the old keys of each inheritance tree, by the index of its root.
    private var offsets: [Int: Int64] = [:]
    private var completed: Int64 = 0

    /// The entities that have objects.
    package var entities: [Entity] { extents.filter { !$0.keys.isEmpty }.map(\.layout.entity) }

    /// The difference between the new and the old keys of each entity's objects, by its name. Known after ``run()``.
    package var offsetsByEntityName: [String: Int64] {
        Dictionary(
            uniqueKeysWithValues: extents.map(\.layout.entity).map { ($0.name, offsets[$0.root.index] ?? 0) })
    }

    /// The number of objects to copy.
    package var objectCount: Int { extents.reduce(0) { $0 + $1.keys.count } }

    /// Finds the objects to copy.
    ///
    /// - Parameters:
    ///   - entities: The entities that the source contains.
    ///   - targetIndex: The index of the new store among the coordinator's stores.
    ///   - observer: Called before each part. An error that it throws ends the transfer.
    package init(
        of entities: some Sequence<Entity>, from source: any StoreReader, to target: any StoreTransaction,
        at targetIndex: Int,
        directory: ObjectDirectory, observer: @escaping (Entity, Int64, Int64) throws -> Void
    ) throws {
        self.directory = directory
        self.source = source
        self.target = target
        self.targetIndex = targetIndex
        self.observer = observer
        extents = try entities.sorted { $0.index < $1.index }.map { entity in
            var request = FetchRequest(entityName: entity.name)
            request.includesSubentities = false
            return Extent(
                layout: directory.layouts[entity.index],
                keys: try source.keys(ResolvedFetch(request, model: directory.model)))
        }
        var total: Int64 = 0
        for extent in extents {
            let rounds = 1 + extent.linked.count + extent.ordered.count
            total += Int64(extent.keys.count * rounds)
        }
        self.total = total
    }

    /// Writes everything except the metadata.
    ///
    /// - Throws: ``StoreError`` for an object that cannot be read, or that the new store refuses; `CancellationError` if the
    ///   task is cancelled; the observer's error.
    package mutating func run() throws {
        target.beginHistoryTransaction(nil)
        for entity in extents.map(\.layout.entity) where entity.root === entity {
            let last = try source.primaryKeyLimit(of: entity)
            if last > 0 { offsets[entity.index] = try target.reservePrimaryKeys(Int(last), for: entity) - 1 }
        }
        for extent in extents { try copyRows(of: extent) }
        // Orders come after all links, since both sides of a relationship may be ordered.
        for extent in extents {
            for relationship in extent.linked { try copyLinks(of: relationship, from: extent, asOrder: false) }
        }
        for extent in extents {
            for relationship in extent.ordered { try copyLinks(of: relationship, from: extent, asOrder: true) }
        }
    }

    private mutating func advance(_ extent: Extent, by count: Int) throws {
        try Task.checkCancellation()
        try observer(extent.layout.entity, completed, total)
        completed += Int64(count)
    }

    // MARK: Rows

    private mutating func copyRows(of extent: Extent) throws {
        for keys in extent.keys.parts(of: Self.partCount) {
            try advance(extent, by: keys.count)
            let collector = RowCollector()
            try source.rows(of: Array(keys), into: collector)
            if collector.rows.count != keys.count { try requireRows(of: keys, besides: collector.rows.map(\.key)) }
            var changes = ChangeSet()
            var size = 0
            var arena = RowArena()
            for (key, row) in collector.rows {
                let moved = try moved(row, of: key, extent.layout, in: &arena)
                changes.inserted.append(
                    ChangeSet.ObjectChange(key: self.moved(key), row: moved, base: nil, changed: SlotSet()))
                size += extent.layout.size(of: moved.pointer)
                if size >= Self.partSize {
                    try write(changes)
                    (changes, size, arena) = (ChangeSet(), 0, RowArena())
                }
            }
            try write(changes)
        }
    }

    /// Throws the reason why a row was left out.
    private func requireRows(of keys: ArraySlice<ObjectKey>, besides known: [ObjectKey]) throws {
        let known = Set(known)
        var arena = RowArena()
        for key in keys where !known.contains(key) {
            _ = try source.row(of: key, in: &arena)
            throw StoreError.lostObject(directory.uri(of: key), entityName: directory.layout(of: key).entity.name)
        }
    }

    /// Returns a row for the new store.
    private func moved(
        _ row: Row, of key: ObjectKey, _ layout: EntityLayout, in arena: inout RowArena
    ) throws -> Row {
        let draft = DraftRow(copying: row.pointer, of: layout, base: nil)
        for slot in layout.toOneSlots where !RowFormat.isNull(in: row.pointer, at: slot) {
            guard let destination = ObjectKey(slot: RowFormat.word(in: row.pointer, at: slot)) else { continue }
            RowFormat.setWord(moved(destination).rawValue, in: draft.row, at: slot)
        }
        for slot in layout.longSlots
        where !RowFormat.isNull(in: row.pointer, at: slot) && RowFormat.isReference(in: row.pointer, at: slot) {
            do {
                let data = try ExternalReference(RowFormat.bytes(in: row.pointer, at: slot)).data()
                _ = data.withUnsafeBytes { draft.setBytes($0, slot: slot) }
            } catch var error as StoreError {
                error.entityName = layout.entity.name
                error.objectURI = directory.uri(of: key).absoluteString
                throw error
            }
        }
        try draft.requireAllValues(of: layout.entity)
        return layout.seal(draft, version: RowFormat.version(row.pointer), in: &arena)
    }

    private func moved(_ key: ObjectKey) -> ObjectKey {
        let root = directory.layout(of: key).entity.root.index
        return ObjectKey(
            store: targetIndex, entity: key.entityIndex, primaryKey: key.primaryKey + (offsets[root] ?? 0))
    }

    // MARK: Links

    /// Copies the links of a relationship, or the order of its destinations.
    private mutating func copyLinks(
        of relationship: Entity.Relationship, from extent: Extent, asOrder: Bool
    ) throws {
        for owners in extent.keys.sorted().parts(of: Self.partCount) {
            try advance(extent, by: owners.count)
            let collector = KeyCollector()
            try source.destinations(of: relationship, from: Array(owners), into: collector)
            var changes = ChangeSet()
            var start = 0
            for (owner, end) in zip(owners, collector.ends) {
                let destinations = collector.keys[start..<end].map(moved)
                start = end
                if destinations.isEmpty { continue }
                changes.links.append(
                    ChangeSet.LinkChange(
                        relationship: relationship, owner: moved(owner), added: asOrder ? [] : destinations,
                        removed: [], order: asOrder ? destinations : nil))
            }
            try write(changes)
        }
    }

    private func write(_ changes: ChangeSet) throws {
        if changes.isEmpty { return }
        guard let refused = try target.write(changes).first else { return }
        let entity = directory.layout(of: refused.key).entity
        throw StoreError.refusedObject(
            directory.uri(of: refused.key), entity: entity, constraint: refused.duplicate?.constraint ?? [])
    }
}

@available(*, unavailable)
extension StoreTransfer: Sendable {}

extension StoreTransfer.Extent {
    /// The relationships whose links no row holds, one side of each pair.
    fileprivate var linked: [Entity.Relationship] {
        toManys.filter { relationship in
            guard let inverse = relationship.inverse else { return true }
            return inverse.isToMany && !relationship.isSecondSide(of: inverse)
        }
    }

    fileprivate var ordered: [Entity.Relationship] { toManys.filter(\.isOrdered) }

    private var toManys: [Entity.Relationship] { layout.relationships.filter { $0.isToMany && !$0.isTransient } }
}

extension Entity.Relationship {
    /// Indicates whether the links of the pair are copied from the inverse.
    fileprivate func isSecondSide(of inverse: Entity.Relationship) -> Bool {
        (inverse.entity.index, inverse.slot) < (entity.index, slot)
    }
}

extension RandomAccessCollection where Index == Int {
    /// The collection in parts of at most `count` elements.
    fileprivate func parts(of count: Int) -> some Sequence<SubSequence> {
        stride(from: startIndex, to: endIndex, by: count).lazy.map { self[$0..<Swift.min($0 + count, endIndex)] }
    }
}

/// **Confined.** Takes all rows that a reader has.
private final class RowCollector: RowSink {
    var arena = RowArena()
    private(set) var rows: [(key: ObjectKey, row: Row)] = []

    func wants(_ key: ObjectKey) -> Bool { true }
    func take(_ key: ObjectKey, at pointer: UnsafeMutableRawPointer, in arena: inout RowArena) {
        rows.append((key, arena.row(at: pointer)))
    }
    func take(_ key: ObjectKey, row: Row) { rows.append((key, row)) }
    func takeFault(_ key: ObjectKey) {}
    func ownerDidEnd() -> Bool { true }
}

/// **Confined.** Takes the keys of rows, and no rows.
private final class KeyCollector: RowSink {
    var arena = RowArena()
    private(set) var keys: [ObjectKey] = []
    /// The end in `keys` of each owner's destinations.
    private(set) var ends: [Int] = []

    func wants(_ key: ObjectKey) -> Bool {
        keys.append(key)
        return false
    }
    func take(_ key: ObjectKey, at pointer: UnsafeMutableRawPointer, in arena: inout RowArena) {}
    func take(_ key: ObjectKey, row: Row) {}
    func takeFault(_ key: ObjectKey) { keys.append(key) }
    func ownerDidEnd() -> Bool {
        ends.append(keys.count)
        return true
    }
}

extension StoreError {
    fileprivate static func lostObject(_ uri: URL, entityName: String) -> StoreError {
        var error = StoreError(
            .corrupt,
            """
            \(entityName) \(uri.lastPathComponent) has a key in the store, but no row, so the store cannot be copied. Have \
            the store examined and repaired.
            """)
        error.entityName = entityName
        error.objectURI = uri.absoluteString
        return error
    }

    fileprivate static func refusedObject(_ uri: URL, entity: Entity, constraint: [String]) -> StoreError {
        let reason =
            constraint.isEmpty
            ? "an object with its key is there already"
            : "another object has the same \(constraint.joined(separator: ", ")), which must be unique"
        var error = StoreError(
            .constraintViolation,
            """
            \(entity.name) \(uri.lastPathComponent) does not fit into the new store: \(reason). Have the store examined \
            and repaired.
            """)
        error.entityName = entity.name
        error.objectURI = uri.absoluteString
        return error
    }
}
