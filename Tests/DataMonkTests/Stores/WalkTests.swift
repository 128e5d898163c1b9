#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// A context that walks over all rows of a store, a page at a time, and keeps none.
    @Suite struct `Walks over many rows` {
        private static let pageSize = 1_000

        /// Rows to walk over: `DATAMONK_WALK_ROWS`, for a walk by hand, whose figures are then printed.
        private static var rows: (count: Int, arePrinted: Bool) {
            let asked = ProcessInfo.processInfo.environment["DATAMONK_WALK_ROWS"].flatMap { Int($0) }
            return (asked ?? 20_000, asked != nil)
        }

        /// In a process of its own, whose memory nobody else uses.
        @Test func `a walk in pages holds no more at its end than after its first pages`() async {
            await #expect(processExitsWith: .success) {
                let folder = try TemporaryFolder()
                let url = folder.file("walk.sqlite")
                try Self.makeRows(Self.rows.count, at: url)
                try Self.walk(url)
            }
        }

        private static func makeRows(_ count: Int, at url: URL) throws {
            let stack = Stack(model: try Office.model.get())
            try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
            for start in stride(from: 0, to: count, by: 5_000) {
                let context = ManagedObjectContext(coordinator: stack.coordinator)
                for number in start..<min(start + 5_000, count) {
                    let employee = try context.employee("Employee number \(number)")
                    employee.age = number
                    employee.note = "is the one with the number \(number)"
                }
                try context.save()
            }
            try stack.close()
        }

        private static func walk(_ url: URL) throws {
            let stack = Stack(model: try Office.model.get())
            try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            let (count, arePrinted) = rows
            let start = HeldMemory.bytes
            // The row cache fills up to its bound; what the context holds is the rest.
            func rest() -> Int { HeldMemory.bytes - stack.coordinator.rowCacheUse.bytes }
            var (warm, peak, mostRegistered, sum) = (0, 0, 0, 0)
            // The cache's index grows with it: a long walk is measured from where the cache is full.
            let warmUp = count >= 600_000 ? count / 2 : 4 * pageSize
            for offset in stride(from: 0, to: count, by: pageSize) {
                var request = FetchRequest(entityName: "Employee")
                (request.fetchOffset, request.fetchLimit) = (offset, pageSize)
                for case let employee as Office.Employee in try context.fetch(request) { sum += employee.age }
                mostRegistered = max(mostRegistered, context.identities.count)
                if offset == warmUp { (warm, peak) = (rest(), 0) }
                peak = max(peak, rest())
            }
            #expect(sum == count * (count - 1) / 2)
            #expect(context.registeredObjects.isEmpty)
            #expect(mostRegistered <= 4 * pageSize, "\(mostRegistered) objects were registered at a time")
            let end = rest()
            let cache = stack.coordinator.rowCacheUse
            context.endTurn()
            // A page of objects and rows is about half a megabyte.
            #expect(end <= warm + 2 << 20, "\(end - warm) bytes more at the end")
            #expect(peak <= warm + 4 << 20, "\(peak - warm) bytes more at the peak")
            #expect(cache.rows <= 65_536 && cache.bytes <= 64 << 20)
            if arePrinted {
                print(
                    "rows \(count): held at the start \(start), without the row cache when warm \(warm), at most "
                        + "\(peak), at the end \(end); the row cache \(cache.bytes) for \(cache.rows) rows; registered "
                        + "at most \(mostRegistered); resident \(residentBytes)")
            }
        }

        private static var residentBytes: Int {
            // Reason for try?: a figure to print, on systems that have it.
            let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
            return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
        }
    }
#endif
