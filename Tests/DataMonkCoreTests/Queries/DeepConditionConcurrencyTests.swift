import DataMonkCore
import Testing

@Suite struct `Deep conditions on many threads` {
    /// Threads of updates have small stacks.
    @Test func `are released on threads with small stacks, several at a time`() async {
        await withTaskGroup(of: Void.self) { group in
            for way in 0..<6 { group.addTask { _ = Condition.deep(way % 3) } }
        }
    }
}
