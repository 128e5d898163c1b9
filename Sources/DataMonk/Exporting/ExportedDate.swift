import Foundation

/// **Value.** Writes dates of ISO 8601 in UTC: `2026-11-24T02:15:00.25Z`. Foundation's formatter takes ten times as long, and
/// has milliseconds at most.
enum ExportedDate {
    /// Returns the text of a date, or `nil` if its year has not four digits.
    static func text(_ date: Date) -> String? {
        let interval = date.timeIntervalSinceReferenceDate
        // The years 0 to 9999.
        guard (-63_145_526_400..<252_423_993_600).contains(interval) else { return nil }
        let seconds = Int(interval.rounded(.down))
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let time = seconds - days * 86_400
        let (year, month, day) = civil(days)
        let clock = "\(padded(time / 3_600)):\(padded(time / 60 % 60)):\(padded(time % 60))"
        return "\(padded(year, 4))-\(padded(month))-\(padded(day))T\(clock)\(fraction(of: interval))Z"
    }

    /// Returns the fraction of a second with its point, of as many digits as a date keeps.
    private static func fraction(of interval: Double) -> String {
        let fraction = interval - interval.rounded(.down)
        let text = fraction.description
        if fraction == 0 || fraction >= 1 { return "" }
        if let point = text.firstIndex(of: "."), !text.contains("e") { return String(text[point...].prefix(16)) }
        let digits = String(Int((fraction * 1e15).rounded()))
        return digits == "0" ? "" : "." + String(repeating: "0", count: 15 - digits.utf8.count) + digits
    }

    private static func padded(_ number: Int, _ count: Int = 2) -> String {
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
