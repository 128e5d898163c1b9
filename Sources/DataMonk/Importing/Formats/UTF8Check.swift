import Foundation

/// **Value.** The part of some bytes that is UTF-8.
enum UTF8Check {
    /// Returns the number of bytes before the first that is no part of UTF-8.
    static func validCount(of bytes: some Sequence<UInt8>) -> Int {
        var parser = UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var count = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let units): count += units.count
            case .error, .emptyInput: return count
            }
        }
    }
}

extension String {
    /// Creates a text of bytes, or returns `nil` if they are not UTF-8.
    ///
    /// Decoding replaces what is not UTF-8, so that the text has other bytes then. `String(validating:as:)` takes three times
    /// as long with Swift 6.3.1: it looks up generic types at each call.
    init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        let isSame = withUTF8 { text in
            guard let first = text.baseAddress, let other = bytes.baseAddress else { return bytes.isEmpty }
            return text.count == bytes.count && memcmp(first, other, bytes.count) == 0
        }
        if !isSame { return nil }
    }
}
