import DataMonkFixtures
import Foundation
import Testing

/// `Tests/Fixtures/fetch` puts into its place what matches the manifest, and nothing else.
@Suite struct FetchTests {
    private static let path = "stores/a.sqlite"
    private static let otherHash = String(repeating: "0", count: 64)

    @Test(.requiresFixtures("stores", "more-stores", "models", "conformance"))
    func `the fixtures match the manifest`() throws {
        let script = URL(filePath: #filePath).appending(path: "../../../Fixtures/fetch").standardized
        let outcome = try FetchStage.run(script.path, ["--check"])
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test func `a missing file is fetched, and is not touched again`() throws {
        let stage = try FetchStage()
        let first = try stage.fetch([stage.line()])
        #expect(first.status == 0, "\(first.output)")
        #expect(first.output.contains("fetched    \(Self.path)"))
        #expect(try stage.files() == [Self.path])
        let text = try String(contentsOf: stage.fixtures.appending(path: Self.path), encoding: .utf8)
        #expect(text == FetchStage.contents)

        try FileManager.default.removeItem(at: stage.folder.appending(path: "repository"))
        let second = try stage.fetch([stage.line()])
        #expect(second.status == 0 && !second.output.contains("fetched"), "\(second.output)")
    }

    @Test func `a file whose hash differs is refused, and the others are fetched`() throws {
        let stage = try FetchStage()
        let lines = [stage.line("models/b", hash: Self.otherHash), stage.line()]
        let outcome = try stage.fetch(lines)
        #expect(outcome.status == 4)
        #expect(outcome.output.contains("refused    models/b: its SHA-256 is \(FetchStage.hash)"))
        #expect(try stage.files() == [Self.path])
    }

    @Test func `a file of another size is refused`() throws {
        let stage = try FetchStage()
        let outcome = try stage.fetch([stage.line().replacing("\t5\t", with: "\t6\t")])
        #expect(outcome.status == 4 && outcome.output.contains("it has 5 bytes, the manifest says 6"))
        #expect(try stage.files() == [])
    }

    @Test func `a commit or a path that the repository has not is refused`() throws {
        let stage = try FetchStage()
        let missing = String(repeating: "0", count: 40)
        let commit = try stage.fetch([stage.line(commit: missing)])
        #expect(commit.status == 4 && commit.output.contains("has no commit \(missing)"), "\(commit.output)")
        let path = try stage.fetch([stage.line(source: "b.sqlite")])
        #expect(path.status == 4 && path.output.contains("has no file \"b.sqlite\""), "\(path.output)")
        #expect(try stage.files() == [])
    }

    @Test func `a repository out of reach is told, and the others are fetched`() throws {
        let stage = try FetchStage()
        let far = "file://\(stage.folder.path)/none"
        let outcome = try stage.fetch([stage.line("models/b", repository: far), stage.line()])
        #expect(outcome.status == 3)
        #expect(outcome.output.contains("unreached  models/b: \(far): fatal: "), "\(outcome.output)")
        #expect(outcome.output.contains("Without a network, copy the missing files from a machine that has them."))
        #expect(try stage.files() == [Self.path])
    }

    @Test(arguments: ["derived", "unknown"])
    func `a file that no repository holds is told`(origin: String) throws {
        let stage = try FetchStage()
        let outcome = try stage.fetch([stage.line(origin: origin, commit: "-", source: "-")])
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("missing    \(Self.path): its origin is \"\(origin)\""), "\(outcome.output)")
    }

    @Test func `a check lists each file, and fetches nothing`() throws {
        let stage = try FetchStage()
        let missing = try stage.fetch([stage.line()], ["--check"])
        #expect(missing.status == 1 && missing.output.contains("missing    \(Self.path)\n"))
        #expect(try stage.files() == [])
        _ = try stage.fetch([stage.line()])
        let present = try stage.fetch([stage.line()], ["--check"])
        #expect(present.status == 0 && present.output.contains("present    \(Self.path)\n"))
        #expect(present.output.contains("1 of 1 fixtures are in \(stage.fixtures.path)"))
    }

    @Test(arguments: [[], ["--check"]])
    func `a changed file is told, and left alone`(arguments: [String]) throws {
        let stage = try FetchStage()
        _ = try stage.fetch([stage.line()])
        let file = stage.fixtures.appending(path: Self.path)
        try Data("ERROR".utf8).write(to: file)
        let outcome = try stage.fetch([stage.line()], arguments)
        #expect(outcome.status == 4 && outcome.output.contains("differs    \(Self.path): its SHA-256 is "))
        #expect(try String(contentsOf: file, encoding: .utf8) == "ERROR")
    }

    /// `git` writes half of the file, and its caller is gone.
    @Test(arguments: ["INT", "TERM", "HUP", "KILL"])
    func `an interrupted download puts nothing into its place, and is repeated`(signal: String) throws {
        let stage = try FetchStage()
        let git = try FetchStage.run("sh", ["-c", "command -v git"]).output.trimmingCharacters(in: .newlines)
        let tools = try stage.tool(
            "git",
            """
            #!/bin/sh
            case "$*" in
            *cat-file*) printf sto; kill -\(signal) $PPID ;;
            *) exec "\(git)" "$@" ;;
            esac
            """)
        let interrupted = try stage.fetch([stage.line()], tools: tools)
        #expect(interrupted.status != 0)
        #expect(!FileManager.default.fileExists(atPath: stage.fixtures.appending(path: Self.path).path))
        // A killed script leaves its unfinished files beside, under a name that no test reads.
        if signal != "KILL" { #expect(try stage.files() == []) }

        let repeated = try stage.fetch([stage.line()])
        #expect(repeated.status == 0 && repeated.output.contains("fetched    \(Self.path)"), "\(repeated.output)")
    }

    @Test(arguments: [["--verify"], ["--manifest"], ["--manifest", "/none"]])
    func `a wrong call is told`(arguments: [String]) throws {
        let stage = try FetchStage()
        let outcome = try stage.fetch([stage.line()], arguments)
        #expect(outcome.status == 2 && !outcome.output.isEmpty)
    }

    @Test(arguments: ["", "/etc/a\t5\t0", "../a\t5\t0", "a\t5\t0\tcopy"])
    func `a malformed manifest is told, and nothing is fetched`(line: String) throws {
        let stage = try FetchStage()
        let outcome = try stage.fetch([line])
        #expect(outcome.status == 2 && outcome.output.contains("manifest.tsv"), "\(outcome.output)")
        #expect(try stage.files() == [])
    }
}
