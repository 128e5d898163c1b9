import Foundation

/// **Shared.** The value that a blocked thread waits for, and that another thread provides once.
///
/// If the value comes first, it is kept, so a wake-up is not lost whichever thread is faster.
package final class Wakeup<Value: Sendable>: @unchecked Sendable {
    // @unchecked Sendable: `value` is used only between lock and unlock.

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    /// Guard: `mutex`.
    private var value: Value?

    package init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        var code = pthread_mutex_init(mutex, nil)
        precondition(code == 0, "pthread_mutex_init failed with \(code)")
        #if canImport(Darwin)
            code = pthread_cond_init(condition, nil)
        #else
            // Deadlines must not move when the clock is set.
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            code = pthread_cond_init(condition, &attributes)
            pthread_condattr_destroy(&attributes)
        #endif
        precondition(code == 0, "pthread_cond_init failed with \(code)")
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deinitialize(count: 1)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Provides the value. Call once: a second wake-up would be lost, or mistaken for the first.
    package func wake(with value: Value) {
        pthread_mutex_lock(mutex)
        precondition(self.value == nil, "A thread was woken twice")
        self.value = value
        pthread_mutex_unlock(mutex)
        // After unlocking, because the woken thread needs the lock at once. The caller's reference keeps the condition
        // until then.
        pthread_cond_signal(condition)
    }

    /// Blocks until the value is provided.
    package func wait() -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let value { return value }
            pthread_cond_wait(condition, mutex)
        }
    }

    /// Blocks until the value is provided or the deadline passes; returns `nil` if it has passed. The value may still
    /// come later.
    package func wait(until deadline: ContinuousClock.Instant) -> Value? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let value { return value }
            let remaining = ContinuousClock.now.duration(to: deadline)
            if remaining <= .zero { return nil }
            wait(for: min(remaining, Self.longestWait))
        }
    }

    /// A day: later deadlines are waited for in rounds, so that clock arithmetic does not overflow.
    private static var longestWait: Duration { .seconds(86_400) }

    private func wait(for duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var time = timespec()
        #if !canImport(Darwin)
            clock_gettime(CLOCK_MONOTONIC, &time)
        #endif
        time.tv_sec += Int(seconds)
        time.tv_nsec += Int(attoseconds / 1_000_000_000)
        if time.tv_nsec >= 1_000_000_000 {
            time.tv_sec += 1
            time.tv_nsec -= 1_000_000_000
        }
        #if canImport(Darwin)
            pthread_cond_timedwait_relative_np(condition, mutex, &time)
        #else
            pthread_cond_timedwait(condition, mutex, &time)
        #endif
    }
}
