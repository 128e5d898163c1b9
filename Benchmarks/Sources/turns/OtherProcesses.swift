import DataMonk
import Foundation

/// The time from the beginning of another process's commit until a list of this process, which is otherwise idle, shows it.
@MainActor func measureOtherProcesses(_ count: Int) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("turns-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Reason for try?: a folder that stays does no harm.
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("messages.sqlite")
    let stack = try Stack(Message.self)
    try stack.addDatabaseStore(fileURL: url)
    let World = try MainContext(stack: stack)
    let messages = try World.fetchedResults(Message.self, orderBy: .Ascending("sentAt"))
    let writer = Process()
    writer.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    writer.arguments = ["write", "\(count)", url.path]
    var changes = messages.changes.makeAsyncIterator()
    try writer.run()
    var known = 0
    var times: [Double] = []
    while known < count, await changes.next() != nil {
        let now = monotonicTime()
        times += messages.objects[known...].map { now - $0.sentAt }
        known = messages.count
    }
    writer.waitUntilExit()
    times.sort()
    let (median, late) = (times[times.count / 2], times[times.count * 99 / 100])
    print(
        "other process's commits: median \(milliseconds(median)), 99th percentile \(milliseconds(late)), "
            + "longest \(milliseconds(times[times.count - 1])) of \(times.count)")
}

/// Commits messages, each after a pause of another length: the other process of `measureOtherProcesses`.
func writeMessages(_ count: Int, to path: String) async throws {
    let stack = try Stack(Message.self)
    try stack.addDatabaseStore(fileURL: URL(fileURLWithPath: path))
    let context = try Context(stack: stack)
    for number in 0..<count {
        try await Task.sleep(for: .milliseconds(5 + number * 37 % 190))
        try await context.update { update in
            try update.create(Message.self).sentAt = monotonicTime()
            try update.commit()
        }
    }
    try await stack.closeStores()
}

/// The seconds of a clock that all processes share.
func monotonicTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// **Confined.** Written as `@Entity` would expand it, as `Person`.
final class Message: ManagedObject {
    var sentAt: Double {
        get { property(at: 0) }
        set { setProperty(newValue, at: 0) }
    }
    override nonisolated class var entityDeclaration: EntityDeclaration? {
        EntityDeclaration(
            "Message", class: Message.self, validatesValues: false,
            properties: [.property("sentAt", Double.self, default: 0)])
    }
}
