import DataMonk
import Foundation
import Testing

/// The memory of reading and writing rows does not grow with their number.
@Suite struct `Memory of files of rows` {
    /// Rows: `DATAMONK_ROW_FILE`, for a run by hand, whose figures are then printed.
    private static var rows: (count: Int, arePrinted: Bool) {
        let asked = ProcessInfo.processInfo.environment["DATAMONK_ROW_FILE"].flatMap { Int($0) }
        return (asked ?? 12_000, asked != nil)
    }

    private static func makeFile(_ url: URL, begin: String, end: String, row: (Int) -> String) throws {
        try Data(begin.utf8).write(to: url)
        let file = try FileHandle(forWritingTo: url)
        try file.seekToEnd()
        for start in stride(from: 0, to: rows.count, by: 1_000) {
            let part = (start..<min(start + 1_000, rows.count)).map(row).joined()
            try file.write(contentsOf: Data(part.utf8))
        }
        try file.write(contentsOf: Data(end.utf8))
        try file.close()
    }

    /// Reads rows, and returns the bytes that were held at most, beyond those after the first rows.
    private static func walk<Rows: AsyncSequence>(_ rows: Rows) async throws -> Int where Rows.Element == ImportRow {
        var (count, warm, peak) = (0, 0, 0)
        for try await row in rows {
            _ = try row.content.get()
            count += 1
            guard count % 1_000 == 0 else { continue }
            let held = HeldMemory.bytes
            if count == 5_000 { warm = held }
            peak = max(peak, held)
        }
        #expect(count == Self.rows.count)
        return peak - warm
    }

    /// In a process of its own, whose memory nobody else uses.
    @Test func `reading a file holds no more at its end than after its first rows`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let (lines, array, table) = (folder.file("a.jsonl"), folder.file("a.json"), folder.file("a.csv"))
            func object(_ number: Int) -> String {
                "{\"id\": \(number), \"name\": \"Person number \(number)\", \"tags\": [\"a\", {}]}"
            }
            try Self.makeFile(lines, begin: "", end: "") { object($0) + "\n" }
            try Self.makeFile(array, begin: "{\"r\": [{\"id\": 0}", end: "]}") { $0 == 0 ? "" : ",\n" + object($0) }
            try Self.makeFile(table, begin: "id,name,tags\n", end: "") { "\($0),\"Person, number \($0)\",a b\n" }
            let growth = [
                try await Self.walk(JSONLines(.file(lines))), try await Self.walk(JSONRows(.file(array), at: "r")),
                try await Self.walk(CSVRows(.file(table))),
            ]
            // A chunk is a quarter of a megabyte.
            for bytes in growth { #expect(bytes < 2 << 20, "\(growth)") }
            if Self.rows.arePrinted {
                print("\(Self.rows.count) rows: at most \(growth) bytes more than after the first 5,000")
            }
        }
    }
}
