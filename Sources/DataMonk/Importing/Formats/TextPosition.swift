/// **Value.** A place in a text: the line and the column of a byte, both counted from 1. A line ends with LF, CR LF, or CR.
struct TextPosition: Hashable {
    private(set) var line = 1
    private(set) var column = 1
    /// A Boolean value indicating whether the byte before is a CR, with which an LF is one end of a line.
    private var isAfterReturn = false

    /// Moves over bytes.
    mutating func advance(over bytes: some Sequence<UInt8>) {
        for byte in bytes {
            column += 1
            // Few bytes of a text are below this one.
            if byte > 0x0D {
                isAfterReturn = false
                continue
            }
            let isReturn = byte == UInt8(ascii: "\r")
            if byte == UInt8(ascii: "\n"), isAfterReturn {
                column = 1
            } else if byte == UInt8(ascii: "\n") || isReturn {
                (line, column) = (line + 1, 1)
            }
            isAfterReturn = isReturn
        }
    }

    /// Returns the position after bytes from here on.
    func advanced(over bytes: some Sequence<UInt8>) -> TextPosition {
        var position = self
        position.advance(over: bytes)
        return position
    }
}
