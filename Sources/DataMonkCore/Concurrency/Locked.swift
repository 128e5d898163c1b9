#if canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#else
    package import Darwin
#endif

/// **Shared.** State that only the holder of its lock can reach.
///
/// The lock is a pthread mutex: on Linux ThreadSanitizer does not understand `Synchronization.Mutex` (a futex it
/// cannot see through) and reports races that are none. Seen on Swift 6.3.1; once it knows it, this type can go.
///
/// Not recursive: `withLock` inside `withLock` of the same value blocks for ever.
///
/// A function is to be a property of the state, never the state itself: each access would leave it wrapped in two more
/// functions, and a call of it takes longer and longer. (Swift 6.3: `inout` of a function type in generic code.)
package final class Locked<State>: @unchecked Sendable {
    // @unchecked Sendable: `state` is reached between lock and unlock only, and leaves through `sending` results.

    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    /// Guard: `mutex`, which also does what the checks of exclusivity would.
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

    /// Runs `body` alone with the state. Keep it short: others wait.
    ///
    /// Inlinable: called from another module it would otherwise stay generic, at three times its price.
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
