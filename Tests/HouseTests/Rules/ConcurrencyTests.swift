import Testing

/// ThreadSanitizer runs the suites whose files `.ci/concurrent` lists. So that none is forgotten, the list is compared with the
/// suites that begin work beside a test: a task, a thread, an update that is not awaited, or one of these by a helper.
@Suite struct ConcurrencyTests {
    @Test func `suites that begin work beside a test are run by ThreadSanitizer`() throws {
        let house = try SourceTree.house.get()
        let list = try #require(house.files.first { $0.path == ".ci/concurrent" })
        expectNone(Self.findings(in: house.swift(in: "Tests", "Examples"), Set(list.lines.map(String.init))))
    }

    @Test func `what ThreadSanitizer is to run exists`() throws {
        let house = try SourceTree.house.get()
        let list = try #require(house.files.first { $0.path == ".ci/concurrent" })
        let names = Set(
            house.swift(in: "Tests", "Examples").filter(\.hasSuites).map { $0.name.dropLast(".swift".count) })
        expectNone(
            list.lines.enumerated().filter { !$0.element.isEmpty && !names.contains($0.element) }
                .map { list.finding($0.offset + 1, "there is no \($0.element).swift with a suite") })
    }

    /// The functions of the tests that begin work, and the types whose members do.
    private static let helpers: Set<String> = [
        "BankPlan", "CrashPlan", "FakeServer", "FaultyProxy", "IncrementPlan", "IntegrityPeer", "IntegrityRun",
        "ServerBank", "TaskThread", "ThreadExecutor", "TransferRun", "WaitCall", "WaitTable", "WayOut", "awaitStandby",
        "commitWaits", "fuzzRowFile", "onThread", "readApart", "saveTogether", "startThread", "watched",
    ]
    /// Suites that ThreadSanitizer does not run, and why.
    private static let exceptions = [
        "BankServerTests": "a package of its own, with a web server",
        "FailoverTests": "its servers are ended by a clock",
        "JobEditorTests": "a package of its own, with a web server",
        "KilledBankTests": "its processes are killed by a clock",
        "OwnerCheckTests": "its processes have to stop at what would be a race",
    ]
    /// The snippets of articles and of the manual; what they call has suites of its own.
    private static let snippets: Set<Substring> = ["HouseTests", "ManualTests"]

    private static func findings(in files: [SourceFile], _ listed: Set<String>) -> [Finding] {
        files.filter { $0.folders.contains("Tests") && snippets.isDisjoint(with: $0.folders) }
            .flatMap { $0.hasSuites ? suiteFindings(in: $0, listed) : helperFindings(in: $0) }
    }

    private static func suiteFindings(in file: SourceFile, _ listed: Set<String>) -> [Finding] {
        let name = String(file.name.dropLast(".swift".count))
        guard !listed.contains(name), exceptions[name] == nil,
            let index = file.tokens.indices.first(where: { begins(file.tokens, at: $0) })
        else { return [] }
        let token = file.tokens[index]
        return [file.finding(token.line, "\(token.text) begins work. Add \(name) to .ci/concurrent")]
    }

    /// What has no suite is a helper, which is to be listed.
    private static func helperFindings(in file: SourceFile) -> [Finding] {
        let functions = file.declarations.filter { ["func", "init", "var"].contains($0.keyword) }
        return file.tokens.indices.filter { begins(file.tokens, at: $0) }.compactMap { index in
            let line = file.tokens[index].line
            let function = functions.first { ($0.line...$0.lastLine).contains(line) }
            let names = [function?.name, function?.parent.map { file.declarations[$0].name }].compactMap(\.self)
            if names.contains(where: helpers.contains) { return nil }
            return file.finding(
                line,
                "\(file.tokens[index].text) begins work. Add \(names.last ?? "it") to the helpers of ConcurrencyTests")
        }
    }

    // MARK: What begins work

    private static let calls = helpers.union([
        "beginPerform", "beginUpdate", "concurrentPerform", "detachNewThread", "pthread_create",
        "withDiscardingTaskGroup", "withTaskGroup", "withThrowingDiscardingTaskGroup", "withThrowingTaskGroup",
        "DispatchQueue", "Task", "Thread",
    ])

    private static func begins(_ tokens: [Token], at index: Int) -> Bool {
        func text(_ distance: Int) -> String {
            tokens.indices.contains(index + distance) ? tokens[index + distance].text : ""
        }
        guard tokens[index].kind == .word, text(-1) != "func" else { return false }
        if text(0) == "async" { return text(1) == "let" }
        // On the main actor it runs between two turns of the test.
        if ["class", "struct", "enum", "extension"].contains(text(-1)) { return false }
        if !calls.contains(text(0)) || text(0) == "Task" && text(1) == "{" && text(3) == "MainActor" { return false }
        if text(0) == "DispatchQueue" { return ["global", "main"].contains(text(2)) }
        return ["{", "("].contains(text(1))
            || text(1) == "." && ["detached", "allCases"].contains(text(2))
    }

    // MARK: The rule finds what it looks for

    @Test(arguments: [
        "Task { work() }", "Task.detached { work() }", "async let one = work()", "Thread { work() }.start()",
        "Thread.detachNewThread { work() }", "await withTaskGroup(of: Void.self) { _ in }",
        "context.beginUpdate { _ in }", "DispatchQueue.global().async { work() }",
        "DispatchQueue.concurrentPerform(iterations: 2) { _ in }", "try await onThread { work() }",
    ])
    func `begun work is found`(code: String) {
        let suite = SourceFile("Tests/A/ATests.swift", "@Suite struct ATests { @Test func a() { \(code) } }")
        #expect(Self.findings(in: [suite], []).count == 1)
        #expect(Self.findings(in: [SourceFile("Tests/A/A.swift", "func a() { \(code) }")], []).count == 1)
    }

    @Test(arguments: [
        "try context.beginUpdateAndWait { _ in }", "await Task.yield()", "Task { @MainActor in }",
        "let a = .beginUpdate",
    ])
    func `other work is not found`(code: String) {
        let suite = SourceFile("Tests/A/ATests.swift", "@Suite struct ATests { @Test func a() { \(code) } }")
        #expect(Self.findings(in: [suite], []).isEmpty)
    }
}

extension SourceFile {
    fileprivate var hasSuites: Bool {
        declarations.contains { $0.modifiers.contains { $0.hasPrefix("@Suite") || $0.hasPrefix("@Test") } }
    }
}
