import Foundation
import Synchronization
import Testing

/// **Shared.** The tests that were skipped because fixtures are missing. Their number is the last line of the run, which
/// nobody reads past.
enum SkippedTests {
    private static let tests = Mutex<Set<Test.ID>>([])

    /// Registered once, by the first test that is skipped.
    private static let report: Void = {
        atexit { SkippedTests.printCount() }
    }()

    static func note(_ test: Test) {
        _ = report
        tests.withLock { _ = $0.insert(test.id) }
    }

    private static func printCount() {
        let count = tests.withLock(\.count)
        print(
            count == 1 ? "1 test was skipped" : "\(count) tests were skipped",
            "because fixtures are missing in \(Fixtures.folder.path). CONTRIBUTING.md says how to get them.")
    }
}
