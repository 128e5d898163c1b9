import DataMonkCore

/// **Shared.** Values by key, each made at first use and kept.
///
/// Two threads may make the same value at once; the lock is not held meanwhile. One of the two stays.
struct Memo<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let values = Locked<[Key: Value]>([:])

    /// Returns the value of a key, or `nil` if there is none and `make` makes none.
    func value(for key: Key, make: () -> Value?) -> Value? {
        if let known = values.withLock({ $0[key] }) { return known }
        guard let made = make() else { return nil }
        values.withLock { $0[key] = made }
        return made
    }

    /// Returns the value of a key.
    func value(for key: Key, make: () -> Value) -> Value {
        if let known = values.withLock({ $0[key] }) { return known }
        let made = make()
        values.withLock { $0[key] = made }
        return made
    }
}
