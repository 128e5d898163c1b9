import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// **Shared.** The one thread that may touch something at this moment, or none.
///
/// An atomic number and no lock: every insertion and every first write of an object asks. Relaxed, for a thread asks about
/// itself alone: it sees what it has written, and whatever another one writes is not its own number.
final class OwnerThread: Sendable {
    /// Zero for none.
    private let number = Atomic<UInt>(0)

    /// Whether it is the calling thread.
    var isCaller: Bool { number.load(ordering: .relaxed) == Self.current }

    /// From now on it is the calling thread.
    func begin() { number.store(Self.current, ordering: .relaxed) }

    /// From now on it is none. Called by the thread that it is.
    func end() { number.store(0, ordering: .relaxed) }

    private static var current: UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }
}
