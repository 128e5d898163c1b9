import DataMonk
import Foundation

/// **Value.** One way to get rows into a file, measured in a process of its own.
enum Measurement: String, CaseIterable {
    /// A batch insert of rows that are made on the way: what an import is measured against.
    case batch
    /// An import of rows that are made on the way, and of the same rows again.
    case rows, again
    /// A batch insert that updates, of rows that are there.
    case upsert
    /// An import of a file of JSON lines, and of one of CSV.
    case lines, cells
    /// An export of the rows to a file of JSON lines, and to one of CSV.
    case exportLines = "to-lines", exportCells = "to-cells"
    /// A file of CSV that is read and not imported, by DataMonk and by SwiftCSV.
    case reading, readingBySwiftCSV = "swiftcsv"
    /// The same by other means: Foundation's decoder and GRDB's records in one transaction, and `sqlite3 .import` into a
    /// table of texts.
    case linesByGRDB = "grdb", cellsBySQLite = "sqlite3"

    /// The input and the files are in a folder of their own.
    func run(_ count: Int, in folder: URL) async throws -> Double {
        let input = folder.appendingPathComponent("input")
        switch self {
        case .lines, .linesByGRDB: try Self.write(count, to: input) { $0.line }
        case .cells, .cellsBySQLite, .reading, .readingBySwiftCSV:
            try Self.write(count, to: input, header: Villager.header) { $0.cells }
        case .exportLines, .exportCells: try Self.runAlone(.batch, count, in: folder)
        case .batch, .rows, .again, .upsert: break
        }
        Memory.forgetPeak()
        switch self {
        case .reading:
            return try await seconds {
                var rows = 0
                for try await row in CSVRows(.file(input)) where try !row.content.get().isEmpty { rows += 1 }
                try require(rows == count)
            }
        case .readingBySwiftCSV: return try seconds { try require(try Peers.countCells(of: input) == count) }
        case .linesByGRDB: return try seconds { try Peers.insertLines(of: input, into: folder) }
        case .cellsBySQLite: return try seconds { try Peers.importCells(of: input, into: folder) }
        default: return try await runDataMonk(count, input: input, in: folder)
        }
    }

    private static func write(
        _ count: Int, to file: URL, header: String = "", text: (VillagerInput) -> String
    ) throws {
        try Data(header.utf8).write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        for start in stride(from: 0, to: count, by: 10_000) {
            let part = (start..<min(count, start + 10_000)).map { text(VillagerInput($0)) }.joined()
            try handle.write(contentsOf: Data(part.utf8))
        }
        try handle.close()
    }

    private func runDataMonk(_ count: Int, input file: URL, in folder: URL) async throws -> Double {
        let stack = try Stack(Villager.self)
        try stack.addDatabaseStore(fileURL: folder.appendingPathComponent("villagers.sqlite"), synchronous: .normal)
        let context = try Context(stack: stack)
        func batch() async throws {
            try await context.update { update in
                var numbers = (0..<count).makeIterator()
                try update.batchInsert(Villager.self) { villager in
                    guard let number = numbers.next() else { return true }
                    let input = VillagerInput(number)
                    villager.number = input.number
                    villager.name = input.name
                    villager.age = input.age
                    villager.location = input.location
                    villager.salary = input.salary
                    villager.created = Date(timeIntervalSinceReferenceDate: Double(number))
                    return false
                }
            }
        }
        func rows() async throws -> ImportReport {
            try await stack.importRows(Villager.self, from: MadeRows(count: count), options: Memory.printing)
        }
        switch self {
        case .batch: return try await seconds { try await batch() }
        case .rows:
            return try await seconds { try require(try await rows().inserted == count) }
        case .again:
            _ = try await rows()
            return try await seconds { try require(try await rows().unchanged == count) }
        case .upsert:
            try await batch()
            return try await seconds {
                try await context.update { update in
                    var numbers = (0..<count).makeIterator()
                    var request = BatchInsertRequest(entityName: "Villager") { values in
                        guard let number = numbers.next() else { return true }
                        values = ["number": .int(Int64(number)), "age": 5]
                        return false
                    }
                    request.duplicates = .updated
                    try require(try update.execute(request).upsert?.insertedCount == 0)
                }
            }
        case .lines:
            return try await seconds {
                let report = try await stack.importRows(
                    Villager.self, from: JSONLines(.file(file)), options: Memory.printing)
                try require(report.inserted == count)
            }
        case .cells:
            return try await seconds {
                let report = try await stack.importRows(
                    Villager.self, from: CSVRows(.file(file)), options: Memory.printing)
                try require(report.inserted == count)
            }
        case .exportLines, .exportCells:
            return try await seconds {
                let options = ExportOptions(format: self == .exportLines ? .jsonLines : .csv(CSVFormat()))
                let report = try await stack.exportRows(
                    Villager.self, to: .file(folder.appendingPathComponent("output")), options: options)
                try require(report.rows == count)
            }
        case .linesByGRDB, .cellsBySQLite, .reading, .readingBySwiftCSV: preconditionFailure("Not of DataMonk")
        }
    }

    /// Measures in a process of its own, so that its memory is no part of this one's.
    ///
    /// - Parameter folder: The folder of the files, which stay there; `nil` for one that is removed.
    static func runAlone(_ measurement: Measurement, _ count: Int, in folder: URL? = nil) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["\(count)", measurement.rawValue] + (folder.map { ["--in", $0.path] } ?? [])
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 { throw Peers.Failure(status: process.terminationStatus) }
    }

    private func seconds(_ body: () throws -> Void) throws -> Double {
        let begin = ContinuousClock.now
        try body()
        return (ContinuousClock.now - begin) / .seconds(1)
    }

    private func seconds(_ body: () async throws -> Void) async throws -> Double {
        let begin = ContinuousClock.now
        try await body()
        return (ContinuousClock.now - begin) / .seconds(1)
    }

    private func require(_ condition: Bool) throws {
        if !condition { throw CocoaError(.coderInvalidValue) }
    }
}

/// **Value.** Rows that are made when they are read.
struct MadeRows: AsyncSequence, Sendable {
    let count: Int

    struct AsyncIterator: AsyncIteratorProtocol {
        let count: Int
        var number = 0

        mutating func next() async -> ImportRow? {
            if number == count { return nil }
            defer { number += 1 }
            return ImportRow(at: ImportPlace(index: number), values: VillagerInput(number).values)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(count: count) }
}
