import DequeModule

/// **Value.** Versions of rows that only contexts behind need: a single queue for all keys, in which each version refers
/// to the previous version of its key.
///
/// Versions are added in the order of their ends and removed in the same order, at the front of the queue, when no
/// context stands that far back or when there are too many. Thus a chain is only ever cut at its old end, and a link to a
/// position before the queue's front is the end of the chain.
struct OlderVersions<Row: CachedRow>: Sendable {
    /// **Value.** A row in its state during `since ..< until`; `nil` if it did not exist then.
    struct Version: Sendable {
        let key: ObjectKey
        let row: Row?
        let since: Generation
        let until: Generation
        /// The number of the previous version of the same key, which may have been removed; `nil` if there is none.
        let previous: Int?
    }

    private(set) var queue: Deque<Version> = []
    /// The number of the queue's first version; numbers increase forever.
    private(set) var firstNumber = 0
    /// The number of the latest version of each key.
    private(set) var latest: [ObjectKey: Int] = [:]
    let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    var isEmpty: Bool { queue.isEmpty }
    var isFull: Bool { queue.count == capacity }
    /// The end of the version that will be removed next.
    var firstEnd: Generation? { queue.first?.until }

    func version(of key: ObjectKey, at generation: Generation) -> Version? {
        var number = latest[key]
        while let current = number, current >= firstNumber {
            let version = queue[current - firstNumber]
            // Not covered by this version, and earlier versions end earlier.
            if generation >= version.until { return nil }
            if generation >= version.since { return version }
            number = version.previous
        }
        return nil
    }

    /// Adds the version that ended last. The caller has made room for it.
    mutating func append(_ key: ObjectKey, row: Row?, since: Generation, until: Generation) {
        let number = firstNumber + queue.count
        let previous = latest.updateValue(number, forKey: key)
        queue.append(Version(key: key, row: row, since: since, until: until, previous: previous))
    }

    /// Removes the version that ended first. There must be one.
    mutating func removeFirst() -> Row? {
        let version = queue.removeFirst()
        if latest[version.key] == firstNumber { latest[version.key] = nil }
        firstNumber += 1
        return version.row
    }
}
