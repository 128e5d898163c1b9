/// The characters that the syntax of these files is made of. Everything else is text, in UTF-8.
extension UInt8 {
    static let tab = UInt8(ascii: "\t")
    static let newline = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let numberSign = UInt8(ascii: "#")
    static let colon = UInt8(ascii: ":")

    /// Whether it separates words within a line.
    var isBlank: Bool { self == .space || self == .tab || self == .carriageReturn }

    /// Whether it separates words.
    var isWhitespace: Bool { isBlank || self == .newline }

    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased) }

    /// The small letter of a capital one; every other character itself.
    var lowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}
