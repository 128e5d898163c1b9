import DataMonkCore
import Foundation

extension JSONParser {
    /// Reads a number: an integer of 64 bits, or else the `Double` that has its digits, or else the `Decimal`.
    mutating func number() throws(RowProblem) -> ManagedValue {
        let start = place
        let isNegative = take(UInt8(ascii: "-"))
        var digits = NumberDigits()
        let first = place
        digits.add(takeDigits())
        if place == first || (bytes[first] == UInt8(ascii: "0") && place > first + 1) {
            throw problem("This is no JSON number: one digit or more, and the first of several is not 0.", at: start)
        }
        if peek != UInt8(ascii: "."), peek != UInt8(ascii: "e"), peek != UInt8(ascii: "E") {
            if let integer = digits.integer(isNegative: isNegative) { return .int(integer) }
            return try inexactNumber(from: start)
        }
        if take(UInt8(ascii: ".")) {
            let fraction = takeDigits()
            if fraction.isEmpty { throw problem("A digit is expected after a number's point.", at: place) }
            digits.add(fraction)
            digits.exponent = -fraction.count
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) { digits.add(exponent: try exponent()) }
        if let number = digits.double(isNegative: isNegative) { return .double(number) }
        return try inexactNumber(from: start)
    }

    private mutating func takeDigits() -> Slice<UnsafeBufferPointer<UInt8>> {
        let start = place
        while place < bytes.count, bytes[place] &- UInt8(ascii: "0") < 10 { place += 1 }
        return bytes[start..<place]
    }

    private mutating func exponent() throws(RowProblem) -> Int {
        let isNegative = take(UInt8(ascii: "-"))
        if !isNegative { _ = take(UInt8(ascii: "+")) }
        let digits = takeDigits()
        if digits.isEmpty { throw problem("A digit is expected in a number's exponent.", at: place) }
        let size = digits.reduce(0) { min($0 * 10 + Int($1 - UInt8(ascii: "0")), NumberDigits.exponentLimit) }
        return isNegative ? -size : size
    }

    /// Returns a number that needs more care than most: with many digits, or with a large exponent.
    private func inexactNumber(from start: Int) throws(RowProblem) -> ManagedValue {
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        let written = PlainNumber(text)
        if let number = Double(text), number.isFinite, PlainNumber(number.description) == written {
            return .double(number)
        }
        if let number = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")),
            PlainNumber(number.description) == written
        {
            return .decimal(number)
        }
        throw problem(
            "No Double and no Decimal keeps this number as it is written. Round it, or write it as text.", at: start)
    }
}

/// **Value.** The digits of a number while it is read.
private struct NumberDigits {
    /// A power of ten that no number has.
    static let exponentLimit = 1_000_000

    private var value: UInt64 = 0
    /// The number of digits from the first that is not 0 on.
    private var count = 0
    var exponent = 0

    mutating func add(_ digits: Slice<UnsafeBufferPointer<UInt8>>) {
        for byte in digits {
            let digit = UInt64(byte - UInt8(ascii: "0"))
            if count > 0 || digit > 0 { count += 1 }
            value = value &* 10 &+ digit
        }
    }

    mutating func add(exponent more: Int) { exponent += more }

    func integer(isNegative: Bool) -> Int64? {
        // 19 digits always fit into the 64 bits without a sign.
        guard count <= 19 else { return nil }
        if isNegative { return value <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- value) : nil }
        return Int64(exactly: value)
    }

    /// Returns the double with exactly these digits. A double keeps any 15 digits, and the product or quotient of two numbers
    /// that it keeps exactly is rounded once, so that it is the nearest one.
    func double(isNegative: Bool) -> Double? {
        if count == 0 { return isNegative ? -0.0 : 0 }
        guard count <= 15, abs(exponent) < Self.powers.count else { return nil }
        let power = Self.powers[abs(exponent)]
        let number = exponent < 0 ? Double(value) / power : Double(value) * power
        return isNegative ? -number : number
    }

    /// The powers of ten that a double keeps exactly.
    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
