import DataMonk
import Foundation

/// Inserts and writes in steps that go on on other threads after their awaits: a number of a thread that is kept across an
/// await would stop the program. Returns how often a step was on another thread than before.
func goThroughAwaits() async throws -> Int {
    let stack = try Stack(Knight.self)
    try stack.addInMemoryStore()
    let context = try Context(stack: stack)
    return try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<16 {
            group.addTask {
                try await context.update { update in
                    var (moves, last) = (0, thread())
                    for number in 0..<200 {
                        let knight = try update.create(Knight.self)
                        knight.strength = number
                        await Task.detached {}.value
                        knight.strength += 1
                        if thread() != last { moves += 1 }
                        last = thread()
                        if number.isMultiple(of: 50) { try update.commit() }
                    }
                    try update.commit()
                    return moves
                }
            }
        }
        return try await group.reduce(0, +)
    }
}

/// By an object of the thread: an optimized build may keep the result of `pthread_self` across an await.
private func thread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }
