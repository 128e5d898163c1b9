import Foundation

/// **Shared.** A compiled regular expression of MATCHES. It must match the whole text.
///
/// As with `NSPredicate`, multi-line text is not special: `.` matches line separators, and `^` and `$` match at the start
/// and the end of each line.
///
/// Foundation's engine gives up silently, and reports no match, when an expression takes too many steps. This type
/// therefore counts the steps and throws if there are too many. It also throws if the engine's stack overflows.
package final class RegularExpression: Sendable {
    private let expression: NSRegularExpression
    private let options: Condition.Comparison.Options

    /// The engine reports progress about every ten thousand steps; this many reports take about a tenth of a second.
    package static let maximumReports = 1_000

    private init(_ pattern: String, options: Condition.Comparison.Options) throws(FetchError) {
        let isFolded = options.contains(.diacriticInsensitive)
        let source = isFolded ? TextFolding.fold(pattern, options: .diacriticInsensitive) : pattern
        self.options = options
        var flags: NSRegularExpression.Options = [.dotMatchesLineSeparators, .anchorsMatchLines]
        if options.contains(.caseInsensitive) { flags.insert(.caseInsensitive) }
        do {
            // Compile the pattern alone first: "a)(b" would be legal between the parentheses.
            _ = try NSRegularExpression(pattern: source, options: flags)
            expression = try Self.anchored(source, flags)
        } catch {
            throw FetchError(
                .invalidPattern, "MATCHES requires a regular expression, but this text is not a valid one.",
                underlyingError: error)
        }
    }

    /// Compiles a valid pattern so that it matches from the start to the end.
    ///
    /// A pattern whose last part is a comment or a quotation, as in `(?x) a # letters` and `\Qa+b`, would swallow the
    /// parenthesis, and not compile: the end of the line or of the quotation then stands before it.
    private static func anchored(
        _ source: String, _ flags: NSRegularExpression.Options
    ) throws -> NSRegularExpression {
        do {
            return try NSRegularExpression(pattern: "\\A(?:\(source))\\z", options: flags)
        } catch {
            for end in ["\n", "\\E"] {
                // Reason for try?: the error that counts is that of the pattern without an addition.
                if let expression = try? NSRegularExpression(pattern: "\\A(?:\(source)\(end))\\z", options: flags) {
                    return expression
                }
            }
            throw error
        }
    }

    /// Returns `true` if the expression matches the whole text.
    package func matches(_ text: String) throws(FetchError) -> Bool {
        var reports = 0
        return try matches(text, reports: &reports)
    }

    /// - Parameter reports: The number of progress reports from the engine. The method increments it.
    package func matches(_ text: String, reports: inout Int) throws(FetchError) -> Bool {
        let text =
            options.contains(.diacriticInsensitive) ? TextFolding.fold(text, options: .diacriticInsensitive) : text
        var isMatch = false
        var count = 0
        var gaveUp = false
        let range = NSRange(location: 0, length: text.utf16.count)
        expression.enumerateMatches(in: text, options: [.reportProgress, .reportCompletion], range: range) {
            match, flags, stop in
            if match != nil {
                isMatch = true
                stop.pointee = true
            } else if flags.contains(.internalError) {
                gaveUp = true
            } else if flags.contains(.progress) {
                count += 1
                if count > Self.maximumReports {
                    gaveUp = true
                    stop.pointee = true
                }
            }
        }
        reports = count
        if gaveUp, !isMatch {
            throw FetchError(
                .patternTooExpensive,
                "The regular expression requires too much backtracking. Rewrite it without nested repetitions.")
        }
        return isMatch
    }
}

extension RegularExpression {
    /// Throws if the pattern is not a valid regular expression.
    static func check(_ pattern: String) throws(FetchError) { _ = try cached(pattern, options: []) }

    /// Returns the compiled pattern.
    ///
    /// Recent patterns are cached, since one pattern is compared with many rows. The cache is emptied when it holds
    /// `capacity` patterns.
    package static func cached(
        _ pattern: String, options: Condition.Comparison.Options
    ) throws(FetchError) -> RegularExpression {
        let key = Key(pattern: pattern, options: options)
        if let known = cache.withLock({ $0[key] }) { return known }
        let compiled = try RegularExpression(pattern, options: options)
        cache.withLock { cache in
            if cache.count >= capacity { cache.removeAll() }
            cache[key] = compiled
        }
        return compiled
    }

    private struct Key: Hashable {
        let pattern: String
        let options: Condition.Comparison.Options

        /// Compares bytes: texts that are equal in Swift may have other scalars, and the engine matches scalars.
        static func == (left: Key, right: Key) -> Bool {
            left.options == right.options && left.pattern.utf8.elementsEqual(right.pattern.utf8)
        }
    }

    private static let capacity = 64
    private static let cache = Locked<[Key: RegularExpression]>([:])
}
