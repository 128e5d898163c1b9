/// **Confined.** The context's end of a stream of notices; the stream ends when this goes.
package final class NoticeSender<Notice: Sendable> {
    /// How many notices wait for one who listens slowly.
    package static var maximumWaiting: Int { 64 }

    private let continuation: AsyncStream<Notice>.Continuation
    private let afterLoss: Notice?

    private init(_ continuation: AsyncStream<Notice>.Continuation, _ afterLoss: Notice?) {
        self.continuation = continuation
        self.afterLoss = afterLoss
    }

    deinit { continuation.finish() }

    /// - Parameter afterLoss: what follows one that was lost; nil where the next one tells by itself.
    package static func makeStream(afterLoss: Notice?) -> (AsyncStream<Notice>, NoticeSender) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Notice.self, bufferingPolicy: .bufferingNewest(maximumWaiting))
        return (stream, NoticeSender(continuation, afterLoss))
    }

    /// Hands a notice over, and never waits.
    ///
    /// - Returns: whether anybody still listens.
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
