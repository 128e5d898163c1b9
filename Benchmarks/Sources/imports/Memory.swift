import DataMonk
import Foundation
import SystemSQLite

/// **Value.** The memory of the process, in megabytes: what is resident, what the allocator has handed out, and how much of
/// that SQLite has.
struct Memory {
    let resident: Double
    let allocated: Double
    let database: Double

    init() {
        resident = Self.status("VmRSS:")
        allocated = Self.allocated
        database = Double(sqlite3_memory_used()) / 1e6
    }

    /// The most memory that the process has had, in megabytes.
    static var peak: Double { status("VmHWM:") }

    /// Lets the peak begin with what is resident now.
    static func forgetPeak() {
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    }

    /// The options of an import; with `IMPORTS_MEMORY` in the environment it prints the memory after each 50,000 rows.
    static var printing: ImportOptions {
        var options = ImportOptions()
        if ProcessInfo.processInfo.environment["IMPORTS_MEMORY"] == nil { return options }
        options.progress = { report in
            if report.rows % 50_000 != 0 { return }
            let memory = Memory()
            print(
                String(
                    format: "%9d rows %7.1f MB resident %7.1f allocated %7.1f of SQLite", report.rows, memory.resident,
                    memory.allocated, memory.database))
        }
        return options
    }

    /// What the allocator has handed out and not got back, in all its arenas.
    private static var allocated: Double {
        var buffer: UnsafeMutablePointer<CChar>?
        var length = 0
        guard let stream = open_memstream(&buffer, &length) else { return 0 }
        malloc_info(0, stream)
        fclose(stream)
        guard let buffer else { return 0 }
        defer { free(buffer) }
        // The figures of all arenas stand behind those of each.
        let totals = String(cString: buffer).components(separatedBy: "</heap>").last ?? ""
        func size(_ element: String) -> Double {
            let part = totals.components(separatedBy: element).dropFirst().first ?? ""
            return Double(part.components(separatedBy: "size=\"").dropFirst().first?.prefix(while: \.isNumber) ?? "")
                ?? 0
        }
        let free = size("<total type=\"fast\"") + size("<total type=\"rest\"")
        return (size("<system type=\"current\"") + size("<total type=\"mmap\"") - free) / 1e6
    }

    private static func status(_ name: String) -> Double {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
            let kilobytes = line.split(separator: " ").compactMap({ Double($0) }).first
        else { return 0 }
        return kilobytes * 1_024 / 1e6
    }
}
