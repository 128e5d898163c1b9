/// **Value.** A search for the end of a JSON value, in bytes that arrive in parts. The value itself is checked later.
struct JSONExtent {
    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    /// The number of bytes of the value that were looked at.
    private var scanned = 0

    /// A Boolean value indicating whether a part of a value was seen.
    private(set) var hasBegun = false

    /// Returns the length of the value that the bytes begin with, or `nil` if its end is not there.
    mutating func end(in bytes: UnsafeBufferPointer<UInt8>, isComplete: Bool) -> Int? {
        hasBegun = true
        while scanned < bytes.count {
            if isInText {
                skipText(bytes)
                if !isInText, depth == 0 { return scanned }
                continue
            }
            switch bytes[scanned] {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return scanned }
                depth -= 1
                if depth == 0 { return scanned + 1 }
            case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
                if depth == 0 { return scanned }
            default: break
            }
            scanned += 1
        }
        return isComplete && depth == 0 && !isInText ? scanned : nil
    }

    private mutating func skipText(_ bytes: UnsafeBufferPointer<UInt8>) {
        while scanned < bytes.count {
            let byte = bytes[scanned]
            scanned += 1
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInText = false
                return
            }
        }
    }

    /// Gives up the bytes that were looked at, and returns their number.
    mutating func forget() -> Int {
        defer { scanned = 0 }
        return scanned
    }
}
