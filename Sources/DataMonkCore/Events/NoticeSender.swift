/// **Confined.** The context's end of a stream of notices; the stream ends when this goes.
package final class NoticeSender {
    /// How many notices wait for one who listens slowly.
    package static let maximumWaiting = 64

    private let continuation: AsyncStream<ObjectChangeNotice>.Continuation

    private init(_ continuation: AsyncStream<ObjectChangeNotice>.Continuation) { self.continuation = continuation }

    deinit { continuation.finish() }

    package static func makeStream() -> (AsyncStream<ObjectChangeNotice>, NoticeSender) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ObjectChangeNotice.self, bufferingPolicy: .bufferingNewest(maximumWaiting))
        return (stream, NoticeSender(continuation))
    }

    /// Hands a notice over, and never waits. If an older one was lost for it, one follows that says that everything may
    /// have changed.
    ///
    /// - Returns: whether anybody still listens.
    package func send(_ notice: ObjectChangeNotice) -> Bool {
        switch continuation.yield(notice) {
        case .terminated: return false
        case .dropped:
            continuation.yield(ObjectChangeNotice(isEverything: true))
            return true
        default: return true
        }
    }
}

@available(*, unavailable)
extension NoticeSender: Sendable {}
