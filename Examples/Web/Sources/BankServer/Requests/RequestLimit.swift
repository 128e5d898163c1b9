import Hummingbird
import Synchronization

/// **Shared.** Lets so many requests in at a time. One that stands outside is told at once: that is better than a queue in
/// which it outlives its client.
final class RequestLimit<Context: RequestContext>: RouterMiddleware {
    private let capacity: Int
    private let inside = Mutex(0)

    /// **Value.** The reason why a request was not let in.
    struct Reached: Error {}

    init(_ capacity: Int) { self.capacity = capacity }

    /// The number of requests inside.
    var count: Int { inside.withLock(\.self) }

    @concurrent func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        try inside.withLock { count in
            guard count < capacity else { throw Reached() }
            count += 1
        }
        defer { inside.withLock { $0 -= 1 } }
        return try await next(request, context)
    }
}
