/// **Value.** The variant of CSV that a table is read or written in.
///
///     let rows = CSVRows(.file(url), format: CSVFormat(delimiter: .semicolon))
///
/// Cells stand between delimiters. A cell in quotation marks may have delimiters, line breaks and, doubled, quotation marks in
/// it, as in RFC 4180. Lines end with CR LF, LF or CR.
public struct CSVFormat: Sendable, Hashable {
    /// **Value.** The character between two cells.
    public enum Delimiter: Character, Sendable, Hashable, CaseIterable {
        /// A comma, as RFC 4180 has it.
        case comma = ","
        /// A semicolon, as spreadsheets write it where a comma is the sign of decimals.
        case semicolon = ";"
        /// A tab stop.
        case tab = "\t"
        /// A vertical bar.
        case bar = "|"
    }

    /// **Value.** The meaning of a cell without a character.
    public enum EmptyCell: Sendable, Hashable {
        /// No value; in quotation marks, an empty text. So null and an empty text can be told apart.
        case nullUnlessQuoted
        /// No value, in quotation marks as well, for files in which every cell has them.
        case null
        /// An empty text.
        case text
    }

    /// **Value.** The end of a line that is written. All are read.
    public enum LineEnd: String, Sendable, Hashable {
        /// CR LF, as RFC 4180 has it.
        case crlf = "\r\n"
        /// LF.
        case lf = "\n"
    }

    /// The character between two cells.
    public var delimiter: Delimiter
    /// The meaning of a cell without a character, when it is read.
    public var emptyCells: EmptyCell
    /// The end of a line that is written.
    public var lineEnd: LineEnd

    /// Creates a variant.
    public init(
        delimiter: Delimiter = .comma, emptyCells: EmptyCell = .nullUnlessQuoted, lineEnd: LineEnd = .crlf
    ) {
        self.delimiter = delimiter
        self.emptyCells = emptyCells
        self.lineEnd = lineEnd
    }
}

extension CSVFormat.Delimiter {
    /// The character's byte.
    var byte: UInt8 {
        switch self {
        case .comma: UInt8(ascii: ",")
        case .semicolon: UInt8(ascii: ";")
        case .tab: UInt8(ascii: "\t")
        case .bar: UInt8(ascii: "|")
        }
    }
}
