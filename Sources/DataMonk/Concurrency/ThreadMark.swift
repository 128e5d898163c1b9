#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// **Shared.** A mark that threads put on themselves, for as long as they live.
final class ThreadMark: Sendable {
    private let key: pthread_key_t

    init() {
        var key = pthread_key_t()
        let code = pthread_key_create(&key, nil)
        precondition(code == 0, "pthread_key_create failed with \(code)")
        self.key = key
    }

    deinit { pthread_key_delete(key) }

    /// Whether the calling thread has the mark.
    var isOnCaller: Bool { pthread_getspecific(key) != nil }

    /// Marks the calling thread.
    func setOnCaller() { pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1)) }
}
