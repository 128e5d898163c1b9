import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Tables that are odd in every way that CSV allows, and some in ways that it does not, beside what Python's `csv` reads.
@Suite(.enabled(if: PythonTables.interpreter != nil, "There is no python3.")) struct `Random tables` {
    private static let count = ProcessInfo.processInfo.environment["DATAMONK_CSV_FILES"].flatMap { Int($0) } ?? 500
    private static let columns = ["a", "b", "c", "d"]
    private static let pieces = [
        "", "", "x", "12", " ", "\"", "\"\"", ",", "\n", "\r\n", "\r", ";", "é", "👩🏽‍🚀", "\u{FEFF}", "\t", "'", "\\",
        "e\u{301}",
    ]

    private static let seed =
        ProcessInfo.processInfo.environment["DATAMONK_CSV_SEED"].flatMap { UInt64($0) } ?? 1

    @Test func `have the rows that Python reads`() async throws {
        let seed = Self.seed
        var random = SeededGenerator(seed: seed)
        let tables = (0..<Self.count).map { $0 % 2 == 0 ? Self.table(&random) : Self.soup(&random) }
        let answers = try PythonTables.read(tables)
        try #require(answers.count == tables.count)
        for (number, (text, answer)) in zip(tables, answers).enumerated() {
            let columns = Array(Self.columns.prefix(number % 3 + 1 + number % 2))
            for size in [1, 7, 4_096] {
                let read = await ReadRows(
                    CSVRows(.chunks(of: text, size: size), format: CSVFormat(emptyCells: .text), columns: columns))
                let problem = Self.difference(of: read, from: answer, columns)
                #expect(problem == nil, "seed \(seed), table \(number) by \(size): \(text.debugDescription)")
                if problem != nil { return }
            }
        }
        #expect(answers.contains(where: \.hasError) && answers.contains { $0.rows.count > 3 && !$0.hasError })
    }

    /// Compares rows up to the first one that Python refuses.
    private static func difference(
        of read: ReadRows, from answer: PythonTables.Answer, _ columns: [String]
    ) -> String? {
        // A line without a character is nothing, unless there is one column.
        let lines = answer.rows.map { $0.isEmpty && columns.count == 1 ? [""] : $0 }
        let cells = lines.filter { !$0.isEmpty }
        let expected = cells.map { cells -> [String: ManagedValue]? in
            if cells.dropFirst(columns.count).contains(where: { !$0.isEmpty }) { return nil }
            return Dictionary(uniqueKeysWithValues: zip(columns, cells.map { .string($0) }))
        }
        let rows = Array(read.rows.prefix(expected.count))
        // An empty quoted cell is a text, and one too many; Python does not tell it from an empty one.
        let isRefusable = cells.map { $0.count > columns.count }
        let isEqual =
            rows.count == expected.count
            && zip(zip(rows, expected), isRefusable).allSatisfy { $0.0 == $0.1 || $0.0 == nil && $1 }
        if !isEqual { return "\(rows) instead of \(expected)" }
        if !answer.hasError { return read.rows.count == rows.count && read.failure == nil ? nil : "more: \(read)" }
        let isRefused =
            read.rows.count > rows.count
            ? read.rows[rows.count] == nil : read.failure?.contains("Nothing closes") == true
        return isRefused ? nil : "not refused: \(read)"
    }

    /// A table as programs write it: its cells are quoted where they must be, and some of the others.
    private static func table(_ random: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            let cells = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                let cell = (0..<Int.random(in: 0...4, using: &random)).map { _ in piece(&random) }.joined()
                let mustQuote = cell.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
                if !mustQuote, Bool.random(using: &random) { return cell }
                return "\"" + cell.replacing("\"", with: "\"\"") + "\""
            }
            text += cells.joined(separator: ",") + (["\n", "\r\n", "\r"].randomElement(using: &random) ?? "\n")
        }
        return Bool.random(using: &random) ? text : text.trimmingCharacters(in: .newlines)
    }

    /// Pieces in any order.
    private static func soup(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...40, using: &random)).map { _ in piece(&random) }.joined()
    }

    private static func piece(_ random: inout SeededGenerator) -> String { pieces.randomElement(using: &random) ?? "" }
}

/// What Python's `csv` makes of tables.
private enum PythonTables {
    struct Answer: Decodable {
        /// The rows before an error.
        let rows: [[String]]
        let hasError: Bool
    }

    static let interpreter = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map {
        URL(fileURLWithPath: String($0)).appending(path: "python3")
    }.first { FileManager.default.isExecutableFile(atPath: $0.path) }

    private static let program = """
        import csv, io, json, sys
        answers = []
        for text in json.load(open(sys.argv[1], encoding="utf-8")):
            rows, failed = [], False
            # A mark at the beginning tells the encoding, and is no text.
            try:
                for row in csv.reader(io.StringIO(text.removeprefix("\\ufeff"), newline=""), strict=True):
                    rows.append(row)
            except csv.Error:
                failed = True
            answers.append({"rows": rows, "hasError": failed})
        json.dump(answers, open(sys.argv[2], "w", encoding="utf-8"))
        """

    static func read(_ tables: [String]) throws -> [Answer] {
        let folder = try TemporaryFolder()
        let (input, output) = (folder.file("tables.json"), folder.file("rows.json"))
        try JSONEncoder().encode(tables).write(to: input)
        let process = Process()
        process.executableURL = interpreter
        process.arguments = ["-c", program, input.path, output.path]
        try process.run()
        process.waitUntilExit()
        return try JSONDecoder().decode([Answer].self, from: Data(contentsOf: output))
    }
}
