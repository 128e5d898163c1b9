/// **Value.** A row of the simulated store.
struct SimulatedRow: Hashable, Sendable {
    let key: Int
    /// Counts up with every write to the key, deletions in between or not.
    let version: Int
}

/// **Value.** A versioned store with one writer: SQLite in WAL mode, as far as transactions and snapshots go.
struct SimulatedStore {
    /// The rows, and which commits made them so since the state before, changing which keys.
    struct Contents {
        var rows: [Int: SimulatedRow] = [:]
        var writers: [Int] = []
        var changedKeys: Set<Int> = []
    }

    /// Every state that was ever visible; the position is the generation.
    private(set) var states = [Contents()]
    private var versions: [Int: Int] = [:]
    private var working: Contents?
    private var savepoints: [Contents] = []

    /// The generation of a snapshot opened now.
    var visible: Int { states.count - 1 }

    var isInTransaction: Bool { working != nil }

    func row(_ key: Int, at generation: Int) -> SimulatedRow? { states[generation].rows[key] }

    /// The row as the writer sees it, uncommitted changes included.
    func writersRow(_ key: Int) -> SimulatedRow? { (working ?? states[visible]).rows[key] }

    mutating func begin() {
        var start = states[visible]
        start.writers = []
        start.changedKeys = []
        working = start
        savepoints = []
    }

    mutating func openSavepoint() {
        if let working { savepoints.append(working) }
    }

    /// Like SQLite, takes the innermost level for the one that is meant: without a savepoint it is the transaction.
    mutating func releaseSavepoint() {
        if savepoints.popLast() == nil { commit() }
    }

    mutating func rollBackToSavepoint() {
        if let start = savepoints.last { working = start }
    }

    /// Writes a row and returns it, or deletes it; outside of a transaction at once.
    mutating func write(_ key: Int, delete: Bool, by writer: Int) -> SimulatedRow? {
        let isAlone = working == nil
        if isAlone { begin() }
        defer { if isAlone { commit() } }
        versions[key, default: 0] += 1
        let row = delete ? nil : SimulatedRow(key: key, version: versions[key, default: 0])
        working?.rows[key] = row
        working?.writers.append(writer)
        working?.changedKeys.insert(key)
        return row
    }

    mutating func commit() {
        if let working { states.append(working) }
        working = nil
    }

    mutating func rollBack() { working = nil }

    /// Counts a commit that has changed nothing: one that was published although the store does not have it.
    mutating func commitNothing() {
        begin()
        commit()
    }
}
