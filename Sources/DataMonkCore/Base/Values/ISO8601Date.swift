import Foundation

/// **Value.** Dates as texts of ISO 8601 in UTC: `2026-11-24T02:15:00Z`. A fraction of a second follows in nanoseconds, of which a date has
/// fewer: no date is lost.
enum ISO8601Date {
    static func text(_ date: Date) -> String {
        var whole = date.timeIntervalSinceReferenceDate.rounded(.down)
        var nanoseconds = Int(((date.timeIntervalSinceReferenceDate - whole) * 1e9).rounded())
        if nanoseconds == 1_000_000_000 { (whole, nanoseconds) = (whole + 1, 0) }
        let text = Date(timeIntervalSinceReferenceDate: whole).ISO8601Format()
        guard nanoseconds > 0, text.hasSuffix("Z") else { return text }
        let digits = String(nanoseconds)
        return "\(text.dropLast()).\(String(repeating: "0", count: max(0, 9 - digits.count)))\(digits)Z"
    }

    static func date(_ text: String) -> Date? {
        guard let dot = text.firstIndex(of: "."), text.hasSuffix("Z") else {
            // Reason for try?: the caller tells of an invalid date.
            return try? Date(text, strategy: .iso8601)
        }
        let digits = text[dot...].dropLast()
        guard digits.count > 1, digits.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }),
            let fraction = Double("0\(digits)"),
            // Reason for try?: as above.
            let whole = try? Date("\(text[..<dot])Z", strategy: .iso8601)
        else { return nil }
        return whole.addingTimeInterval(fraction)
    }
}
