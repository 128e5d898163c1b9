import ArgumentParser
import DataMonkCore
import DataMonkSQLite
import Foundation
import Testing

@testable import DataMonkCommands

/// The streams of `datamonk import` and `export`: rows by the standard input and output, and the progress on a terminal.
@Suite struct `Streams of rows` {
    private let store: InspectedStore

    init() throws {
        store = try InspectedStore()
        let model = try ManagedObjectModel {
            EntityDescription("Person", userInfo: ["relatedByAttribute": "id"]) {
                AttributeDescription("id", .integer64)
                AttributeDescription("name", .string)
            }
        }
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.add(
            SQLiteStore.open(store.url, configuration: nil, directory: coordinator.directory, index: 0))
        try coordinator.close()
        try Data("{\"Person\": {\"relatedByAttribute\": \"id\"}}".utf8).write(
            to: store.folder.appending(path: "map.json"))
    }

    private func path(_ name: String) -> String { store.folder.appending(path: name).path }

    private var arguments: [String] { ["--entity", "Person", "--mapping", path("map.json")] }

    @Test func `come from the standard input, and go to the standard output with nothing else`() async throws {
        let imported = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            [words = [store.url.path, "-", "--format", "jsonl"] + arguments as [String]] in
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            let text = Array("{\"id\": 1, \"name\": \"Monk\"}\n{\"id\": 2, \"name\": \"é\"}\n".utf8)
            try #require(write(ends[1], text, text.count) == text.count && dup2(ends[0], STDIN_FILENO) >= 0)
            close(ends[1])
            let outcome = try await ImportCommand.parse(words).outcome()
            #expect(outcome.status == .success && outcome.output.contains("inserted  2"), "\(outcome)")
        }
        #expect(imported != nil)
        let exported = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            [words = [store.url.path, "-", "--format", "csv"] + arguments as [String]] in
            let outcome = try await ExportCommand.parse(words).outcome()
            #expect(outcome.status == .success && outcome.output.isEmpty && outcome.error == nil, "\(outcome)")
        }
        let output = String(decoding: exported?.standardOutputContent ?? [], as: UTF8.self)
        #expect(output.contains("id,name\r\n1,Monk\r\n2,é\r\n"), "\(output)")
    }

    @Test func `are read from where the standard input stands`() async throws {
        try Data("no row\n{\"id\": 7, \"name\": \"Monk\"}\n".utf8).write(to: store.folder.appending(path: "rows"))
        await #expect(processExitsWith: .success) {
            [
                words = [store.url.path, "-", "--format", "jsonl"] + arguments as [String],
                rows = path("rows") as String
            ] in
            let file = open(rows, O_RDONLY)
            try #require(lseek(file, 7, SEEK_SET) == 7 && dup2(file, STDIN_FILENO) >= 0)
            let outcome = try await ImportCommand.parse(words).outcome()
            #expect(outcome.status == .success && outcome.output.contains("inserted  1"), "\(outcome)")
        }
    }

    @Test func `end with a signal, and the report says how far they came`() async throws {
        await #expect(processExitsWith: .success) {
            [words = [store.url.path, "-", "--format", "jsonl"] + arguments as [String]] in
            // The other end stays open, so only the signal ends the import.
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0 && dup2(ends[0], STDIN_FILENO) >= 0)
            let row = Array("{\"id\": 1}\n".utf8)
            try #require(write(ends[1], row, row.count) == row.count)
            let isFirst = Locked(true)
            let progress = RowProgress { _ in
                let isNow = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                if isNow { kill(getpid(), SIGTERM) }
            }
            await Interruption.cancelling {
                do {
                    Interruption.begin()
                    let outcome = try await ImportCommand.parse(words).outcome(progress: progress)
                    #expect(outcome.status == ExitStatus(rawValue: 128 + SIGTERM), "\(outcome)")
                    #expect(outcome.error == "The command was ended before it was done. No row is imported.")
                    #expect(outcome.output.hasPrefix("Rows        0\n"), "\(outcome)")
                } catch {
                    Issue.record(error)
                }
            }
        }
    }

    @Test(arguments: [(nil, nil), (0.0, 0), (0.5, 15), (1.0, 30), (1.7, 30), (-1.0, 0)] as [(Double?, Int?)])
    func `show a bar where the size is known, the rows and their rate`(done: Double?, filled: Int?) {
        let lines = Locked<[String]>([])
        let progress = RowProgress { line in lines.withLock { $0.append(line) } }
        progress.advance(rows: 1_234, done: done)
        let line = lines.withLock { $0.first } ?? ""
        #expect(line.hasPrefix("\r\u{1B}[K") && line.contains("\(1_234.formatted()) rows, "), "\(line)")
        #expect(line.hasSuffix(" a second") && !line.contains("\n"))
        #expect(line.count { $0 == "█" } == filled ?? 0 && line.count { $0 == "░" } == filled.map { 30 - $0 } ?? 0)
        progress.finish()
        #expect(lines.withLock { $0.last } == "\r\u{1B}[K")
    }

    @Test func `show progress while a command runs, and remove it`() async throws {
        let rows = (0..<3_000).map { "\($0),x\n" }.joined()
        try Data(("id,name\n" + rows).utf8).write(to: store.folder.appending(path: "a.csv"))
        for isImport in [true, false] {
            let lines = Locked<[String]>([])
            let progress = RowProgress { line in lines.withLock { $0.append(line) } }
            let outcome =
                isImport
                ? try await ImportCommand.parse([store.url.path, path("a.csv")] + arguments).outcome(progress: progress)
                : try await ExportCommand.parse([store.url.path, path("b.csv")] + arguments).outcome(progress: progress)
            #expect(outcome.status == .success, "\(outcome)")
            let shown = lines.withLock { $0 }
            #expect(shown.count > 1 && shown.dropLast().allSatisfy { $0.contains(" rows, ") }, "\(shown)")
            #expect(shown.last == "\r\u{1B}[K")
        }
        let silent = Locked<[String]>([])
        RowProgress { line in silent.withLock { $0.append(line) } }.finish()
        #expect(silent.withLock { $0.isEmpty })
    }
}
