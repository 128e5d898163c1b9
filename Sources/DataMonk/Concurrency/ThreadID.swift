#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// **Value.** A thread, to compare with.
struct ThreadID: Sendable, Equatable {
    /// Never zero.
    let number: UInt

    static var current: ThreadID {
        #if canImport(Darwin)
            ThreadID(number: UInt(bitPattern: pthread_self()))
        #else
            ThreadID(number: UInt(pthread_self()))
        #endif
    }
}
