import Foundation

/// **Value.** The identity of a thread, for comparison.
package struct ThreadID: Sendable, Equatable {
    /// The thread's number; never zero.
    package let number: UInt

    /// Never inlined: glibc declares `pthread_self` with the attribute `const`, so the compiler may reuse its result
    /// within a function, where it could be the number of another thread after an `await`.
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
