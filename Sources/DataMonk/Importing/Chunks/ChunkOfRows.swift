import DataMonkCore

/// **Value.** Collects rows until they are a chunk, and converts their values.
struct ChunkOfRows {
    /// **Value.** The rows of a chunk.
    struct Rows: Sendable {
        var rows: [PreparedRow] = []
        /// Names in the rows that no property takes.
        var unusedNames: Set<String> = []
    }

    private let plan: ImportPlan
    private let options: ImportOptions
    private var content = Rows()
    /// The bytes that the values of the rows have, about.
    private var size = 0
    /// The size at which a chunk ends, however few rows it has.
    private static let maximumSize = 16 << 20
    /// The number of the row after the last one.
    private var nextIndex: Int

    init(plan: ImportPlan, options: ImportOptions) {
        if options.chunkSize < 1 { stopProgram("A chunk has at least one row. Set chunkSize to 1 or more.") }
        if options.chunksInFlight < 1 { stopProgram("At least one chunk is written. Set chunksInFlight to 1 or more.") }
        self.plan = plan
        self.options = options
        nextIndex = options.resumingAt
    }

    var isEmpty: Bool { content.rows.isEmpty }

    /// Adds a row. Returns `true` if the chunk is complete.
    mutating func add(_ row: ImportRow) -> Bool {
        if row.place.index < options.resumingAt { return false }
        let prepared = plan.prepare(row)
        content.rows.append(prepared)
        nextIndex = row.place.index + 1
        if case .success(let values) = row.content {
            noteUnusedNames(values, of: prepared)
            size += ManagedValue.dictionary(values).size
        }
        return content.rows.count >= options.chunkSize || size >= Self.maximumSize
    }

    private mutating func noteUnusedNames(_ values: [String: ManagedValue], of row: PreparedRow) {
        if case .object(let object) = row.content, object.hasOnlyNamesOfProperties { return }
        if content.unusedNames.count >= ImportReport.keptNames { return }
        for name in values.keys where !plan.main.names.contains(name) { content.unusedNames.insert(name) }
    }

    /// Returns the rows, and the number of the row after them. The next chunk begins.
    mutating func take() -> (rows: Rows, nextIndex: Int) {
        defer { (content, size) = (Rows(), 0) }
        return (content, nextIndex)
    }
}

extension ManagedValue {
    /// The number of bytes of a value, about.
    fileprivate var size: Int {
        switch self {
        case .string(let text): 16 + text.utf8.count
        case .data(let data): 16 + data.count
        case .list(let values): values.reduce(16) { $0 + $1.size }
        case .dictionary(let values): values.reduce(16) { $0 + $1.key.utf8.count + $1.value.size }
        default: 16
        }
    }
}
