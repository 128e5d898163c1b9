#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// **Shared.** A mark that threads put on themselves, for as long as they live.
package final class ThreadMark: Sendable {
    private let key: pthread_key_t

    package init() {
        var key = pthread_key_t()
        let code = pthread_key_create(&key, nil)
        precondition(code == 0, "pthread_key_create failed with \(code)")
        self.key = key
    }

    deinit { pthread_key_delete(key) }

    /// Whether the calling thread has the mark.
    package var isOnCaller: Bool { pthread_getspecific(key) != nil }

    /// Marks the calling thread.
    package func setOnCaller() { pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1)) }

    /// Takes the mark from the calling thread.
    package func removeFromCaller() { pthread_setspecific(key, nil) }
}
