import DataMonkCore

/// **Confined.** The objects of a context by the values of their keys, in the order in which they were found.
///
/// Of several objects with one key, which a model may allow, the first counts; the next takes its place when it leaves.
struct ObjectTable {
    private var first: [ImportKey: ManagedObject] = [:]
    /// The objects after the first one, which are few or none.
    private var others: [ImportKey: [ManagedObject]] = [:]
    /// The objects that last had a key, and have another one now.
    private(set) var leavers: [ImportKey: ManagedObject] = [:]

    mutating func reserveCapacity(forMore count: Int) { first.reserveCapacity(first.count + count) }

    subscript(key: ImportKey) -> ManagedObject? { first[key] }

    /// Adds an object, after those that have its key. It may be there.
    mutating func add(_ object: ManagedObject, for key: ImportKey) {
        guard let present = first[key] else {
            first[key] = object
            return
        }
        if present === object || others[key]?.contains(where: { $0 === object }) == true { return }
        others[key, default: []].append(object)
    }

    /// Removes an object that no longer has a key. It may be gone.
    mutating func remove(_ object: ManagedObject, for key: ImportKey) {
        leavers[key] = object
        if first[key] === object {
            let next = others[key]?.first
            first[key] = next
            if next != nil { others[key]?.removeFirst() }
        } else {
            others[key]?.removeAll { $0 === object }
        }
        if others[key]?.isEmpty == true { others[key] = nil }
    }
}

@available(*, unavailable)
extension ObjectTable: Sendable {}
