import DataMonkCore

/// **Confined.** The rows of a source, one after the other: the loop that all formats share.
///
/// 1. `bytes[start...]` is what was read and belongs to no row yet. It is less than a chunk and a row.
/// 2. `position` is that of `bytes[start]`.
/// 3. After an error, and after the end, there is nothing more: `reader` is `nil`.
struct RowStream<Framing: RowFraming> {
    private var reader: (any ChunkReading)?
    private var framing: Framing
    private let limit: Int
    private var bytes: [UInt8] = []
    private var start = 0
    /// A Boolean value indicating whether everything was read.
    private var isComplete = false
    /// A Boolean value indicating whether the marks of encodings at the start have been looked at.
    private var hasBegun = false
    private var position = TextPosition()
    private var index = 0
    /// The place of a row that is too large, while its end is looked for.
    private var tooLarge: TextPosition?

    init(_ source: ByteSource, framing: Framing, limit: Int) {
        reader = source.makeReader()
        self.framing = framing
        self.limit = max(1, limit)
    }

    /// Returns the next row, or `nil` after the last one.
    mutating func next() async throws -> ImportRow? {
        while reader != nil {
            do {
                if let row = try found() { return row }
                try await refill()
            } catch {
                end()
                throw error
            }
        }
        return nil
    }

    private mutating func end() {
        reader = nil
        bytes = []
        start = 0
    }

    // MARK: Rows

    /// Returns the next row of the bytes that are there, or `nil` if there is none, or if the rows have ended.
    private mutating func found() throws -> ImportRow? {
        guard try begin() else { return nil }
        while true {
            switch try frame() {
            case .row(let length, let used):
                defer { use(used) }
                return row(of: length)
            case .between(let used):
                // The bytes that were too large to keep were not a row.
                tooLarge = nil
                use(used)
            case .incomplete:
                if isComplete { throw ended() }
                if tooLarge != nil || bytes.count - start > limit {
                    if tooLarge == nil { tooLarge = position }
                    use(framing.forget())
                }
                return nil
            case .end:
                end()
                return nil
            }
        }
    }

    /// Looks at the marks that tell encodings apart. Returns `false` if more bytes are needed for that.
    private mutating func begin() throws -> Bool {
        if hasBegun { return true }
        // No more than that: a short row on a pipe must not wait for the next one.
        let count = bytes.first == 0xEF ? 3 : bytes.prefix(2).contains(0) ? 4 : 2
        guard bytes.count >= count || isComplete else { return false }
        hasBegun = true
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
        // Two ASCII characters of 16 bits, without a mark: each has a byte of 0, and both at the same place.
        let zeros = bytes.prefix(4).map { $0 == 0 }
        let areUnits = zeros == [true, false, true, false] || zeros == [false, true, false, true]
        if areUnits || bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            throw FormatError(
                .unsupportedEncoding, "This is a text of 16-bit units. Convert it to UTF-8.", line: 1, column: 1)
        }
        return true
    }

    private mutating func frame() throws -> RowFrame {
        do throws(RowProblem) {
            return try bytes.withUnsafeBufferPointer { buffer throws(RowProblem) in
                try framing.frame(UnsafeBufferPointer(rebasing: buffer[start...]), isComplete: isComplete)
            }
        } catch {
            throw located(error)
        }
    }

    private mutating func row(of length: Int) -> ImportRow {
        let begin = tooLarge ?? position
        let place = ImportPlace(index: index, line: begin.line)
        index += 1
        if tooLarge != nil || length > limit {
            tooLarge = nil
            return ImportRow(
                at: place,
                problem: FormatError(
                    .rowTooLarge,
                    "A row has more than \(limit) bytes. Raise the limit, or split the row."
                        + remark(on: length, from: begin), line: begin.line, column: begin.column))
        }
        do throws(RowProblem) {
            let values = try bytes.withUnsafeBufferPointer { buffer throws(RowProblem) in
                try framing.values(of: UnsafeBufferPointer(rebasing: buffer[start..<(start + length)]))
            }
            var row = ImportRow(at: place, values: values)
            row.hasCells = Framing.hasCells
            return row
        } catch {
            return ImportRow(at: place, problem: located(error, remark: remark(on: length, from: begin)))
        }
    }

    private func remark(on length: Int, from begin: TextPosition) -> String {
        Framing.remark(onLines: position(after: length).line - begin.line + 1)
    }

    private func located(_ problem: RowProblem, remark: String = "") -> FormatError {
        // The bytes that an offset counts from are gone if a row was too large.
        let position = tooLarge ?? position(after: problem.offset)
        return FormatError(
            problem.code, problem.message + remark, line: position.line, column: position.column, key: problem.key)
    }

    private func ended() -> FormatError {
        let end = position(after: bytes.count - start)
        return FormatError(
            .malformed, "The input ends before its last row or array does. Part of it may be missing.", line: end.line,
            column: end.column)
    }

    // MARK: Bytes

    private mutating func use(_ count: Int) {
        position = position(after: count)
        start += count
    }

    private func position(after count: Int) -> TextPosition {
        bytes.withUnsafeBufferPointer { position.advanced(over: $0[start..<min($0.count, start + count)]) }
    }

    private mutating func refill() async throws {
        guard reader != nil else { return }
        try Task.checkCancellation()
        guard let chunk = try await reader?.next() else {
            isComplete = true
            return
        }
        bytes.removeSubrange(..<start)
        start = 0
        bytes.append(contentsOf: chunk)
    }
}

@available(*, unavailable)
extension RowStream: Sendable {}
