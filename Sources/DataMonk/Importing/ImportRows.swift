/// **Value.** The rows of an import, made of other values and numbered in their order.
///
///     let rows = ImportRows(messages) { message, place in
///         ImportRow(at: place, values: ["id": .int(message.id), "text": .string(message.text)])
///     }
///     try await stack.importRows(Message.self, from: rows)
public struct ImportRows<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable {
    private let base: Base
    private let makeRow: @Sendable (Base.Element, ImportPlace) -> ImportRow

    /// Creates rows from the elements of a sequence.
    ///
    /// - Parameter makeRow: Makes a row of an element. It runs where the import reads, off the main actor.
    public init(_ base: Base, makeRow: @escaping @Sendable (Base.Element, ImportPlace) -> ImportRow) {
        self.base = base
        self.makeRow = makeRow
    }

    /// **Confined.** Makes the rows, one at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var base: Base.AsyncIterator
        private let makeRow: @Sendable (Base.Element, ImportPlace) -> ImportRow
        private var index = 0

        fileprivate init(_ rows: ImportRows) {
            base = rows.base.makeAsyncIterator()
            makeRow = rows.makeRow
        }

        /// Returns the next row, or `nil` at the end.
        public mutating func next() async throws -> ImportRow? { try await next(isolation: nil) }

        /// Returns the next row, or `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> ImportRow? {
            guard let element = try await base.next(isolation: actor) else { return nil }
            defer { index += 1 }
            return makeRow(element, ImportPlace(index: index))
        }
    }

    /// Returns an iterator that begins with the first row.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

@available(*, unavailable)
extension ImportRows.AsyncIterator: Sendable {}

extension ImportRows where Base.Element == [String: any Sendable] {
    /// Creates rows from dictionaries as decoders make them: numbers, texts, dates, arrays and dictionaries of such, and
    /// `NSNull` or `nil` for null.
    public init(dictionaries base: Base) {
        self.init(base) { ImportRow(at: $1, dictionary: $0) }
    }
}

extension ImportRows where Base.Element: Encodable {
    /// Creates rows from values that encode themselves: their coding keys are the names.
    public init(encoding base: Base) {
        self.init(base) { ImportRow(at: $1, encoding: $0) }
    }
}

/// **Value.** The elements of a sequence, as an asynchronous one.
struct SequenceRows<Base: Sequence & Sendable>: AsyncSequence, Sendable {
    let base: Base

    struct AsyncIterator: AsyncIteratorProtocol {
        var base: Base.Iterator

        mutating func next() async throws -> Base.Element? { base.next() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: base.makeIterator()) }
}
