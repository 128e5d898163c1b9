/// **Confined.** The observers of a kind of notices. Observers may be added and removed while they are called.
package struct ObserverList<Notice> {
    private struct Observer {
        let number: Int
        /// Returns `true` if the observer is to receive further notices.
        let call: (Notice) -> Bool
    }

    private var observers: ContiguousArray<Observer> = []
    private var lastNumber = 0

    package init() {}

    package var isEmpty: Bool { observers.isEmpty }

    package mutating func add(_ call: @escaping (Notice) -> Bool) {
        lastNumber += 1
        observers.append(Observer(number: lastNumber, call: call))
    }

    /// Calls all observers, and returns the argument for ``remove(_:)``. Not mutating, because an observer may access the
    /// list's owner.
    package func tell(_ notice: Notice) -> Set<Int> {
        var ended: Set<Int> = []
        for observer in observers where !observer.call(notice) { ended.insert(observer.number) }
        return ended
    }

    /// Removes observers whose observation has ended.
    package mutating func remove(_ ended: Set<Int>) {
        if !ended.isEmpty { observers.removeAll { ended.contains($0.number) } }
    }
}

@available(*, unavailable)
extension ObserverList: Sendable {}
