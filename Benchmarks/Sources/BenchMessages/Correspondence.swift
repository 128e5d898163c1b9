public import DataMonk
import Foundation

/// Commits messages, each after a pause of another length, so that the process that receives them is idle again, and at another
/// point between two of its looks.
public func sendMessages(_ count: Int, over stack: Stack) async throws {
    let context = try Context(stack: stack)
    for number in 0..<count {
        try await Task.sleep(for: .milliseconds(5 + number * 37 % 190))
        try await context.update { update in
            try update.create(Message.self).sentAt = monotonicTime()
            try update.commit()
        }
    }
}

/// Receives messages that another process sends, in a list of a main context that is otherwise idle.
///
/// - Parameter begin: Lets the other process begin.
/// - Returns: The seconds from the beginning of each commit until the list shows it.
@MainActor public func receiveMessages(
    _ count: Int, over stack: Stack, begin: () throws -> Void
) async throws -> [Double] {
    let World = try MainContext(stack: stack)
    let messages = try World.fetchedResults(Message.self, orderBy: .Ascending("sentAt"))
    var changes = messages.changes.makeAsyncIterator()
    try begin()
    var times: [Double] = []
    while times.count < count, await changes.next() != nil {
        let now = monotonicTime()
        times += messages.objects[times.count...].map { now - $0.sentAt }
    }
    return times
}

/// The nanoseconds of a clock that all processes share.
public func monotonicNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// The seconds of the same clock.
public func monotonicTime() -> Double { Double(monotonicNanoseconds()) / 1e9 }
