import DequeModule

/// **Value.** Versions of rows that only contexts behind need: one queue for all keys, each version knowing the one
/// before it of its key.
///
/// Versions come in the order in which they end, and leave in the same order: at the front of the queue, when nobody
/// stands that far back, or when there are too many. So a chain is only ever cut at its old end, and a link that
/// points before the queue's front is the end of the chain.
struct OlderVersions<Row: CachedRow>: Sendable {
    /// A row as it was in `since ..< until`; nil if it did not exist then.
    struct Version: Sendable {
        let key: ObjectKey
        let row: Row?
        let since: Generation
        let until: Generation
        /// The number of the version before it of the same key, or one that is gone, or none.
        let previous: Int?
    }

    private(set) var queue: Deque<Version> = []
    /// The number of the queue's first version; numbers count up for ever.
    private(set) var firstNumber = 0
    /// The number of each key's latest version.
    private(set) var latest: [ObjectKey: Int] = [:]
    let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    var isEmpty: Bool { queue.isEmpty }
    var isFull: Bool { queue.count == capacity }
    /// Where the version ends that leaves next.
    var firstEnd: Generation? { queue.first?.until }

    /// The key's version at a generation.
    func version(of key: ObjectKey, at generation: Generation) -> Version? {
        var number = latest[key]
        while let current = number, current >= firstNumber {
            let version = queue[current - firstNumber]
            // Not covered by this version, and the ones before it end earlier.
            if generation >= version.until { return nil }
            if generation >= version.since { return version }
            number = version.previous
        }
        return nil
    }

    /// Adds the version that ended last. There is room for it.
    mutating func append(_ key: ObjectKey, row: Row?, since: Generation, until: Generation) {
        let number = firstNumber + queue.count
        let previous = latest.updateValue(number, forKey: key)
        queue.append(Version(key: key, row: row, since: since, until: until, previous: previous))
    }

    /// Takes the version out that ended first. There is one.
    mutating func removeFirst() -> Row? {
        let version = queue.removeFirst()
        if latest[version.key] == firstNumber { latest[version.key] = nil }
        firstNumber += 1
        return version.row
    }
}
