import Foundation

/// **Value.** Numbers and the texts that rows have of them.
enum ImportedNumber {
    private static let decimalSigns = Array("0123456789+-.eE".utf8)

    /// Returns `true` for the text of a number with decimal digits: `Double` reads hexadecimal ones, too. No store holds NaN,
    /// and a number that is too large is not infinite: only the words of exports are.
    static func isNumber(_ text: String) -> Bool {
        if text == "inf" || text == "-inf" { return true }
        return text.utf8.allSatisfy { decimalSigns.contains($0) } && Double(text)?.isFinite == true
    }

    /// Returns the number of a text, or `nil` if there is none: for an integer that would have other digits, and for a number
    /// so small that it would be 0. A fraction is rounded.
    static func double(_ text: String) -> Double? {
        guard isNumber(text), let number = Double(text) else { return nil }
        if number.isInfinite { return number }
        let written = PlainNumber(text)
        if number == 0 { return written.isZero ? number : nil }
        if !written.isWhole || PlainNumber(number.description) == written { return number }
        return PlainNumber(String(format: "%.0f", number)) == written ? number : nil
    }

    /// Returns the digits of a number, without an exponent as far as it has not very many.
    static func text(_ number: Double) -> String {
        let text = number.description
        return text.contains("e") ? PlainNumber(text).text ?? text : text
    }
}
