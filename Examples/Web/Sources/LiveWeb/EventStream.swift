import Hummingbird
import LiveBoard
import NIOCore
import ServiceLifecycle

/// **Value.** The answer that does not end: the list's events for one browser.
struct EventStream: Sendable {
    let board: Board
    let subscription: Board.Subscription

    /// The reason why an answer ends while its browser still has something to read.
    private struct Dropped: Error {}

    var response: Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                do {
                    try await write(with: writer)
                } catch {
                    await board.unsubscribe(subscription)
                    throw error
                }
                await board.unsubscribe(subscription)
                try await writer.finish(nil)
            })
    }

    /// Writes messages until the browser goes, is dropped, or the server ends.
    ///
    /// The write to a browser that does not read waits for ever. It is a child task, so that it can be cancelled.
    private func write(with writer: any ResponseBodyWriter) async throws {
        // Only the child task below uses it, until the group has ended.
        nonisolated(unsafe) var writer = writer
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await message in subscription.messages.cancelOnGracefulShutdown() {
                    try await writer.write(ByteBuffer(string: message))
                }
            }
            group.addTask {
                for await _ in subscription.end.cancelOnGracefulShutdown() {}
                // Messages that wait are written if the browser takes them at once; it comes again for what is missing.
                if !Task.isShuttingDownGracefully { throw Dropped() }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
