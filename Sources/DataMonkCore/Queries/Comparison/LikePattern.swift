import Foundation

/// **Value.** The patterns of LIKE: `*` matches any text, `?` matches one Unicode scalar, and `\` escapes the next scalar.
///
/// Matching backtracks only to the latest star, since an earlier star could not do better. The time is at most proportional
/// to the product of the lengths of text and pattern. A pattern that restarts again and again over long parts is refused
/// after `maximumStepsPerByte` steps for each byte of the text, so the time is linear in the length of the text. The search for
/// a part without wildcards is a single step, and looks at each byte at most `TextComparison.maximumRestarted` times.
package enum LikePattern {
    private static let star = UInt8(ascii: "*")
    private static let question = UInt8(ascii: "?")
    private static let backslash = UInt8(ascii: "\\")

    /// The number of steps for each byte of a text. Short texts may need more.
    private static let maximumStepsPerByte = 64

    /// Returns `true` if the whole text, in UTF-8, matches the pattern.
    ///
    /// - Throws: ``FetchError`` if the pattern takes too many attempts.
    package static func matches(
        _ text: UnsafeRawBufferPointer, pattern: UnsafeRawBufferPointer
    ) throws(FetchError) -> Bool {
        var stepsLeft = budget(for: text)
        return try matches(text, pattern: pattern, stepsLeft: &stepsLeft)
    }

    /// The number of steps that a text allows.
    package static func budget(for text: UnsafeRawBufferPointer) -> Int { (1 << 20) + text.count * maximumStepsPerByte }

    /// - Parameter stepsLeft: The remaining number of steps. The method decrements it.
    package static func matches(
        _ text: UnsafeRawBufferPointer, pattern: UnsafeRawBufferPointer, stepsLeft: inout Int
    ) throws(FetchError) -> Bool {
        var place = 0
        var mark = 0
        // Just after the latest star: the position in the pattern, the length of what follows it literally, and the position
        // in the text where that begins.
        var afterStar: (pattern: Int, length: Int, text: Int)?
        while place < text.count || mark < pattern.count {
            stepsLeft -= 1
            guard stepsLeft > 0 else {
                throw FetchError(
                    .patternTooExpensive,
                    "The LIKE pattern requires too much backtracking. Write shorter parts between its wildcards.")
            }
            if mark < pattern.count, pattern[mark] == star {
                mark += 1
                if mark == pattern.count { return true }
                afterStar = (mark, literalLength(of: pattern, at: mark), place)
            } else if mark < pattern.count, place < text.count, step(text, at: &place, pattern: pattern, mark: &mark) {
                continue
            } else if let latest = afterStar, latest.text < text.count {
                afterStar?.text = next(in: text, after: latest.text)
            } else {
                return false
            }
            guard let (start, length, from) = afterStar,
                let found = firstStart(in: text, from: from, of: pattern, at: start, length: length)
            else { return false }
            afterStar?.text = found
            place = found + length
            mark = start + length
        }
        return true
    }

    /// Returns the length of the part at `mark` that has no wildcard and can be searched for as a whole; 0 for none.
    private static func literalLength(of pattern: UnsafeRawBufferPointer, at mark: Int) -> Int {
        // Inside of a scalar no part begins.
        if pattern[mark] & 0xC0 == 0x80 { return 0 }
        // No further than needed: this is done for each of many texts.
        let limit = min(pattern.count, mark + TextComparison.maximumRestarted + 1)
        var end = mark
        while end < limit, pattern[end] != star, pattern[end] != question, pattern[end] != backslash { end += 1 }
        return end - mark <= TextComparison.maximumRestarted ? end - mark : 0
    }

    /// Returns the first position, at `place` or after it, where the pattern's part at `mark` can begin; `nil` if there is
    /// none.
    ///
    /// - Parameter length: The number of bytes from `mark` on that have to be there.
    private static func firstStart(
        in text: UnsafeRawBufferPointer, from place: Int, of pattern: UnsafeRawBufferPointer, at mark: Int, length: Int
    ) -> Int? {
        if length > 0 {
            let part = UnsafeRawBufferPointer(rebasing: pattern[mark..<mark + length])
            let rest = UnsafeRawBufferPointer(rebasing: text[place...])
            return TextComparison.firstPlace(of: part, in: rest).map { place + $0 }
        }
        var first = pattern[mark]
        if first == backslash, mark + 1 < pattern.count {
            first = pattern[mark + 1]
        } else if first == star || first == question {
            return place
        }
        // Inside of a scalar no part begins.
        if first & 0xC0 == 0x80 { return place }
        guard place < text.count, let start = text.baseAddress,
            let found = memchr(start + place, Int32(first), text.count - place)
        else { return nil }
        return UnsafeRawPointer(found) - start
    }

    /// Consumes one scalar of each, if they are equal.
    private static func step(
        _ text: UnsafeRawBufferPointer, at place: inout Int, pattern: UnsafeRawBufferPointer, mark: inout Int
    ) -> Bool {
        var expected = pattern[mark]
        if expected == question {
            place = next(in: text, after: place)
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

    /// Returns the position of the scalar after the one at `place`.
    private static func next(in text: UnsafeRawBufferPointer, after place: Int) -> Int {
        var place = place + 1
        while place < text.count, text[place] & 0xC0 == 0x80 { place += 1 }
        return place
    }
}
