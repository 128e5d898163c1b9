package import Foundation

// A Core Data file stores a decimal as a SQLite number: a 64-bit integer or a double. A value that is set is rounded to
// that immediately, so that the object, every store and every condition have the same number.

extension Decimal {
    /// The largest magnitude that a store can hold. Foundation reads no larger number from text.
    package static let greatestStoredMagnitude = Decimal(sign: .plus, exponent: 100, significand: 1)

    /// The decimal as a store holds it.
    ///
    /// A 64-bit integer is unchanged. Any other number has the fewest digits that distinguish its nearest double from
    /// others, at most 17. Below 1e-100 it is zero. `nil` for NaN, and beyond ``greatestStoredMagnitude``.
    package var stored: Decimal? {
        guard isStorable else { return nil }
        if wholeValue != nil { return self }
        return Decimal(representing: doubleValue) ?? .zero
    }

    /// A Boolean value indicating whether a store can hold the number after rounding.
    package var isStorable: Bool { !isNaN && magnitude <= Self.greatestStoredMagnitude }

    /// The text of the decimal in a row: rounded as by a store, or `NaN` for a number that no store can hold.
    var storedText: String {
        let text = description
        // A double represents every number of 15 digits.
        if text.utf8.count <= 16 { return text }
        return stored.map(\.description) ?? Self.nan.description
    }
}

/// **Value.** A decimal of a row as SQLite stores it.
///
/// SQLite's own conversion of text to a double is off in the last digit for one number in several thousand (seen with
/// 3.40.1), so SQLite is given the number.
package enum StoredDecimal: Hashable, Sendable {
    case integer(Int64)
    case real(Double)

    /// Creates the number represented by the text of a row, or NaN for invalid text.
    package init(text bytes: UnsafeRawBufferPointer) {
        if let plain = Self(plain: bytes) {
            self = plain
            return
        }
        let text = String(decoding: bytes, as: UTF8.self)
        self = Int64(text).map { .integer($0) } ?? .real(Double(text) ?? .nan)
    }

    /// Creates a number from digits, optionally with a sign and a point, if a double represents both the digits and the
    /// power of ten exactly. Their quotient is then the nearest double.
    private init?(plain bytes: UnsafeRawBufferPointer) {
        guard (1...17).contains(bytes.count) else { return nil }
        let isNegative = bytes[0] == UInt8(ascii: "-")
        var number: Int64 = 0
        var places: Int?
        for byte in isNegative ? bytes[1...] : bytes[...] {
            if byte == UInt8(ascii: "."), places == nil {
                places = 0
                continue
            }
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number &* 10 &+ Int64(digit)
            places = places.map { $0 + 1 }
        }
        if isNegative { number = -number }
        guard let places else {
            self = .integer(number)
            return
        }
        guard abs(number) <= 1 << 53 else { return nil }
        self = .real(Double(number) / Self.powersOfTen[places])
    }

    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    ]
}
