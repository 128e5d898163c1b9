import DataMonkCore
import Foundation

/// **Shared.** Lines with a JSON object each, as rows of an import. Files of this kind end with `.jsonl` or `.ndjson`.
///
///     let report = try await stack.importRows(Person.self, from: JSONLines(.file(url)))
///
/// Empty lines are passed over. A line that is malformed becomes a row with a ``FormatError``, and the rows after it follow.
/// Values are read as ``JSONRows`` reads them.
public struct JSONLines: AsyncSequence, Sendable {
    /// The type of rows.
    public typealias Element = ImportRow

    private let source: ByteSource
    private let limit: Int

    /// Creates the rows of a source. Nothing is read yet.
    ///
    /// - Parameters:
    ///   - source: The bytes, in UTF-8.
    ///   - maximumRowSize: The largest number of bytes of a row. A larger one is a row with a ``FormatError``.
    public init(_ source: ByteSource, maximumRowSize: Int = 64 << 20) {
        self.source = source
        limit = maximumRowSize
    }

    /// Begins to read the source.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream: RowStream(source, framing: JSONLineFraming(), limit: limit))
    }

    /// **Confined.** A pass over the rows.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var stream: RowStream<JSONLineFraming>

        fileprivate init(stream: RowStream<JSONLineFraming>) { self.stream = stream }

        /// Returns the next row, or `nil` after the last one.
        ///
        /// - Throws: ``FormatError`` if the input cannot be read any further; the error of its source.
        public mutating func next() async throws -> ImportRow? { try await stream.next() }

        /// Returns the next row, or `nil` after the last one, without leaving the caller's actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> ImportRow? {
            try await stream.next()
        }
    }
}

@available(*, unavailable)
extension JSONLines.AsyncIterator: Sendable {}

/// **Value.** The lines of an input, each of which is a row.
private struct JSONLineFraming: RowFraming {
    /// The number of bytes of the line that were looked at.
    private var scanned = 0
    /// A Boolean value indicating whether a part of a line was seen.
    private var hasBegun = false
    /// The number of members of the last row: most rows of an input have as many.
    private var memberCount = 0

    mutating func frame(
        _ bytes: UnsafeBufferPointer<UInt8>, isComplete: Bool
    ) throws(RowProblem) -> RowFrame {
        if !hasBegun {
            // Empty lines, and blanks before an object.
            let space = bytes.firstIndex { !Self.spaces.contains($0) } ?? bytes.count
            if space > 0 { return .between(used: space) }
            if bytes.isEmpty { return isComplete ? .end : .incomplete }
        }
        hasBegun = true
        if let end = Self.lineEnd(in: bytes, from: scanned) { return row(end, used: end + 1) }
        scanned = bytes.count
        return isComplete ? row(bytes.count, used: bytes.count) : .incomplete
    }

    private static let spaces: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]

    private static func lineEnd(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        let rest = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start...])
        guard let first = rest.baseAddress, let end = memchr(first, Int32(UInt8(ascii: "\n")), rest.count) else {
            return nil
        }
        return start + first.distance(to: UnsafeRawPointer(end))
    }

    private mutating func row(_ length: Int, used: Int) -> RowFrame {
        (scanned, hasBegun) = (0, false)
        return .row(length: length, used: used)
    }

    mutating func forget() -> Int {
        defer { scanned = 0 }
        return scanned
    }

    mutating func values(of row: UnsafeBufferPointer<UInt8>) throws(RowProblem) -> [String: ManagedValue] {
        let members = try JSONParser.object(row, expecting: memberCount)
        memberCount = members.count
        return members
    }
}
