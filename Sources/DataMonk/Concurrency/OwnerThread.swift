import Synchronization

/// **Shared.** The one thread that may touch something at this moment, or none.
///
/// An atomic number and no lock: every insertion and every first write of an object asks. Relaxed, for a thread asks about
/// itself alone: it sees what it has written, and whatever another one writes is not its own number.
struct OwnerThread: ~Copyable, Sendable {
    /// Zero for none.
    private let number = Atomic<UInt>(0)

    /// Whether it is the calling thread.
    var isCaller: Bool { number.load(ordering: .relaxed) == ThreadID.current.number }

    /// From now on it is the calling thread.
    func begin() { number.store(ThreadID.current.number, ordering: .relaxed) }

    /// From now on it is none. Called by the thread that it is.
    func end() { number.store(0, ordering: .relaxed) }
}
