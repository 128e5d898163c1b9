import Foundation

/// **Value.** Writes dates of ISO 8601 in UTC: `2026-11-24T02:15:00.25Z`. Foundation's formatter takes ten times as long, and
/// has milliseconds at most.
enum ExportedDate {
    /// Returns the text of a date, or `nil` for one that is millions of years away.
    static func text(_ date: Date) -> String? {
        let interval = date.timeIntervalSinceReferenceDate
        guard abs(interval) < 1e15 else { return nil }
        var whole = interval.rounded(.down)
        var fraction = interval - whole
        let isInLastSecond = interval > -1 && interval < 0
        // Just before a whole second the difference is rounded.
        if fraction >= 1, !isInLastSecond { (whole, fraction) = (whole + 1, 0) }
        let seconds = Int(whole)
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let time = seconds - days * 86_400
        let (year, month, dayOfMonth) = civil(days)
        let clock = "\(padded(time / 3_600)):\(padded(time / 60 % 60)):\(padded(time % 60))"
        let sign = (0...9999).contains(year) ? "" : year < 0 ? "-" : "+"
        let day = "\(sign)\(padded(abs(year), to: 4))-\(padded(month))-\(padded(dayOfMonth))"
        let end =
            isInLastSecond ? "." + complement(of: digits(of: -interval)) : text(ofFraction: fraction, after: whole)
        return "\(day)T\(clock)\(end)Z"
    }

    /// Returns the fraction of a second with its point: of 15 digits, unless the date is so near to 2001 that it has more.
    private static func text(ofFraction fraction: Double, after whole: Double) -> String {
        let rounded = (fraction * 1e15).rounded()
        if whole + rounded / 1e15 == whole + fraction, rounded < 1e15 {
            if rounded == 0 { return "" }
            var digits = padded(Int(rounded), to: 15)
            while digits.last == "0" { digits.removeLast() }
            return "." + digits
        }
        return "." + digits(of: fraction)
    }

    /// Returns the digits of a number between 0 and 1 after the point.
    private static func digits(of fraction: Double) -> String {
        let text = fraction.description
        guard let end = text.firstIndex(of: "e") else { return String(text.dropFirst(2)) }
        let zeros = -(Int(text[text.index(after: end)...]) ?? 0) - 1
        return String(repeating: "0", count: zeros) + text[..<end].filter { $0 != "." }
    }

    /// Returns the digits after the point of 1 minus a number, of which these are given. The last second before 2001 counts
    /// down to 0, so that dates in it have more digits than a difference of numbers keeps.
    static func complement(of digits: some StringProtocol) -> String {
        guard let last = digits.lastIndex(where: { $0 != "0" }) else { return "" }
        let others = digits[..<last].map { "\(9 - ($0.wholeNumberValue ?? 0))" }.joined()
        return others + "\(10 - (digits[last].wholeNumberValue ?? 0))"
    }

    private static func padded(_ number: Int, to count: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }

    /// Returns the day that comes so many days after 1 January 2001, in the Gregorian calendar.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        // Days since 1 March of the year 0, in eras of 400 years; years that begin in March have their leap day last.
        let shifted = days + 730_791
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        return (year, month < 10 ? month + 3 : month - 9, day)
    }
}
