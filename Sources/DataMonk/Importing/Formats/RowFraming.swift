import DataMonkCore

/// A grammar that finds the rows in bytes, which arrive in parts.
///
/// It remembers how far it has looked, so that each byte is looked at once, however many parts a row arrives in.
protocol RowFraming: Sendable {
    /// Indicates whether rows have texts alone, whatever their values are.
    static var hasCells: Bool { get }

    /// Returns what else is to be said of a faulty row of so many lines, with a blank before it.
    static func remark(onLines count: Int) -> String

    /// Looks at bytes, the first of which is the first that no row has had yet.
    ///
    /// - Parameter isComplete: A Boolean value indicating whether nothing comes after the bytes.
    /// - Throws: ``RowProblem`` if the bytes cannot be divided into rows; no further row is found then.
    mutating func frame(_ bytes: UnsafeBufferPointer<UInt8>, isComplete: Bool) throws(RowProblem) -> RowFrame

    /// Gives up the bytes of a row that were looked at, since the row is too large to be kept; its end will be found all the
    /// same.
    ///
    /// - Returns: Their number.
    mutating func forget() -> Int

    /// Returns the values of the row that was found last.
    mutating func values(of row: UnsafeBufferPointer<UInt8>) throws(RowProblem) -> [String: ManagedValue]
}

extension RowFraming {
    static var hasCells: Bool { false }
    static func remark(onLines count: Int) -> String { "" }
}

/// **Value.** The beginning of the bytes that a grammar has looked at.
enum RowFrame: Hashable {
    /// A row of so many bytes; with what follows it, so many are used.
    case row(length: Int, used: Int)
    /// Bytes between rows.
    case between(used: Int)
    /// A part of something. More bytes are needed, or there are none left.
    case incomplete
    /// The end of all rows.
    case end
}
