extension Condition {
    /// **Shared.** The conditions that another one joins or negates, a collection. Immutable.
    ///
    /// ```swift
    /// if case .or(let parts) = condition { print(parts.count) }
    /// ```
    public final class Parts: Sendable {
        // nonisolated(unsafe), unchecked exclusivity: written in `init` and `deinit` alone, when nobody else has a reference.
        @exclusivity(unchecked) nonisolated(unsafe) private(set) var elements: [Condition]
        /// How many levels of conditions there are, this one included.
        let depth: Int

        init(_ elements: [Condition]) {
            self.elements = elements
            depth = elements.reduce(0) { Swift.max($0, $1.depth) } + 1
        }

        // Swift releases what a last reference leaves behind by nested calls, which a deep tree has too many of.
        deinit { if depth > DeepRelease.threshold { DeepRelease.take(&elements) } }
    }

    /// How many levels of AND, OR and NOT there are, not counting those inside of expressions.
    var depth: Int {
        switch self {
        case .constant, .comparison: 0
        case .and(let parts), .or(let parts), .not(let parts): parts.depth
        }
    }
}

extension Condition.Parts: RandomAccessCollection {
    /// The position of the first part.
    public var startIndex: Int { 0 }
    /// The position behind the last part.
    public var endIndex: Int { elements.count }
    /// The part at a position.
    public subscript(position: Int) -> Condition { elements[position] }
}

/// Releases deep trees of conditions level by level: what one level leaves behind waits in a list for the thread that
/// works on it, whichever that is.
private enum DeepRelease {
    /// Trees of fewer levels are released as usual.
    static let threshold = 200

    private struct State {
        var waiting: [[Condition]] = []
        var isReleasing = false
    }

    private static let state = Locked(State())

    /// - Parameter parts: Empty afterwards, so that the list has the last reference.
    static func take(_ parts: inout [Condition]) {
        let isFirst = state.withLock { state in
            state.waiting.append(parts)
            parts = []
            defer { state.isReleasing = true }
            return !state.isReleasing
        }
        // Another call, perhaps further up on this thread, takes them along.
        guard isFirst else { return }
        while releaseOne() {}
    }

    /// - Returns: Whether there was anything to release. It is released when this returns, outside of the lock.
    private static func releaseOne() -> Bool {
        let next = state.withLock { state in
            let next = state.waiting.popLast()
            state.isReleasing = next != nil
            return next
        }
        return next != nil
    }
}
