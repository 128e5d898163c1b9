#if Postgres
    import DataMonkCore
    import Foundation

    /// **Shared.** Looks for other processes' commits every second, on a thread of its own, until its last reference is
    /// released.
    final class ServerWatch: Sendable {
        private let end = Wakeup<Void>()

        init(interval: Duration = .seconds(1), look: @escaping @Sendable () -> Void) {
            let end = end
            Thread.detachNewThread {
                while end.wait(until: .now + interval) == nil { look() }
            }
        }

        deinit { end.wake(with: ()) }
    }
#endif
