#if canImport(Glibc)
    public import Glibc
#elseif canImport(Musl)
    public import Musl
#else
    public import Darwin
#endif

/// **Shared.** State that is accessible only while its lock is held.
///
/// The lock is a pthread mutex, because ThreadSanitizer on Linux does not recognize `Synchronization.Mutex` (a futex that
/// it cannot observe) and reports false races. Seen on Swift 6.3.1. This type can be removed once ThreadSanitizer
/// recognizes `Synchronization.Mutex`.
///
/// Not recursive: `withLock` inside `withLock` of the same value deadlocks.
///
/// A function must be a property of the state, never the state itself: each access would wrap it in two more functions,
/// and calls of it would take longer and longer. (Swift 6.3: `inout` of a function type in generic code.)
@usableFromInline
package final class Locked<State>: @unchecked Sendable {
    // @unchecked Sendable: `state` is used only between lock and unlock, and leaves only through `sending` results.

    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    /// Guard: `mutex`, which also replaces the exclusivity checks.
    @usableFromInline
    @exclusivity(unchecked) var state: State

    package init(_ state: sending State) {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        let code = pthread_mutex_init(mutex, nil)
        precondition(code == 0, "pthread_mutex_init failed with \(code)")
        self.state = state
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Runs `body` with exclusive access to the state. Keep it short, because other threads wait.
    ///
    /// Inlinable: called from another module, it would otherwise stay generic and take three times as long. For that, the
    /// type must be usable from inlined code as well, and the C library be imported publicly.
    @inlinable
    @discardableResult
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }
}
