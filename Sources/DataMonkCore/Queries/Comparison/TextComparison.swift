import Foundation

/// **Value.** Compares text by its UTF-8 bytes, or folded first.
package enum TextComparison {
    /// Returns the order of two texts.
    package static func order(
        _ left: String, _ right: String, options: Condition.Comparison.Options
    ) -> ValueComparison.Order {
        var left = left
        var right = right
        return left.withUTF8 { one in
            right.withUTF8 { other in
                order(UnsafeRawBufferPointer(one), UnsafeRawBufferPointer(other), options: options)
            }
        }
    }

    /// Returns the order of two texts in UTF-8. A database's collation calls this method.
    package static func order(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, options: Condition.Comparison.Options
    ) -> ValueComparison.Order {
        if options.isEmpty || left.isEmpty || right.isEmpty { return orderOfBytes(left, right) }
        if TextFolding.isASCII(left), TextFolding.isASCII(right) {
            return options.contains(.caseInsensitive) ? orderOfLetters(left, right) : orderOfBytes(left, right)
        }
        return order(TextFolding.fold(left, options: options), TextFolding.fold(right, options: options), options: [])
    }

    /// Returns `true` if a textual comparison holds.
    package static func compare(
        _ text: String, by operation: Condition.Comparison.Operator, with pattern: String,
        options: Condition.Comparison.Options
    ) throws(FetchError) -> Bool {
        if operation == .matches {
            return try RegularExpression.cached(pattern, options: options).matches(text)
        }
        if operation == .containsWords { return WordQuery.cached(pattern).matches(WordText(text)) }
        var text = options.isEmpty ? text : TextFolding.foldForSearch(text, options: options)
        var pattern = options.isEmpty ? pattern : TextFolding.foldForSearch(pattern, options: options)
        let result = text.withUTF8 { text in
            pattern.withUTF8 { pattern in
                Result { () throws(FetchError) in
                    try compareFolded(
                        UnsafeRawBufferPointer(text), by: operation, with: UnsafeRawBufferPointer(pattern))
                }
            }
        }
        return try result.get()
    }

    /// Returns `true` if a textual comparison other than MATCHES holds for data.
    static func compare(
        _ data: Data, by operation: Condition.Comparison.Operator, with pattern: Data,
        options: Condition.Comparison.Options
    ) throws(FetchError) -> Bool {
        let result = TextFolding.fold(data: data, options: options).withUnsafeBytes { data in
            TextFolding.fold(data: pattern, options: options).withUnsafeBytes { pattern in
                Result { () throws(FetchError) in try compareFolded(data, by: operation, with: pattern) }
            }
        }
        return try result.get()
    }

    /// Returns `true` if a textual comparison other than MATCHES holds for two texts, or two pieces of data, that are
    /// already folded. LIKE reads data as UTF-8.
    ///
    /// - Throws: ``FetchError`` if a pattern of LIKE takes too many attempts.
    package static func compareFolded(
        _ text: UnsafeRawBufferPointer, by operation: Condition.Comparison.Operator,
        with pattern: UnsafeRawBufferPointer
    ) throws(FetchError) -> Bool {
        switch operation {
        case .contains: return contains(text, part: pattern)
        // As in Core Data, nothing contains, starts with or ends with the empty text.
        case .beginsWith where pattern.isEmpty, .endsWith where pattern.isEmpty: return false
        case .beginsWith:
            return text.count >= pattern.count
                && areEqual(UnsafeRawBufferPointer(rebasing: text[..<pattern.count]), pattern)
        case .endsWith:
            return text.count >= pattern.count
                && areEqual(UnsafeRawBufferPointer(rebasing: text[(text.count - pattern.count)...]), pattern)
        case .like: return try LikePattern.matches(text, pattern: pattern)
        default: return orderOfBytes(text, pattern) == .same
        }
    }

    /// The maximum length of a part that is searched for by starting over at each position.
    ///
    /// Starting over is fastest for short parts, but takes too long for longer ones: for example, a thousand letters a and
    /// a b, in a million letters a.
    static let maximumRestarted = 64

    static func contains(_ text: UnsafeRawBufferPointer, part: UnsafeRawBufferPointer) -> Bool {
        if part.isEmpty { return false }
        if part.count > maximumRestarted { return containsLong(text, part: part) }
        return firstPlace(of: part, in: text) != nil
    }

    /// Returns the first position of a part of at most `maximumRestarted` bytes, or `nil` if there is none.
    static func firstPlace(of part: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer) -> Int? {
        guard let first = part.first, let last = part.last, let partStart = part.baseAddress,
            let start = text.baseAddress
        else { return nil }
        var place = start
        let end = start + text.count
        while end - place >= part.count, let next = memchr(place, Int32(first), end - place - part.count + 1) {
            let found = UnsafeRawPointer(next)
            // Most of those that begin alike end otherwise.
            if found.load(fromByteOffset: part.count - 1, as: UInt8.self) == last,
                memcmp(found, partStart, part.count) == 0
            {
                return found - start
            }
            place = found + 1
        }
        return nil
    }

    /// Uses the algorithm of Knuth, Morris and Pratt: it looks at each byte of the text only once.
    private static func containsLong(_ text: UnsafeRawBufferPointer, part: UnsafeRawBufferPointer) -> Bool {
        // The length of the prefix that still matches when the next byte does not.
        var shorter = [Int](repeating: 0, count: part.count)
        var matched = 0
        for index in 1..<part.count {
            while matched > 0, part[index] != part[matched] { matched = shorter[matched - 1] }
            if part[index] == part[matched] { matched += 1 }
            shorter[index] = matched
        }
        matched = 0
        for byte in text {
            while matched > 0, byte != part[matched] { matched = shorter[matched - 1] }
            if byte == part[matched] { matched += 1 }
            if matched == part.count { return true }
        }
        return false
    }

    private static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        orderOfBytes(left, right) == .same
    }

    private static func orderOfBytes(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> ValueComparison.Order {
        if let one = left.baseAddress, let other = right.baseAddress {
            let difference = memcmp(one, other, min(left.count, right.count))
            if difference != 0 { return difference < 0 ? .ascending : .descending }
        }
        return .init(isLess: left.count < right.count, isEqual: left.count == right.count)
    }

    private static func orderOfLetters(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> ValueComparison.Order {
        for index in 0..<min(left.count, right.count) {
            let one = TextFolding.lowercase(left[index])
            let other = TextFolding.lowercase(right[index])
            if one != other { return one < other ? .ascending : .descending }
        }
        return .init(isLess: left.count < right.count, isEqual: left.count == right.count)
    }
}
