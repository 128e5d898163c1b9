/// **Value.** The last events in order, for browsers that were away.
///
/// Invariant: it has less than twice its capacity of events, and at most its limit of bytes.
struct EventLog: Sendable {
    private let capacity: Int
    private let byteLimit: Int
    private var messages: [String] = []
    private var byteCount = 0
    /// The number of the last event.
    private(set) var last = 0

    init(capacity: Int, byteLimit: Int) { (self.capacity, self.byteLimit) = (capacity, byteLimit) }

    /// Adds an event, whose number is ``last`` then.
    mutating func append(_ message: (Int) throws -> String) rethrows -> String {
        let text = try message(last + 1)
        last += 1
        messages.append(text)
        byteCount += text.utf8.count
        if messages.count >= 2 * capacity || byteCount > byteLimit { shrink() }
        return text
    }

    /// Drops the oldest events: half of what there may be at least, so that dropping costs little.
    private mutating func shrink() {
        var dropped = 0
        while messages.count - dropped > capacity || byteCount > byteLimit / 2 {
            byteCount -= messages[dropped].utf8.count
            dropped += 1
        }
        messages.removeFirst(dropped)
    }

    /// Returns the events after one, or `nil` if they are not there any more.
    func messages(after number: Int) -> [String]? {
        let missing = last - number
        return (0...messages.count).contains(missing) ? Array(messages.suffix(missing)) : nil
    }
}
