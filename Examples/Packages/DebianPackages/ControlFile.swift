public import Foundation

/// **Value.** A file as dpkg and apt write them: paragraphs of `Name: value` lines with a blank line between them.
///
///     Package: adduser          <- a field
///     Depends: passwd,          <- a field whose value
///      debconf (>= 0.5)         <- goes on: the line begins with a space or a tab
///                               <- the end of the paragraph
///     Package: apt
///
/// A large file is cut into pieces first, so that several tasks can read it at once.
public struct ControlFile: Sendable {
    /// **Value.** A stretch of whole paragraphs.
    public struct Piece: Sendable {
        let range: Range<Int>
    }

    private let bytes: [UInt8]

    /// A file from its bytes.
    public init(_ data: Data) {
        bytes = [UInt8](data)
    }

    /// A file from its text.
    public init(_ text: String) {
        bytes = [UInt8](text.utf8)
    }

    /// Cuts the file behind blank lines into at most `count` pieces of about the same size.
    public func pieces(_ count: Int) -> [Piece] {
        let size = max(1, bytes.count / max(1, count))
        var pieces: [Piece] = []
        var start = 0
        while start < bytes.count {
            let end = pieces.count + 1 < count ? endOfParagraph(from: min(start + size, bytes.count)) : bytes.count
            pieces.append(Piece(range: start..<end))
            start = end
        }
        return pieces
    }

    /// Every paragraph of the file.
    public func paragraphs() throws(ControlFileError) -> [Paragraph] {
        try paragraphs(in: Piece(range: bytes.indices))
    }

    /// The paragraphs of one piece, in the file's order.
    public func paragraphs(in piece: Piece) throws(ControlFileError) -> [Paragraph] {
        var paragraphs: [Paragraph] = []
        var fields: [Paragraph.Field] = []
        var start = piece.range.lowerBound
        while start < piece.range.upperBound {
            let end = endOfLine(from: start)
            let content = trimmed(start..<end)
            if content.isEmpty {
                if let first = fields.first { paragraphs.append(paragraph(fields, at: first)) }
                fields = []
            } else if bytes[start] == .space || bytes[start] == .tab {
                guard let last = fields.indices.last else {
                    throw error(at: start, "it goes on with a value, but no field comes before it")
                }
                let start = fields[last].value.isEmpty ? content.lowerBound : fields[last].value.lowerBound
                fields[last].value = start..<content.upperBound
            } else if bytes[start] != .numberSign {
                fields.append(try field(content))
            }
            start = end + 1
        }
        if let first = fields.first { paragraphs.append(paragraph(fields, at: first)) }
        return paragraphs
    }

    /// The number, from 1, of the line that an offset lies in. Counted when it is asked for: only errors need it.
    public func lineNumber(at offset: Int) -> Int {
        1 + bytes[..<offset].count { $0 == .newline }
    }

    private func field(_ content: Range<Int>) throws(ControlFileError) -> Paragraph.Field {
        guard let colon = bytes[content].firstIndex(of: .colon), colon > content.lowerBound else {
            throw error(at: content.lowerBound, "it is neither `Name: value` nor the continuation of a value")
        }
        return Paragraph.Field(
            name: trimmed(content.lowerBound..<colon), value: trimmed(colon + 1..<content.upperBound))
    }

    private func paragraph(_ fields: [Paragraph.Field], at first: Paragraph.Field) -> Paragraph {
        Paragraph(bytes: bytes, offset: first.name.lowerBound, fields: fields)
    }

    private func error(at offset: Int, _ message: String) -> ControlFileError {
        ControlFileError(line: lineNumber(at: offset), message: message)
    }

    /// Behind the first blank line that begins after `offset`, or the end of the file.
    private func endOfParagraph(from offset: Int) -> Int {
        var end = endOfLine(from: offset)
        while end < bytes.count {
            let next = endOfLine(from: end + 1)
            if trimmed(end + 1..<next).isEmpty { return min(next + 1, bytes.count) }
            end = next
        }
        return bytes.count
    }

    /// The next newline at or after `offset`, or the end of the file.
    private func endOfLine(from offset: Int) -> Int {
        // `firstIndex(of:)` says the same, but takes far longer in a debug build, which is what `swift run` makes.
        bytes.withUnsafeBytes { buffer in
            guard offset < buffer.count, let start = buffer.baseAddress,
                let newline = memchr(start + offset, Int32(UInt8.newline), buffer.count - offset)
            else { return buffer.count }
            return UnsafeRawPointer(newline) - start
        }
    }

    /// A range without the spaces, tabs and carriage returns at its ends.
    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, bytes[end - 1].isBlank { end -= 1 }
        while start < end, bytes[start].isBlank { start += 1 }
        return start..<end
    }
}
