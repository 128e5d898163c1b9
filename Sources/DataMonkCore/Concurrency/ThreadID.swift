#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// **Value.** A thread, to compare with.
package struct ThreadID: Sendable, Equatable {
    /// Never zero.
    package let number: UInt

    /// Never inlined: glibc declares `pthread_self` as a constant of the function that calls it, and after an `await` that
    /// would be the number of another thread.
    package static var current: ThreadID {
        @inline(never) get {
            #if canImport(Darwin)
                ThreadID(number: UInt(bitPattern: pthread_self()))
            #else
                ThreadID(number: UInt(pthread_self()))
            #endif
        }
    }
}
