/// **Shared.** Lets so many requests in at a time. One that stands outside is told at once: that is better than a queue in
/// which it outlives its client.
actor Door {
    private let capacity: Int
    private var inside = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isClosed = false

    init(capacity: Int) { self.capacity = capacity }

    /// Returns `false` if there is no room, or the server is closing.
    func enter() -> Bool {
        guard !isClosed, inside < capacity else { return false }
        inside += 1
        return true
    }

    func leave() {
        inside -= 1
        guard inside == 0 else { return }
        for waiter in waiting { waiter.resume() }
        waiting = []
    }

    /// Lets nobody in any more, and waits until all have left.
    func close() async {
        isClosed = true
        if inside > 0 { await withCheckedContinuation { waiting.append($0) } }
    }
}
