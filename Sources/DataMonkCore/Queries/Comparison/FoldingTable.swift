/// **Value.** The folded forms of the scalars of many scripts, for texts in which each scalar can be folded by itself. Texts
/// with other scalars are folded as a whole, which takes many times as long.
struct FoldingTable {
    /// The forms of the scalars of `scalars`, in their order: the number of UTF-8 bytes in the lowest byte, and up to seven
    /// bytes above it. `unknown` if the form depends on the text around the scalar.
    private let forms: [UInt64]
    private let ignoresCase: Bool
    private let isForSearch: Bool

    private static let unknown = UInt64.max
    private static let (low, high) = (UInt32(0x80)...0x7FF, UInt32(0x1E00)...0x2BFF)

    // Each is made when it is first used, which takes some milliseconds.
    private static let sortedByCase = FoldingTable(.diacriticInsensitive, isForSearch: false)
    private static let sortedByMarks = FoldingTable(.caseInsensitive, isForSearch: false)
    private static let sortedByLetters = FoldingTable([.caseInsensitive, .diacriticInsensitive], isForSearch: false)
    private static let foundByCase = FoldingTable(.diacriticInsensitive, isForSearch: true)
    private static let foundByMarks = FoldingTable(.caseInsensitive, isForSearch: true)
    private static let foundByLetters = FoldingTable([.caseInsensitive, .diacriticInsensitive], isForSearch: true)

    /// Returns the table of decomposed forms, or of composed ones for a search; `nil` if there is none for the options.
    static func table(_ options: Condition.Comparison.Options, isForSearch: Bool) -> FoldingTable? {
        switch (options.contains(.caseInsensitive), options.contains(.diacriticInsensitive)) {
        case (false, false): nil
        case (false, true): isForSearch ? foundByCase : sortedByCase
        case (true, false): isForSearch ? foundByMarks : sortedByMarks
        case (true, true): isForSearch ? foundByLetters : sortedByLetters
        }
    }

    private init(_ options: Condition.Comparison.Options, isForSearch: Bool) {
        self.isForSearch = isForSearch
        ignoresCase = options.contains(.caseInsensitive)
        forms = (Array(Self.low) + Self.high).map { value in
            guard let scalar = Unicode.Scalar(value) else { return Self.unknown }
            var form = TextFolding.foldWhole(String(scalar), options: options)
            if isForSearch { form = TextFolding.composed(form) }
            guard form.utf8.count <= 7 else { return Self.unknown }
            // A mark may change places with the marks before it, or compose with a letter.
            if let first = form.unicodeScalars.first, first.properties.canonicalCombiningClass != .notReordered {
                return Self.unknown
            }
            return form.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) } << 8 | UInt64(form.utf8.count)
        }
    }

    /// Returns the folded form of a text in UTF-8, or `nil` if the text has to be folded as a whole.
    func fold(_ text: UnsafeRawBufferPointer) -> String? {
        // Two bytes become at most seven; forms are written as eight bytes.
        let longScalarCount = text.reduce(0) { $0 &+ ($1 >= 0xC0 ? 1 : 0) }
        var isKnown = true
        let folded = String(unsafeUninitializedCapacity: text.count + 5 * longScalarCount + 8) { bytes in
            let end = write(text, to: UnsafeMutableRawBufferPointer(bytes))
            isKnown = end != nil
            return end ?? 0
        }
        return isKnown ? folded : nil
    }

    /// Returns the number of bytes written, or `nil` if a scalar has no form of its own.
    private func write(_ text: UnsafeRawBufferPointer, to bytes: UnsafeMutableRawBufferPointer) -> Int? {
        var end = 0
        var position = 0
        while position < text.count {
            let byte = text[position]
            if byte < 0x80 {
                bytes[end] = ignoresCase ? TextFolding.lowercase(byte) : byte
                end += 1
                position += 1
                continue
            }
            guard let (scalar, length) = Self.scalar(in: text, at: position) else { return nil }
            if let form = form(of: scalar) {
                if form == Self.unknown { return nil }
                bytes.storeBytes(of: form >> 8, toByteOffset: end, as: UInt64.self)
                end += Int(form & 0xFF)
            } else {
                guard isUnchanged(scalar) else { return nil }
                for index in position..<position + length {
                    bytes[end] = text[index]
                    end += 1
                }
            }
            position += length
        }
        return end
    }

    @inline(__always)
    private func form(of scalar: UInt32) -> UInt64? {
        if Self.low.contains(scalar) { return forms[Int(scalar - 0x80)] }
        if Self.high.contains(scalar) { return forms[Int(scalar - 0x1E00) + Self.low.count] }
        return nil
    }

    /// Returns `true` for scalars that no option changes, and that do not compose with the scalar before them.
    private func isUnchanged(_ scalar: UInt32) -> Bool {
        switch scalar {
        // Han, and symbols in pictures.
        case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0x1F000...0x1FAFF: true
        // Hiragana, katakana and hangul are decomposed, and composed again for a search.
        case 0x3041...0x3096, 0x30A1...0x30FA, 0xAC00...0xD7A3: isForSearch
        default: false
        }
    }

    /// Returns the scalar at a position, which is not ASCII, and the number of its bytes; `nil` if they are not valid.
    @inline(__always)
    private static func scalar(in text: UnsafeRawBufferPointer, at position: Int) -> (UInt32, length: Int)? {
        let first = UInt32(text[position])
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard first >= 0xC2, first < 0xF5, position + length <= text.count else { return nil }
        var scalar = first & (0xFF >> UInt32(length + 1))
        for index in position + 1..<position + length {
            let byte = text[index]
            guard byte & 0xC0 == 0x80 else { return nil }
            scalar = scalar << 6 | UInt32(byte & 0x3F)
        }
        // Longer than necessary, or a surrogate.
        if length == 3, scalar < 0x800 || scalar >= 0xD800 && scalar < 0xE000 { return nil }
        if length == 4, scalar < 0x10000 || scalar > 0x10FFFF { return nil }
        return (scalar, length)
    }
}
