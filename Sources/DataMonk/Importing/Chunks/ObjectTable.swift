import DataMonkCore

/// **Confined.** The objects of a context by the values of their keys, in the order in which they were found.
///
/// Of several objects with one key, which a model may allow, the first counts; the next takes its place when it leaves.
struct ObjectTable {
    private var first: [ImportKey: ManagedObject] = [:]
    /// The objects after the first one, which are few or none.
    private var others: [ImportKey: [ManagedObject]] = [:]
    /// The objects that keys had when the present row began; `nil` if no row is taken back.
    private var before: [ImportKey: [ManagedObject]]?

    mutating func reserveCapacity(forMore count: Int) { first.reserveCapacity(first.count + count) }

    subscript(key: ImportKey) -> ManagedObject? { first[key] }

    /// Adds an object, after those that have its key. It may be there.
    mutating func add(_ object: ManagedObject, for key: ImportKey) {
        if let present = first[key] {
            if present === object || others[key]?.contains(where: { $0 === object }) == true { return }
            noteBefore(key)
            others[key, default: []].append(object)
        } else {
            noteBefore(key)
            first[key] = object
        }
    }

    /// Adds an object for a key that none has.
    mutating func addFirst(_ object: ManagedObject, for key: ImportKey) {
        noteBefore(key)
        first[key] = object
    }

    /// Removes the first object of a key.
    mutating func removeFirst(of key: ImportKey) {
        noteBefore(key)
        let next = others[key]?.first
        first[key] = next
        if next != nil { others[key]?.removeFirst() }
        if others[key]?.isEmpty == true { others[key] = nil }
    }

    // MARK: Rows that are taken back

    /// Begins a row that may be taken back.
    mutating func beginRow() { before = [:] }

    /// Restores what the table had when the row began.
    mutating func takeBackRow() {
        for (key, objects) in before ?? [:] {
            first[key] = objects.first
            others[key] = objects.count > 1 ? Array(objects.dropFirst()) : nil
        }
        before = [:]
    }

    private mutating func noteBefore(_ key: ImportKey) {
        guard let known = before, known[key] == nil else { return }
        before?[key] = (first[key].map { [$0] } ?? []) + (others[key] ?? [])
    }
}

@available(*, unavailable)
extension ObjectTable: Sendable {}
