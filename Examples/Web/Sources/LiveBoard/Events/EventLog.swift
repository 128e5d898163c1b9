/// **Value.** The last events in order, for browsers that were away.
struct EventLog: Sendable {
    private let capacity: Int
    private var messages: [String] = []
    /// The number of the last event.
    private(set) var last = 0

    init(capacity: Int) { self.capacity = capacity }

    /// Adds an event, whose number is ``last`` then.
    mutating func append(_ message: (Int) throws -> String) rethrows -> String {
        let text = try message(last + 1)
        last += 1
        messages.append(text)
        // Twice as many are kept at most, so that dropping the oldest ones costs little.
        if messages.count >= 2 * capacity { messages.removeFirst(messages.count - capacity) }
        return text
    }

    /// Returns the events after one, or `nil` if they are not there any more.
    func messages(after number: Int) -> [String]? {
        let missing = last - number
        return (0...messages.count).contains(missing) ? Array(messages.suffix(missing)) : nil
    }
}
