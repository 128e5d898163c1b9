/// **Value.** A text as the words of a search see it: each word folded, with one space before it and one after the last.
///
///     "The Café's  R2-D2"      →      " the cafe s r2 d2 "
///
/// A word is a run of letters and numbers of any script; everything else separates words. Upper case and diacritical marks
/// are ignored, by the tables of ``WordTable``. No word contains a space, so words in a row are found as a part of the bytes.
package struct WordText {
    /// The words in UTF-8, with spaces around each; empty if there are none.
    package let bytes: [UInt8]

    /// Longer words are cut, as an index does.
    private static let maximumWord = 32_768

    package init(_ text: String) {
        var text = text
        self = text.withUTF8 { WordText(UnsafeRawBufferPointer($0)) }
    }

    package init(_ text: UnsafeRawBufferPointer) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count + 2)
        var start: Int?
        var decoder = UTF8()
        var rest = text.makeIterator()
        decoding: while true {
            switch decoder.decode(&rest) {
            case .emptyInput: break decoding
            case .error: Self.end(&start, in: &bytes)
            case .scalarValue(let scalar): Self.add(scalar, &start, to: &bytes)
            }
        }
        Self.end(&start, in: &bytes)
        self.bytes = bytes
    }

    /// Adds a scalar to the word that begins at `start`, begins a word, or ends one.
    private static func add(_ scalar: Unicode.Scalar, _ start: inout Int?, to bytes: inout [UInt8]) {
        if let folded = folded(scalar) {
            if start == nil {
                if bytes.isEmpty { bytes.append(space) }
                start = bytes.count
            }
            bytes.append(contentsOf: UTF8.encode(folded) ?? UTF8.encodedReplacementCharacter)
        } else if start == nil || !WordTable.isMark(scalar.value) {
            end(&start, in: &bytes)
        }
    }

    /// Ends the word that begins at `start`, if there is one.
    private static func end(_ start: inout Int?, in bytes: inout [UInt8]) {
        guard let first = start else { return }
        if bytes.count - first > maximumWord { bytes.removeLast(bytes.count - first - maximumWord) }
        bytes.append(space)
        start = nil
    }

    private static let space = UInt8(ascii: " ")

    /// Returns the folded form of a letter or a number; `nil` for what separates words.
    private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard scalar.isASCII else { return WordTable.folded(scalar.value).flatMap(Unicode.Scalar.init) }
        switch scalar {
        case "a"..."z", "0"..."9": return scalar
        case "A"..."Z": return Unicode.Scalar(scalar.value + 0x20)
        default: return nil
        }
    }
}
