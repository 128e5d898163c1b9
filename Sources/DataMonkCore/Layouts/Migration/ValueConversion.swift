public import Foundation

/// **Value.** A conversion of an attribute's values into another type.
///
/// ```swift
/// let yesOrNo = ValueConversion { value, _ in value == "yes" ? true : value == "no" ? false : nil }
/// ```
/// See ``PropertyMapping/converted(_:from:by:)``.
public struct ValueConversion: Sendable {
    private let body: @Sendable (ManagedValue, AttributeType) throws -> ManagedValue?

    /// Creates a conversion.
    ///
    /// - Parameter body: Gets a value other than null and the type to convert it to. Returns `nil` for a value that cannot be
    ///   converted, which ends the migration.
    public init(_ body: @escaping @Sendable (ManagedValue, AttributeType) throws -> ManagedValue?) { self.body = body }

    /// Returns the converted value, or `nil` if there is none. Null stays null.
    public func value(_ value: ManagedValue, as type: AttributeType) throws -> ManagedValue? {
        value.isNull ? .null : try body(value, type)
    }

    /// The default conversion: between numbers of all kinds, Booleans as 0 and 1, and strings that spell a number, a UUID or
    /// a URL. A conversion that would lose something, such as that of 2.5 to an integer, is none. A number with a fraction becomes
    /// the nearest Float of an attribute with this type.
    public static let standard = ValueConversion { value, type in
        switch type {
        case .integer16, .integer32, .integer64: integer(value).map { .int($0) }
        case .boolean: integer(value).flatMap { $0 == 0 ? .bool(false) : $0 == 1 ? .bool(true) : nil }
        case .double: number(value).map { .double($0) }
        case .float: float(value).map { .double($0) }
        case .decimal: decimal(value).map { .decimal($0) }
        case .string: text(value).map { .string($0) }
        case .uuid: text(value).flatMap(UUID.init(uuidString:)).map { .uuid($0) }
        case .uri: text(value).flatMap(url).map { .url($0) }
        case .date: if case .date = value { value } else { nil }
        default: if case .data = value { value } else { nil }
        }
    }

    /// The conversion of strings such as `2026-11-24T02:15:00Z` into dates, and back.
    public static let iso8601 = ValueConversion { value, type in
        switch (value, type) {
        case (.string(let text), .date): ISO8601Date.date(text).map { .date($0) }
        case (.date(let date), .string):
            date.timeIntervalSinceReferenceDate.isFinite ? .string(ISO8601Date.text(date)) : nil
        default: nil
        }
    }

    /// Returns the conversion of strings in a format into dates, and back.
    ///
    ///     .converted("birthday", by: .dates(format: "dd.MM.yyyy"))
    ///
    /// Both are converted if the way back leads to the same: a date that does not exist, such as `30.02.2026`, is not, nor is
    /// a string with more or fewer digits, or a date with a time for which the format has no place. So nothing is lost.
    ///
    /// - Parameters:
    ///   - format: The format, in the letters of Unicode's technical standard 35.
    ///   - timeZone: The time zone of the strings.
    ///   - locale: The locale, for names of months and days.
    public static func dates(
        format: String, timeZone: TimeZone = .gmt, locale: Locale = Locale(identifier: "en_US_POSIX")
    ) -> ValueConversion {
        let formatter = DateFormatter()
        formatter.calendar = Calendar(identifier: .gregorian)
        formatter.locale = locale
        formatter.timeZone = timeZone
        formatter.dateFormat = format
        let shared = Locked(formatter)
        return ValueConversion { value, type in
            shared.withLock { formatter -> ManagedValue? in
                switch (value, type) {
                case (.string(let text), .date):
                    formatter.date(from: text).flatMap { formatter.string(from: $0) == text ? .date($0) : nil }
                case (.date(let date), .string):
                    formatter.date(from: formatter.string(from: date)) == date
                        ? .string(formatter.string(from: date)) : nil
                default: nil
                }
            }
        }
    }

    // MARK: Values of one kind

    private static let locale = Locale(identifier: "en_US_POSIX")

    /// Returns the URL that a text spells; `nil` if some of its characters would be replaced.
    private static func url(_ text: String) -> URL? {
        URL(string: text).flatMap { $0.absoluteString == text ? $0 : nil }
    }

    private static func integer(_ value: ManagedValue) -> Int64? {
        switch value {
        case .int(let number): number
        case .bool(let isTrue): isTrue ? 1 : 0
        case .double(let number): Int64(exactly: number)
        case .decimal(let number): Int64(number.description)
        case .string(let text): Int64(text)
        default: nil
        }
    }

    private static func number(_ value: ManagedValue) -> Double? {
        switch value {
        case .double(let number): number
        case .decimal(let number):
            Double(number.description).flatMap { decimal(.double($0)) == number ? $0 : nil }
        case .string(let text): isDecimal(text) ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
        default: integer(value).flatMap { Double(exactly: $0) }
        }
    }

    /// An integer has to be exact.
    private static func float(_ value: ManagedValue) -> Double? {
        guard let number = number(value) else { return nil }
        let isInteger = number == number.rounded(.towardZero)
        return isInteger && Double(Float(number)) != number ? nil : number
    }

    /// Returns `true` for a number in decimal digits that no type of numbers has to round for their count.
    private static func isDecimal(_ text: String) -> Bool {
        let digits = text.utf8.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
        return (1...38).contains(digits)
            && text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) } && Double(text) != nil
    }

    private static func decimal(_ value: ManagedValue) -> Decimal? {
        switch value {
        case .decimal(let number): number
        case .double(let number): number.isFinite ? Decimal(string: number.description, locale: locale) : nil
        case .string(let text): isDecimal(text) ? Decimal(string: text, locale: locale) : nil
        default: integer(value).map { Decimal($0) }
        }
    }

    private static func text(_ value: ManagedValue) -> String? {
        switch value {
        case .string(let text): text
        case .int(let number): String(number)
        case .bool(let isTrue): isTrue ? "1" : "0"
        case .double(let number): number.description
        case .decimal(let number): number.description
        case .uuid(let identifier): identifier.uuidString
        case .url(let url): url.absoluteString
        default: nil
        }
    }
}
