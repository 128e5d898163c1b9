import Foundation
import Testing

/// Runs a suite in a process of its own.
///
/// For what must end in time, and for what holds the main actor: in the common process a task may wait for its turn behind
/// those of thousands of other tests, longer than any watchdog. What the process printed is printed on; if a test of it
/// failed, the suite has failed.
struct OwnProcess: SuiteTrait, TestScoping {
    private static let mark = "DATAMONK_OWN_PROCESS"

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        if ProcessInfo.processInfo.environment[Self.mark] != nil { return try await function() }
        let folder = try TemporaryFolder()
        let output = folder.file("output")
        try Data().write(to: output)
        let status = try await Self.run(test.name.filter { $0 != "`" }, output)
        let text = try String(contentsOf: output, encoding: .utf8)
        let lines = text.split(separator: "\n")
        // Lines that the tests log may come after it.
        let ending = lines.last { $0.contains("Test run with") }
        print("\(test.name), by itself: \(ending ?? "no word")")
        if status == 0, ending?.contains("passed") == true { return }
        let isTold = { (line: Substring) in ["✘", "↳", "rror:"].contains { line.contains($0) } }
        let failures = lines.filter(isTold).joined(separator: "\n")
        Issue.record("The suite's process ended with \(status):\n\(failures.isEmpty ? text : failures)")
    }

    /// Runs the suite of a name by itself, and writes what it prints into a file.
    private static func run(_ name: String, _ output: URL) async throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0])
        let pattern = NSRegularExpression.escapedPattern(for: name)
        process.arguments = ["--testing-library", "swift-testing", "--filter", pattern]
        process.environment = ProcessInfo.processInfo.environment.merging([mark: "1"]) { $1 }
        let file = try FileHandle(forWritingTo: output)
        process.standardOutput = file
        process.standardError = file
        return try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
    }
}

extension Trait where Self == OwnProcess {
    static var inOwnProcess: OwnProcess { OwnProcess() }
}
