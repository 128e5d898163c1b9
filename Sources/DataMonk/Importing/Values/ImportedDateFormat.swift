import DataMonkCore
import Foundation

/// **Shared.** The form of a date in a row.
enum ImportedDateFormat: Sendable {
    /// ISO 8601 as text, or seconds since 1970 as a number.
    case standard
    /// Milliseconds since 1970, as a number or its text, or ISO 8601; MagicalRecord's `UnixTime`.
    case milliseconds
    /// A pattern of Unicode Technical Standard 35, such as `yyyy-MM-dd`. Without a time zone in it, UTC.
    case pattern(Pattern)

    /// **Shared.** A formatter, which is used by one at a time.
    final class Pattern: Sendable {
        private let formatter: Locked<DateFormatter>
        /// Indicates whether texts in the pattern may have a T, as those of ISO 8601 have before the time.
        private let hasTime: Bool

        init(_ text: String) {
            hasTime = text.contains("T")
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = TimeZone(secondsFromGMT: 0)
            formatter.dateFormat = text
            formatter.isLenient = false
            self.formatter = Locked(formatter)
        }

        /// Returns the date of a text in the pattern, or of one in ISO 8601 with a time, unless that could be the pattern.
        func date(_ text: String) -> Date? {
            let iso = text.contains("T") ? ImportedDate.date(text) : nil
            if let iso, !hasTime { return iso }
            return formatter.withLock { $0.date(from: text) } ?? iso
        }

        /// Returns the text of a date, or `nil` if the pattern would lose a part of it.
        func text(_ date: Date) -> String? {
            formatter.withLock { formatter in
                let text = formatter.string(from: date)
                return formatter.date(from: text) == date ? text : nil
            }
        }

        /// Indicates whether the formatter reads what it writes.
        var isUsable: Bool {
            formatter.withLock { $0.date(from: $0.string(from: Date(timeIntervalSinceReferenceDate: 0))) != nil }
        }
    }

    /// The name of milliseconds since 1970.
    static let unixTime = "UnixTime"

    /// The letters that a pattern may have outside of quotes.
    private static let letters = Set("GyYuUrQqMLlwWdDFgEecabBhHKkjJmsSAzZOvVXx")

    /// Returns `nil` for a text that is no format.
    init?(_ text: String) {
        if text == Self.unixTime {
            self = .milliseconds
            return
        }
        var isQuoted = false
        for letter in text {
            if letter == "'" { isQuoted.toggle() }
            if !isQuoted, letter.isASCII, letter.isLetter, !Self.letters.contains(letter) { return nil }
        }
        let pattern = Pattern(text)
        guard !isQuoted, !text.isEmpty, pattern.isUsable else { return nil }
        self = .pattern(pattern)
    }

    /// Returns the date of a value, or `nil` if the value has another form.
    func date(_ value: ManagedValue) -> Date? {
        switch (self, value) {
        case (_, .date(let date)): return date
        case (.pattern(let pattern), .string(let text)): return pattern.date(text)
        case (.pattern, _): return nil
        case (.standard, .string(let text)): return ImportedDate.date(text)
        case (.milliseconds, .string(let text)):
            return ImportedNumber.double(text).flatMap { Self.date(since1970: $0 / 1_000) } ?? ImportedDate.date(text)
        case (.standard, _): return Double(managedValue: value).flatMap(Self.date(since1970:))
        case (.milliseconds, _): return Double(managedValue: value).flatMap { Self.date(since1970: $0 / 1_000) }
        }
    }

    /// Returns the number of milliseconds since 1970, rounded as a `Double` is.
    static func milliseconds(of date: Date) -> Double { date.timeIntervalSince1970 * 1_000 }

    /// Returns `true` if the milliseconds of a date give the same date again.
    static func millisecondsKeep(_ date: Date) -> Bool {
        self.date(since1970: milliseconds(of: date) / 1_000) == date
    }

    private static func date(since1970 seconds: Double) -> Date? {
        seconds.isFinite ? Date(timeIntervalSince1970: seconds) : nil
    }
}
