import DataMonk
import DataMonkTesting
import Foundation
import JobBoard
import Testing

/// The program as a person meets it: in a terminal, with keys, beside another process that changes the same jobs.
@Suite(.serialized) struct LiveListTests {
    private static let quiet = ["--commits", "0", "--jobs", "0", "--marks", "3600"]

    /// A program over a store that the test changes as well.
    private func withProgram(
        _ titles: [String] = [], columns: Int = 80, rows: Int = 24, arguments: [String] = quiet,
        _ body: (PseudoTerminal, Context) async throws -> Void
    ) async throws {
        try await withTemporaryStore { url in
            let stack = try Stack(Job.self)
            try await stack.addStore(.database(fileURL: url))
            let context = try Context(stack: stack)
            try await context.update { update in
                for (place, title) in titles.enumerated() {
                    let job = try update.create(Job.self)
                    (job.title, job.urgency) = (title, 90 - place)
                }
                try update.commit()
            }
            let program = try PseudoTerminal(["--store", url.path] + arguments, columns: columns, rows: rows)
            try await body(program, context)
            #expect(program.screen.findings.isEmpty)
            try await stack.closeStores()
        }
    }

    private static func add(_ title: String, _ urgency: Int, to context: Context) async throws {
        try await context.update { update in
            let job = try update.create(Job.self)
            (job.title, job.urgency) = (title, urgency)
            try update.commit()
        }
    }

    private static func change(
        _ title: String, in context: Context, _ body: @escaping @Sendable (Job, Update) throws -> Void
    ) async throws {
        try await context.update { update in
            try body(update.fetch(Job.self, %"title" == title), update)
            try update.commit()
        }
    }

    @Test func `a person adds, urges, moves on, finds and deletes jobs by keys alone`() async throws {
        try await withProgram { program, _ in
            let before = program.settings
            try await program.wait(for: "No jobs. n adds one.")
            program.type("nMend the roof\r")
            try await program.wait(for: /\+  50  Mend the roof$/)
            program.type("nSweep 東京\u{7F}\u{7F}Rome\r")
            try await program.wait(for: /\+  50  Sweep Rome$/)
            program.type("\u{1B}[B+")
            try await program.wait(for: /^>. +51  Sweep Rome$/)
            program.type(" ")
            try await program.wait(for: "Waiting (1)")
            program.type("/ROOF")
            try await program.wait("only the roof") { $0.text.contains("Search: ROOF") && !$0.text.contains("Sweep") }
            program.type("\r")
            try await program.wait(for: "with “ROOF”")
            program.type("d")
            try await program.wait(for: "Nothing found.")
            program.type("\u{1B}")
            try await program.wait(for: /^>. +51  Sweep Rome$/)
            program.type("q")
            #expect(try await program.end() == 0)
            #expect(program.settings == before)
            #expect(program.screen.modes == ["?7", "?25"])
        }
    }

    @Test func `what another process does is marked`() async throws {
        try await withProgram(["One", "Two", "Three", "Four"]) { program, context in
            try await program.wait(for: "Four")
            try await Self.add("Zero", 99, to: context)
            try await program.wait(for: /^ \+  99  Zero$/)
            try await Self.change("Two", in: context) { job, update in try update.delete(job) }
            try await program.wait("the deleted row where it was") {
                guard let row = $0.lines.firstIndex(of: " −  89  Two") else { return false }
                return $0.lines[row - 1].hasSuffix("One") && $0.cells[row].contains { $0.isStruckThrough }
            }
            try await Self.change("Four", in: context) { job, _ in job.urgency = 95 }
            try await program.wait(for: /^ ↑  95  Four$/)
            try await Self.change("Zero", in: context) { job, _ in job.urgency = 1 }
            try await program.wait(for: /^ ↓   1  Zero$/)
            try await Self.change("Three", in: context) { job, _ in job.stage = .done }
            try await program.wait("a section of its own") {
                $0.text.contains("Done (1)\n ↓  88  Three")
            }
            // The selection has stayed with its job.
            #expect(program.screen.lines.contains { $0.hasPrefix(">") && $0.hasSuffix("One") })
            program.type("q")
            #expect(try await program.end() == 0)
        }
    }

    @Test func `marks end by themselves`() async throws {
        let arguments = ["--commits", "0", "--jobs", "0", "--marks", "0.05"]
        try await withProgram(["One", "Two"], arguments: arguments) { program, context in
            try await program.wait(for: "Two")
            try await Self.change("Two", in: context) { job, update in try update.delete(job) }
            try await Self.add("Three", 1, to: context)
            try await program.wait("a list without marks") {
                $0.text.contains("Doing (2)\n>   90  One\n     1  Three\n") && !$0.text.contains("Two")
            }
            program.type("q")
            #expect(try await program.end() == 0)
        }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal gives the terminal back, and ends the program`(signal: Int32) async throws {
        try await withProgram(["One"]) { program, _ in
            let before = program.settings
            try await program.wait(for: "One")
            #expect(program.settings != before && program.screen.modes.contains("?1049"))
            if signal == SIGINT { program.type("\u{3}") } else { program.send(signal) }
            #expect(try await program.end() & 0x7F == signal)
            #expect(program.settings == before)
            #expect(program.screen.modes == ["?7", "?25"])
        }
    }

    @Test func `a stopped program gives the terminal back, and draws everything when it goes on`() async throws {
        try await withProgram(["One"]) { program, context in
            let before = program.settings
            try await program.wait(for: "One")
            program.type("\u{1A}")
            try await program.wait("the shell's screen") { !$0.modes.contains("?1049") }
            try await program.waitUntilStopped()
            #expect(program.settings == before)
            try await Self.add("Two", 1, to: context)
            program.send(SIGCONT)
            try await program.wait("the list again") { $0.modes.contains("?1049") && $0.text.contains("Two") }
            program.type("q")
            #expect(try await program.end() == 0)
        }
    }

    @Test func `the list fits any size, and keeps the selection in sight`() async throws {
        try await withProgram((0..<100).map { "Job \($0) of a long list with long titles" }) { program, _ in
            try await program.wait(for: "Job 19")
            program.type("G")
            try await program.wait(for: /^>.* Job 99 of a long list/)
            for (columns, rows) in [(200, 50), (20, 10), (7, 3), (1, 1), (3, 2), (40, 12)] {
                program.resize(columns: columns, rows: rows)
                try await program.wait("\(columns) by \(rows)") { screen in
                    screen.lines.contains { $0.hasPrefix(">") }
                        && (columns < 30 || screen.lines.contains { $0.contains("> ") && $0.contains("Job 99") })
                }
            }
            program.type("g")
            try await program.wait("the first rows") { $0.lines[1] == " Doing (100)" && $0.lines[2].hasPrefix(">") }
            program.type("q")
            #expect(try await program.end() == 0)
        }
    }

    @Test func `values of any kind are shown and do no harm`() async throws {
        let titles = [
            "\u{1B}[2J\u{1B}[31mred", "\u{9B}2J", "bell\u{7}\r\nline\u{2028}end\u{7F}", "\u{202E}turned",
            "\u{1B}]0;title\u{7}", "東京の地図を描く", "family 👨‍👩‍👧 end", "e" + String(repeating: "\u{301}", count: 5_000), "",
            String(repeating: "wide 漢字 ", count: 50),
        ]
        try await withProgram(titles) { program, _ in
            try await program.wait(for: "Doing (10)")
            let text = program.screen.text
            for shown in ["␛[2J␛[31mred", "\u{FFFD}2J", "bell␇␍␊line\u{FFFD}end␡", "turned", "東京の地図を描く", "family 👨"] {
                #expect(text.contains(shown))
            }
            #expect(program.screen.lines[11].hasSuffix("…") && !text.contains("\u{202E}"))
            #expect(program.screen.overflows == 0)
            program.type("q")
            #expect(try await program.end() == 0)
        }
    }

    @Test func `a change writes the lines that it changes`() async throws {
        try await withProgram((0..<15).map { "Job \($0)" }) { program, context in
            try await program.wait(for: "Job 14")
            let frames = program.screen.frames.count
            try await Self.change("Job 7", in: context) { job, _ in job.title = "Job seven" }
            try await program.wait(for: "Job seven")
            #expect(program.screen.frames.dropFirst(frames).map { $0.sorted() } == [[9]])
            program.type("q")
            #expect(try await program.end() == 0)
        }
    }

    @Test func `a thousand commits are drawn in few frames, and the last one shows what a fetch finds`() async throws {
        let arguments = ["--commits", "2000", "--jobs", "15", "--marks", "0"]
        // The team has a few jobs more now and then, and all of them are compared.
        try await withProgram(
            rows: 60, arguments: arguments,
            { program, context in
                try await program.wait("many frames") { $0.frames.count > 20 }
                program.type("p")
                try await program.wait(for: "paused")
                let age = program.age
                #expect(Double(program.screen.frames.count) <= 60 * (age / .seconds(1)) + 1)
                // The team may still commit the change that it has begun.
                try await program.wait("what a fetch finds") { screen in
                    let expected = try await context.read { reader in
                        try reader.fetchAll(Job.self, orderBy: .ascending(\.stage) | .descending(\.urgency)).map(
                            \.urgency)
                    }
                    return screen.lines.dropLast(2).compactMap { line in
                        line.wholeMatch(of: /[> ][ •+↑↓] +([0-9]+)  .*/).flatMap { Int($0.output.1) }
                    } == expected
                }
                program.type("q")
                #expect(try await program.end() == 0)
            })
    }

    @Test func `without a terminal it says so, and makes nothing`() throws {
        let process = Process()
        process.executableURL = URL(filePath: PseudoTerminal.program)
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        let message = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 1)
        #expect(String(decoding: message, as: UTF8.self).contains("not a terminal. Run LiveList in a terminal"))
        #expect(try output.fileHandleForReading.readToEnd()?.isEmpty ?? true)
    }

    @Test func `a terminal that takes nothing does not keep the program from ending`() async throws {
        try await withProgram(["One"], arguments: ["--commits", "500", "--jobs", "20"]) { program, _ in
            let before = program.settings
            // The jobs change at once, so any of them may be gone when the screen is first read.
            try await program.wait(for: "LiveList")
            program.type("\u{13}")  // Control-S
            program.send(SIGTERM)
            #expect(try await program.end() & 0x7F == SIGTERM)
            #expect(program.settings == before)
        }
    }
}
