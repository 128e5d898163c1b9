import Foundation

/// **Value.** The types of constants that a format string writes as a CAST of a simpler one, under Foundation's names.
enum FormatCast: String, CaseIterable {
    /// From seconds since 2001.
    case date = "NSDate"
    /// From text.
    case uuid = "NSUUID"
    /// From text.
    case url = "NSURL"
    /// From hexadecimal text.
    case data = "NSData"
    /// From text.
    case decimal = "NSDecimalNumber"
    /// From text, for numbers without digits.
    case double = "NSNumber"

    func value(of constant: ManagedValue) -> ManagedValue? {
        switch (self, constant) {
        case (.date, .double(let seconds)): .date(Date(timeIntervalSinceReferenceDate: seconds))
        case (.date, .int(let seconds)): .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case (.uuid, .string(let text)): UUID(uuidString: text).map { .uuid($0) }
        case (.url, .string(let text)): URL(string: text).map { .url($0) }
        case (.data, .string(let text)): Data(hexadecimal: text).map { .data($0) }
        case (.decimal, .string(let text)):
            Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")).map { .decimal($0) }
        case (.decimal, .int(let number)): .decimal(Decimal(number))
        case (.double, .string(let text)): Double(text).map { .double($0) }
        case (.double, .int(let number)): .double(Double(number))
        case (.double, .double): constant
        default: nil
        }
    }
}

extension Data {
    fileprivate init?(hexadecimal text: String) {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        self.init(capacity: digits.count / 2)
        for start in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[start..<start + 2], as: UTF8.self), radix: 16) else {
                return nil
            }
            append(byte)
        }
    }
}
