import BenchKit
import Foundation

let usage = """
    suites SUITE --json FILE [--round R] [--n COUNT] [--dir FOLDER] [--test NAME]    one round of a suite, or of a test: \
    \(Suite.all.map(\.name).joined(separator: ", "))
    suites --report FILE,FILE [--figures FILE]
    """

/// The value behind an option.
func value(of option: String) -> String? {
    CommandLine.arguments.firstIndex(of: option).flatMap { CommandLine.arguments.dropFirst($0 + 1).first }
}

do {
    if let files = value(of: "--report") {
        let report = SuiteReport(try files.split(separator: ",").flatMap { try Sample.read(from: String($0)) })
        print(report.markdown)
        if let figures = value(of: "--figures") { try Marks("suites").fill(figures, with: report.markdown) }
        report.mismatches.forEach(log)
        exit(report.mismatches.isEmpty ? 0 : 1)
    }
    guard CommandLine.arguments.count > 1, let output = value(of: "--json") else { throw BenchError(usage) }
    let suite = try Suite.named(CommandLine.arguments[1]).only(value(of: "--test"))
    let directory = value(of: "--dir") ?? FileManager.default.temporaryDirectory.appendingPathComponent("suites").path
    let runner = SuiteRunner(
        suite: suite, count: value(of: "--n").flatMap { Int($0) } ?? suite.count,
        round: value(of: "--round").flatMap { Int($0) } ?? 1, directory: URL(fileURLWithPath: directory))
    let samples = try await runner.run()
    try JSONEncoder().encode(samples).write(to: URL(fileURLWithPath: output))
} catch {
    log("\(error)")
    exit(2)
}
