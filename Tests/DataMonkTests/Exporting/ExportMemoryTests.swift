#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// The memory of an export does not grow with its rows, but for the ids of the objects.
    @Suite struct `Memory of exports` {
        /// Rows: `DATAMONK_ROW_FILE`, for a run by hand, whose figures are then printed.
        private static var rows: (count: Int, arePrinted: Bool) {
            let asked = ProcessInfo.processInfo.environment["DATAMONK_ROW_FILE"].flatMap { Int($0) }
            return (asked ?? 12_000, asked != nil)
        }

        @Entity("ExportedGuest", userInfo: ["relatedByAttribute": "number"]) final class Guest: ManagedObject {
            var number: Int = 0
            var name: String = ""
            @Relationship(deleteRule: .cascade, inverse: \Bag.guest) var bags: Set<Bag>
        }

        /// Without a key.
        @Entity("ExportedBag") final class Bag: ManagedObject {
            var weight: Int = 0
            var guest: Guest?
        }

        /// Exports to a file, and returns the bytes that were held at most, beyond those after the first rows.
        private static func export(_ stack: Stack, to url: URL, _ format: ExportFormat, depth: Int) async throws -> Int
        {
            let held = Locked((warm: 0, peak: 0))
            var options = ExportOptions(format: format, depth: depth)
            options.progress = { report in
                // Each 500 rows. What is fetched goes by parts that differ a little.
                let bytes = HeldMemory.bytes
                held.withLock { held in
                    if report.rows == 5_000 { held.warm = bytes }
                    if report.rows >= 5_000 { held.peak = max(held.peak, bytes) }
                }
            }
            let report = try await stack.exportRows(Guest.self, to: .file(url), options: options)
            #expect(report.rows == Self.rows.count)
            return held.withLock { $0.peak - $0.warm }
        }

        /// In a process of its own, whose memory nobody else uses.
        @Test func `is the same after many rows as after the first ones`() async {
            await #expect(processExitsWith: .success) {
                let folder = try TemporaryFolder()
                let stack = try Stack(Guest.self)
                try stack.addDatabaseStore(fileURL: folder.file("guests.sqlite"), synchronous: .normal)
                let context = try Context(stack: stack)
                for start in Swift.stride(from: 0, to: Self.rows.count, by: 4_000) {
                    try await context.update { update in
                        for number in start..<min(start + 4_000, Self.rows.count) {
                            let guest = try update.create(Guest.self)
                            guest.number = number
                            guest.name = "Guest number \(number)"
                            let bag = try update.create(Bag.self)
                            bag.weight = number % 30
                            bag.guest = guest
                        }
                        try update.commit()
                    }
                }
                let growth = [
                    try await Self.export(stack, to: folder.file("a.jsonl"), .jsonLines, depth: 0),
                    try await Self.export(stack, to: folder.file("b.json"), .json, depth: 2),
                    try await Self.export(stack, to: folder.file("c.csv"), .csv(CSVFormat()), depth: 0),
                ]
                // A part of the file is a quarter of a megabyte.
                for bytes in growth { #expect(bytes < 2 << 20, "\(growth)") }
                if Self.rows.arePrinted {
                    print("\(Self.rows.count) rows: at most \(growth) bytes more than after the first 5,000")
                }
            }
        }
    }
#endif
