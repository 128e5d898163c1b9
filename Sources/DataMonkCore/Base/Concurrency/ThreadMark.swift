import Foundation

/// **Shared.** A mark that a thread sets on itself and keeps for its lifetime.
package final class ThreadMark: Sendable {
    private let key: pthread_key_t

    package init() {
        var key = pthread_key_t()
        let code = pthread_key_create(&key, nil)
        precondition(code == 0, "pthread_key_create failed with \(code)")
        self.key = key
    }

    deinit { pthread_key_delete(key) }

    /// Indicates whether the calling thread has the mark.
    package var isOnCaller: Bool { pthread_getspecific(key) != nil }

    /// Marks the calling thread.
    package func setOnCaller() { pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1)) }

    /// Removes the mark from the calling thread.
    package func removeFromCaller() { pthread_setspecific(key, nil) }
}
