import Foundation
package import Testing

/// **Value.** Skips a test whose fixtures are missing, and lets the end of the run tell of it. With
/// `DATAMONK_FIXTURES_REQUIRED` the test fails instead.
package struct FixtureTrait: SuiteTrait, TestTrait {
    private let paths: [String]

    fileprivate init(paths: [String]) { self.paths = paths }

    package var isRecursive: Bool { true }

    package func prepare(for test: Test) async throws {
        let missing = try Fixtures.missing(paths)
        if missing.isEmpty { return }
        let error = FixtureError.missing(paths: missing.map(\.path), folder: Fixtures.folder.path)
        if Fixtures.areRequired { throw error }
        if !test.isSuite { SkippedTests.note(test) }
        try await ConditionTrait.enabled(if: false, Comment(rawValue: "\(error)")).prepare(for: test)
    }
}

extension Trait where Self == FixtureTrait {
    /// Lets a test, or each test of a suite, run only where fixtures are.
    ///
    /// - Parameter paths: The fixtures, or folders with fixtures, as the manifest lists them: `"models"`,
    ///   `"stores/Moody/Moody.sqlite"`.
    package static func requiresFixtures(_ paths: String...) -> Self { Self(paths: paths) }
}
