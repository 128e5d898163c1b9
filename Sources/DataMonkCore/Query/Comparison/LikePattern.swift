/// **Value.** LIKE's patterns: `*` is any text, `?` one Unicode scalar, `\` takes the next scalar as it is.
///
/// The match goes back to the latest star only, since an earlier one could not do better: time is at most text times
/// pattern. A pattern that begins again and again over long parts is refused when it has looked at each byte of the text
/// `maximumLooks` times, so that time is linear in the text.
package enum LikePattern {
    private static let star = UInt8(ascii: "*")
    private static let question = UInt8(ascii: "?")
    private static let backslash = UInt8(ascii: "\\")

    /// How often each byte of a text may be looked at; short texts may need more.
    private static let maximumLooks = 64

    /// Whether the whole text, in UTF-8, is of the pattern's form.
    ///
    /// - Throws: ``FetchError`` where it tries too many ways.
    package static func matches(
        _ text: UnsafeRawBufferPointer, _ pattern: UnsafeRawBufferPointer
    ) throws(FetchError) -> Bool {
        var looksLeft = budget(for: text)
        return try matches(text, pattern, looksLeft: &looksLeft)
    }

    /// How many looks a text allows.
    package static func budget(for text: UnsafeRawBufferPointer) -> Int { (1 << 20) + text.count * maximumLooks }

    /// - Parameter looksLeft: Is counted down.
    package static func matches(
        _ text: UnsafeRawBufferPointer, _ pattern: UnsafeRawBufferPointer, looksLeft: inout Int
    ) throws(FetchError) -> Bool {
        var place = 0
        var mark = 0
        // Behind the latest star in the pattern, and where in the text it stopped.
        var afterStar: (pattern: Int, text: Int)?
        while place < text.count || mark < pattern.count {
            looksLeft -= 1
            guard looksLeft > 0 else {
                throw FetchError(
                    .patternTooExpensive,
                    "The pattern of LIKE tries too many ways to match a value: write shorter parts between its stars.")
            }
            if mark < pattern.count, pattern[mark] == star {
                mark += 1
                afterStar = (mark, place)
                continue
            }
            if mark < pattern.count, place < text.count, step(text, &place, pattern, &mark) { continue }
            guard let (starMark, starPlace) = afterStar, starPlace < text.count else { return false }
            place = next(text, starPlace)
            mark = starMark
            afterStar = (starMark, place)
        }
        return true
    }

    /// Takes one scalar off both where they agree.
    private static func step(
        _ text: UnsafeRawBufferPointer, _ place: inout Int, _ pattern: UnsafeRawBufferPointer, _ mark: inout Int
    ) -> Bool {
        var expected = pattern[mark]
        if expected == question {
            place = next(text, place)
            mark += 1
            return true
        }
        var width = 1
        if expected == backslash, mark + 1 < pattern.count {
            expected = pattern[mark + 1]
            width = 2
        }
        guard text[place] == expected else { return false }
        place += 1
        mark += width
        return true
    }

    /// Where the scalar after the one at `place` starts.
    private static func next(_ text: UnsafeRawBufferPointer, _ place: Int) -> Int {
        var place = place + 1
        while place < text.count, text[place] & 0xC0 == 0x80 { place += 1 }
        return place
    }
}
