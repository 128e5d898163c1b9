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
