import Foundation

/// **Value.** Reads dates of ISO 8601: `2026-11-24`, `2026-11-24T02:15:00Z`, `2026-11-24 02:15:00.250+01:00`. Without a zone
/// they are in UTC. Foundation's parser takes ten times as long, and knows none without a zone.
enum ImportedDate {
    static func date(_ text: String) -> Date? {
        var text = text
        return text.withUTF8 { bytes in
            var scanner = Scanner(bytes: bytes)
            return scanner.date()
        }
    }

    private struct Scanner {
        let bytes: UnsafeBufferPointer<UInt8>
        var place = 0

        mutating func date() -> Date? {
            guard let year = year(), skip("-"), let month = number(2), skip("-"), let day = number(2),
                (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day)
            else { return nil }
            let midnight = Self.daysSince2001(year, month, day) * 86_400
            if place == bytes.count { return Date(timeIntervalSinceReferenceDate: Double(midnight)) }
            guard skip("T") || skip("t") || skip(" "), let time = time(), let zone = zone(), place == bytes.count else {
                return nil
            }
            let whole = midnight + time.seconds - zone
            if whole == -1, time.fraction > 0 { return justBefore2001(time.digits) }
            // Whole seconds first: rounded once, the fraction is the one that was written.
            return Date(timeIntervalSinceReferenceDate: Double(whole) + time.fraction)
        }

        /// Returns a year of four digits, or one of more or before the year 0 with its sign.
        private mutating func year() -> Int? {
            let isNegative = bytes.first == UInt8(ascii: "-")
            guard skip("+") || skip("-") else { return number(4) }
            var count = 0
            while place + count < bytes.count, digit(at: place + count) != nil { count += 1 }
            guard (4...9).contains(count), let year = number(count) else { return nil }
            return isNegative ? -year : year
        }

        /// Returns the date in the last second before 2001 whose fraction has these digits.
        private func justBefore2001(_ digits: Range<Int>) -> Date? {
            let rest = ExportedDate.complement(of: String(decoding: bytes[digits], as: UTF8.self))
            return Double("-0.\(rest)").map { Date(timeIntervalSinceReferenceDate: $0) }
        }

        /// Returns the whole seconds since midnight, and the fraction of one with the place of its digits.
        private mutating func time() -> (seconds: Int, fraction: Double, digits: Range<Int>)? {
            guard let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60 else { return nil }
            let start = hour * 3_600 + minute * 60
            guard skip(":") else { return (start, 0, place..<place) }
            // A leap second is the first one of the next minute.
            guard let second = number(2), second <= 60 else { return nil }
            guard skip(".") || skip(",") else { return (start + second, 0, place..<place) }
            let first = place
            return fraction().map { (start + second, $0, first..<place) }
        }

        /// Returns the seconds east of Greenwich.
        private mutating func zone() -> Int? {
            if place == bytes.count || skip("Z") || skip("z") { return 0 }
            let sign: Int
            if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
            guard let hour = number(2), hour < 24 else { return nil }
            if place == bytes.count { return sign * hour * 3_600 }
            _ = skip(":")
            guard let minute = number(2), minute < 60 else { return nil }
            return sign * (hour * 3_600 + minute * 60)
        }

        private mutating func fraction() -> Double? {
            var (digits, scale) = (0.0, 1.0)
            let start = place
            while place < bytes.count, let digit = digit(at: place) {
                digits = digits * 10 + Double(digit)
                scale *= 10
                place += 1
            }
            // Up to here both are exact, and the quotient is the nearest number.
            if place - start <= 15 { return place == start ? nil : digits / scale }
            return Double("0." + String(decoding: bytes[start..<place], as: UTF8.self))
        }

        private mutating func number(_ count: Int) -> Int? {
            guard place + count <= bytes.count else { return nil }
            var number = 0
            for offset in 0..<count {
                guard let digit = digit(at: place + offset) else { return nil }
                number = number * 10 + digit
            }
            place += count
            return number
        }

        private func digit(at place: Int) -> Int? {
            let digit = bytes[place] &- UInt8(ascii: "0")
            return digit < 10 ? Int(digit) : nil
        }

        private mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
            place += 1
            return true
        }

        private static func days(in month: Int, of year: Int) -> Int {
            switch month {
            case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
            case 4, 6, 9, 11: 30
            default: 31
            }
        }

        /// Returns the days from 1 January 2001, in the Gregorian calendar.
        private static func daysSince2001(_ year: Int, _ month: Int, _ day: Int) -> Int {
            // Years that begin in March, so that a leap day is the last one.
            let shifted = month > 2 ? year : year - 1
            let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
            let leapDays = floor(shifted, 4) - floor(shifted, 100) + floor(shifted, 400)
            return shifted * 365 + leapDays + dayOfYear - 730_791
        }

        private static func floor(_ number: Int, _ divisor: Int) -> Int {
            (number >= 0 ? number : number - divisor + 1) / divisor
        }
    }
}
