/// **Confined.** Who is to be called with notices. Observers may come and go while they are called.
package struct ObserverList<Notice> {
    private struct Observer {
        let number: Int
        /// Answers whether it wants to hear of the next notice.
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

    /// Calls everybody, and returns what is to be handed to ``remove(_:)``. Not mutating: an observer may reach the list's
    /// owner.
    package func tell(_ notice: Notice) -> Set<Int> {
        var ended: Set<Int> = []
        for observer in observers where !observer.call(notice) { ended.insert(observer.number) }
        return ended
    }

    /// Forgets observers whose observation has ended.
    package mutating func remove(_ ended: Set<Int>) {
        if !ended.isEmpty { observers.removeAll { ended.contains($0.number) } }
    }
}

@available(*, unavailable)
extension ObserverList: Sendable {}
