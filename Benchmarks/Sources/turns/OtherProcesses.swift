import BenchMessages
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
    let writer = Process()
    writer.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    writer.arguments = ["write", "\(count)", url.path]
    var times = try await receiveMessages(count, over: stack) { try writer.run() }
    writer.waitUntilExit()
    times.sort()
    let (median, late) = (times[times.count / 2], times[times.count * 99 / 100])
    print(
        "other process's commits: median \(milliseconds(median)), 99th percentile \(milliseconds(late)), "
            + "longest \(milliseconds(times[times.count - 1])) of \(times.count)")
}

/// Sends messages: the other process of `measureOtherProcesses`.
func writeMessages(_ count: Int, to path: String) async throws {
    let stack = try Stack(Message.self)
    try stack.addDatabaseStore(fileURL: URL(fileURLWithPath: path))
    try await sendMessages(count, over: stack)
    try await stack.closeStores()
}
