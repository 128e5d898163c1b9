/// **Value.** A number in one form of several: its digits without zeros at both ends, and the power of ten of the last.
struct PlainNumber: Hashable {
    private var isNegative = false
    private var digits: [UInt8] = []
    private var exponent = 0

    /// Reads a number as JSON, `Double` and `Decimal` write it.
    init(_ text: String) {
        var rest = Substring(text).utf8[...]
        isNegative = rest.first == UInt8(ascii: "-")
        if let place = rest.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
            exponent = Int(String(Substring(rest[rest.index(after: place)...]))) ?? .max
            rest = rest[..<place]
        }
        let point = rest.firstIndex(of: UInt8(ascii: ".")) ?? rest.endIndex
        // A number of a length or an exponent beyond counting equals none that a double or a decimal writes.
        let fraction = max(0, rest[point...].count - 1)
        exponent = exponent.subtractingReportingOverflow(fraction).partialValue
        digits = Array(rest.filter { $0 &- UInt8(ascii: "0") < 10 }.drop { $0 == UInt8(ascii: "0") })
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent = exponent.addingReportingOverflow(1).partialValue
        }
        if digits.isEmpty { exponent = 0 }
    }

    var isZero: Bool { digits.isEmpty }

    /// Indicates whether the number is an integer.
    var isWhole: Bool { exponent >= 0 }

    /// The number without an exponent, or `nil` for one with very many digits.
    var text: String? {
        guard abs(exponent) <= 64, digits.count <= 64 else { return nil }
        let sign = isNegative ? "-" : ""
        if exponent >= 0 {
            let whole = digits + Array(repeating: UInt8(ascii: "0"), count: exponent)
            return sign + (isZero ? "0" : String(decoding: whole, as: UTF8.self))
        }
        let missing = max(0, 1 - exponent - digits.count)
        let padded = Array(repeating: UInt8(ascii: "0"), count: missing) + digits
        let point = padded.count + exponent
        let (whole, fraction) = (padded[..<point], padded[point...])
        return "\(sign)\(String(decoding: whole, as: UTF8.self)).\(String(decoding: fraction, as: UTF8.self))"
    }
}
