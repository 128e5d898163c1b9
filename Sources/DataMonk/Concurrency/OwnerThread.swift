import Synchronization

/// **Shared.** The thread that currently owns something, if any.
///
/// An atomic number instead of a lock, because it is checked at every insertion and at every first write of an object.
/// Relaxed ordering is enough, since a thread only asks about itself: it sees its own writes, and no other thread writes
/// its number.
struct OwnerThread: ~Copyable, Sendable {
    /// The number of the owning thread, or 0 if there is none.
    private let number = Atomic<UInt>(0)

    /// Indicates whether the calling thread is the owner.
    var isCaller: Bool { number.load(ordering: .relaxed) == ThreadID.current.number }

    /// Makes the calling thread the owner.
    func begin() { number.store(ThreadID.current.number, ordering: .relaxed) }

    /// Ends the ownership. Called by the owner.
    func end() { number.store(0, ordering: .relaxed) }
}
