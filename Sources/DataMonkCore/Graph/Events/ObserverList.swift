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
    ///
    /// - Returns: Their blocks, which the caller releases: that may release objects whose `deinit` accesses the list's owner.
    @discardableResult
    package mutating func remove(_ ended: Set<Int>) -> [(Notice) -> Bool] {
        if ended.isEmpty { return [] }
        let former = observers.filter { ended.contains($0.number) }
        observers.removeAll { ended.contains($0.number) }
        return former.map(\.call)
    }
}

@available(*, unavailable)
extension ObserverList: Sendable {}
