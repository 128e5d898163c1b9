/// **Value.** A text as a terminal can show it: nothing in it moves the cursor, changes the terminal, or turns the
/// direction of what stands around it.
///
/// Values come from a store, and so from anybody. An escape sequence in one is shown as its characters, `␛[2J`.
struct TerminalText: Sendable {
    /// **Value.** A character and the number of columns that it takes.
    struct Cell: Sendable {
        let character: String
        let width: Int
    }

    let cells: [Cell]

    init(_ text: String) { cells = text.flatMap(Self.cells) }

    /// Terminals take the characters of one column one by one; a thousand accents would be one column of a megabyte.
    private static let scalarLimit = 12

    private static func cells(of character: Character) -> [Cell] {
        let scalars = character.unicodeScalars
        // Also "\r\n", which is one character.
        if scalars.contains(where: isControl) { return scalars.map { Cell(character: picture(of: $0), width: 1) } }
        let shown = scalars.filter { !isInvisible($0) || isJoiner($0) && scalars.count > 1 }.prefix(scalarLimit)
        guard let first = shown.first else { return [Cell(character: "\u{FFFD}", width: 1)] }
        // An accent alone would join what stands before it.
        let text = (isCombining(first) ? "\u{25CC}" : "") + String(String.UnicodeScalarView(shown))
        let isPictograph = first.properties.isEmoji && scalars.contains("\u{FE0F}")
        return [Cell(character: text, width: shown.contains(where: isWide) || isPictograph ? 2 : 1)]
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    }

    /// Signs that turn the direction of the text, and others without a shape.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        [.format, .surrogate, .privateUse, .unassigned].contains(scalar.properties.generalCategory)
    }

    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{200D}" || scalar == "\u{200C}" || (0xE0020...0xE007F).contains(scalar.value)
    }

    private static func isCombining(_ scalar: Unicode.Scalar) -> Bool {
        [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
    }

    /// The picture that Unicode has for a control character.
    private static func picture(of scalar: Unicode.Scalar) -> String {
        switch scalar.value {
        case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value).map(String.init) ?? "\u{FFFD}"
        case 0x7F: "\u{2421}"
        case 0x80..<0xA0, 0x2028, 0x2029: "\u{FFFD}"
        default: String(scalar)
        }
    }

    /// The ranges of East Asian Width W and F, and of pictures that terminals show in two columns.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3, 0x25FD...0x25FE,
        0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F, 0x2693...0x2693, 0x26A1...0x26A1, 0x26AA...0x26AB,
        0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA, 0x26F2...0x26F3,
        0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728,
        0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797, 0x27B0...0x27B0,
        0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55, 0x2E80...0x303E, 0x3041...0x33FF,
        0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF,
        0x1F004...0x1F004, 0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F1E6...0x1F1FF,
        0x1F200...0x1F320, 0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA,
        0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440,
        0x1F442...0x1F4FC, 0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A,
        0x1F595...0x1F596, 0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC,
        0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6DF, 0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7F0,
        0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
    ]

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x1100 && wide.contains { $0.contains(scalar.value) }
    }
}
