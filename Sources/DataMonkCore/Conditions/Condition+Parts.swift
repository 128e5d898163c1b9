extension Condition {
    /// **Shared.** An immutable collection of the conditions that another condition joins or negates.
    ///
    /// ```swift
    /// if case .or(let parts) = condition { print(parts.count) }
    /// ```
    public final class Parts: Sendable {
        // nonisolated(unsafe), unchecked exclusivity: written only in `init` and `deinit`, when nobody else has a
        // reference.
        @exclusivity(unchecked) nonisolated(unsafe) private(set) var elements: [Condition]
        /// The number of levels of conditions, including this one.
        let depth: Int

        init(_ elements: [Condition]) {
            self.elements = elements
            depth = elements.reduce(0) { Swift.max($0, $1.depth) } + 1
        }

        // Swift releases nested values by nested calls, and a deep tree would overflow the stack.
        deinit { if depth > DeepRelease.threshold { DeepRelease.take(&elements) } }
    }

    /// The number of levels of AND, OR and NOT, not counting those inside expressions.
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
    /// The position after the last part.
    public var endIndex: Int { elements.count }
    /// The part at a position.
    public subscript(position: Int) -> Condition { elements[position] }
}

/// Releases deep trees of conditions level by level. The parts of each level are added to a list, and a single thread at a
/// time, whichever came first, works through it.
private enum DeepRelease {
    /// The number of levels from which trees are released this way. Smaller trees are released as usual.
    static let threshold = 200

    private struct State {
        var waiting: [[Condition]] = []
        var isReleasing = false
    }

    private static let state = Locked(State())

    /// - Parameter parts: The parts to release. The method empties it, so that the list holds the last reference.
    static func take(_ parts: inout [Condition]) {
        let isFirst = state.withLock { state in
            state.waiting.append(parts)
            parts = []
            defer { state.isReleasing = true }
            return !state.isReleasing
        }
        // Another call, perhaps further up on this thread, releases them.
        guard isFirst else { return }
        while releaseOne() {}
    }

    /// Releases one list of parts, outside the lock.
    ///
    /// - Returns: `true` if there was anything to release.
    private static func releaseOne() -> Bool {
        let next = state.withLock { state in
            let next = state.waiting.popLast()
            state.isReleasing = next != nil
            return next
        }
        return next != nil
    }
}
