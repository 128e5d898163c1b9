/// **Confined.** The context's end of a stream of notices, which ends when the sender is released.
package final class NoticeSender<Notice: Sendable> {
    /// The number of notices that are buffered for a slow consumer.
    package static var maximumWaiting: Int { 64 }

    private let continuation: AsyncStream<Notice>.Continuation
    private let afterLoss: Notice?

    private init(_ continuation: AsyncStream<Notice>.Continuation, afterLoss: Notice?) {
        self.continuation = continuation
        self.afterLoss = afterLoss
    }

    deinit { continuation.finish() }

    /// - Parameter afterLoss: The notice that follows a dropped one; `nil` if the next notice itself shows the loss.
    package static func makeStream(afterLoss: Notice?) -> (AsyncStream<Notice>, NoticeSender) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Notice.self, bufferingPolicy: .bufferingNewest(maximumWaiting))
        return (stream, NoticeSender(continuation, afterLoss: afterLoss))
    }

    /// Sends a notice without waiting.
    ///
    /// - Returns: `true` if the stream still has a consumer.
    package func send(_ notice: Notice) -> Bool {
        switch continuation.yield(notice) {
        case .terminated: return false
        case .dropped:
            if let afterLoss { continuation.yield(afterLoss) }
            return true
        default: return true
        }
    }
}

@available(*, unavailable)
extension NoticeSender: Sendable {}
