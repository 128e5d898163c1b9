/// **Confined.** Hash indexes of a context's objects with unsaved changes, by values of their attributes: a fetch for equal
/// values evaluates its condition only for the objects that an index lists.
///
/// A fetch creates the index that it needs, and later ones bring it up to date with the objects that have been changed
/// for the first time since, and with those whose values may have changed again. To learn of the latter, an index marks
/// the drafts it has read as watched, and whoever replaces an object's values calls `noteChange`.
///
/// An index may list an object under values that it no longer has, so the condition decides in the end.
///
/// Invariants, checked by `checkInvariants()`:
/// 1. A changed object is listed under its values, unless it is a fault, an index has yet to reach it, or a change of it is
///    noted that the index has not read.
/// 2. The draft of an object that an index has reached is watched, unless a change of it is noted.
struct UnsavedValueIndexes {
    private var indexes: [Columns: Index] = [:]
    /// The objects whose values may have changed since an index read them, in the order of the changes.
    private var noted: ContiguousArray<ManagedObject> = []
    /// The positions of the changed objects, as far as they were asked for.
    private var positions: [ObjectIdentifier: Int32] = [:]
    /// The number of changed objects at the last fetch.
    private var changedCount = 0

    /// Records that the values of a changed object are about to change, or were replaced.
    mutating func noteChange(of object: ManagedObject) {
        if indexes.isEmpty { return }
        noted.append(object)
        // Making an index anew takes less time than reading a long list of changes.
        if noted.count > 2 * changedCount + 16 { removeAll() }
    }

    /// Forgets the changed objects, which were saved or discarded.
    mutating func removeAll() {
        if indexes.isEmpty { return }
        self = UnsavedValueIndexes()
    }

    /// Returns the changed objects that may satisfy the condition of a fetch, in the order of their first change, and the
    /// number of changed objects of its entity. `nil` if the condition does not ask for equal values.
    ///
    /// - Parameter changed: The context's objects with unsaved changes. Between two calls of `removeAll`, it only grows.
    mutating func candidates(
        of fetch: ResolvedFetch, among changed: ContiguousArray<ManagedObject>
    ) -> (objects: [ManagedObject], changedCount: Int)? {
        guard let (columns, hash) = fetch.condition?.equalValues(of: fetch.entity) else { return nil }
        changedCount = changed.count
        var index = indexes.removeValue(forKey: columns) ?? Index(columns)
        index.add(changed)
        while index.readCount < noted.count {
            let object = noted[index.readCount]
            index.readCount += 1
            if let position = position(of: object, among: changed) { index.add(object, at: position) }
        }
        indexes[columns] = index
        return (index.positions(hash).map { changed[$0] }, index.objectCount)
    }

    private mutating func position(of object: ManagedObject, among changed: ContiguousArray<ManagedObject>) -> Int? {
        for position in positions.count..<changed.count {
            positions[ObjectIdentifier(changed[position])] = Int32(truncatingIfNeeded: position)
        }
        return positions[ObjectIdentifier(object)].map(Int.init)
    }
}

extension UnsavedValueIndexes {
    /// **Value.** The attributes of an index.
    fileprivate struct Columns: Hashable {
        let entity: Entity
        let attributes: [Entity.Attribute]

        /// Returns the hash of an object's values.
        func hash(of object: ManagedObject) -> Int {
            var hasher = Hasher()
            for attribute in attributes { hasher.combine(attribute.part(of: object.value(at: attribute.slot))) }
            return hasher.finalize()
        }
    }

    /// **Confined.** An index: lists of positions in the changed objects, by the hash of their values.
    fileprivate struct Index {
        /// **Value.** A position, and the place of the next entry of the same list; -1 if there is none.
        private struct Entry {
            let position: Int32
            let next: Int32
        }

        private let columns: Columns
        private var heads: [Int: Int32] = [:]
        private var entries: ContiguousArray<Entry> = []
        /// For each position, the hash of the values under which it was listed last; `nil` if it was not listed.
        private var hashes: ContiguousArray<Int?> = []
        /// The positions of objects that had no values to read.
        private var faults: ContiguousArray<Int> = []
        /// The number of changes read from the list of noted ones.
        var readCount = 0
        /// The number of objects of the entity.
        private(set) var objectCount = 0

        init(_ columns: Columns) { self.columns = columns }

        /// The number of changed objects that were looked at.
        var count: Int { hashes.count }

        /// Adds the objects that have been changed since the last call.
        mutating func add(_ changed: ContiguousArray<ManagedObject>) {
            for position in count..<changed.count {
                hashes.append(nil)
                if changed[position].entity.isKind(of: columns.entity) { objectCount += 1 }
                add(changed[position], at: position)
            }
        }

        /// Lists an object under its values.
        mutating func add(_ object: ManagedObject, at position: Int) {
            guard position < count, object.entity.isKind(of: columns.entity) else { return }
            object.state.insert(.indexed)
            guard !object.isFault else { return faults.append(position) }
            object.draft?.isWatched = true
            let hash = columns.hash(of: object)
            if hashes[position] == hash { return }
            hashes[position] = hash
            let entry = Entry(position: Int32(truncatingIfNeeded: position), next: heads[hash] ?? -1)
            heads[hash] = Int32(truncatingIfNeeded: entries.count)
            entries.append(entry)
        }

        /// Returns the positions of the objects that may have values with the given hash, in order and without duplicates.
        func positions(_ hash: Int) -> [Int] {
            var found = Array(faults)
            var place = heads[hash] ?? -1
            while place >= 0 {
                let entry = entries[Int(place)]
                found.append(Int(entry.position))
                place = entry.next
            }
            if found.count < 2 { return found }
            found.sort()
            return found.indices.filter { $0 == 0 || found[$0] != found[$0 - 1] }.map { found[$0] }
        }
    }
}

@available(*, unavailable)
extension UnsavedValueIndexes: Sendable {}

extension UnsavedValueIndexes {
    /// Checks the numbered invariants. Examines everything; for tests.
    func checkInvariants(_ changed: ContiguousArray<ManagedObject>) throws(InvariantViolation) {
        for (columns, index) in indexes {
            let unread = Set(noted[index.readCount...].map(ObjectIdentifier.init))
            for (position, object) in changed.prefix(index.count).enumerated() {
                guard object.entity.isKind(of: columns.entity), !object.isFault,
                    !unread.contains(ObjectIdentifier(object))
                else { continue }
                try require(
                    index.positions(columns.hash(of: object)).contains(position), in: "UnsavedValueIndexes",
                    invariant: 1,
                    otherwise: "\(object.key) has values under which it is not listed")
                try require(
                    object.draft?.isWatched ?? true, in: "UnsavedValueIndexes", invariant: 2,
                    otherwise: "\(object.key) can change without being noted")
            }
        }
    }
}

extension ResolvedCondition {
    /// Returns the attributes that must equal constants, and the hash of these; `nil` if there are none.
    fileprivate func equalValues(of entity: Entity) -> (UnsavedValueIndexes.Columns, hash: Int)? {
        let parts = if case .and(let parts) = self { parts } else { [self] }
        var values = parts.compactMap(\.equalValue)
        if values.isEmpty { return nil }
        values.sort { ($0.attribute.slot, $0.attribute.name) < ($1.attribute.slot, $1.attribute.name) }
        var hasher = Hasher()
        for value in values { hasher.combine(value.value) }
        return (UnsavedValueIndexes.Columns(entity: entity, attributes: values.map(\.attribute)), hasher.finalize())
    }

    /// The attribute that must equal a constant; `nil` for any other condition, and for values that can be equal without
    /// being of the same case.
    private var equalValue: (attribute: Entity.Attribute, value: ManagedValue)? {
        guard case .comparison(let comparison) = self, comparison.operation == .equal, comparison.options.isEmpty,
            comparison.quantifier == .direct, case .path(let path) = comparison.left, path.start == .object,
            path.steps.isEmpty, let attribute = path.attribute, case .constant(let value) = comparison.right
        else { return nil }
        switch (path.kind, value) {
        case (.integer, .int), (.floating(isSingle: false), .double), (.string, .string), (.date, .date),
            (.uuid, .uuid):
            return (attribute, value)
        default: return nil
        }
    }
}
