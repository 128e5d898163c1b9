#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Lists on the main actor beside imports.
    @Suite struct `Lists beside an import` {
        private static let order = OrderBy.Descending("city") | .Ascending("name") | .Ascending("id")

        private func row(_ id: Int) -> [String: ManagedValue] {
            [
                "id": .int(Int64(id)), "login": .string("user \(id * 7 % 500)"),
                "profile": ["city": .string("city \(id % 5)")],
            ]
        }

        @Test @MainActor func `have what is committed on the way, and equal a fetch at the end`() async throws {
            let tracker = try Tracker()
            let main = try MainContext(stack: tracker.stack)
            // Half of the users are there under other names, and move.
            try await tracker.stack.importRows(
                Tracker.User.self,
                from: [ImportRow]((0..<500).filter { $0 % 2 == 0 }.map { ["id": .int(Int64($0)), "login": "old"] })
                    .stream())
            let list = try main.fetchedResults(Tracker.User.self, orderBy: Self.order)
            let look: @MainActor @Sendable () async throws -> Int = {
                try await main.waitUntilListsAreCurrent(deadline: .seconds(3_600))
                return list.objects.count { $0.name != "old" }
            }
            let (next, seen) = (Locked(0), Locked<[Int]>([]))
            // The input waits for the list, so that there is something to see.
            let input = AsyncThrowingStream<ImportRow, any Error> { [row] in
                let number = next.withLock { number in
                    defer { number += 1 }
                    return number
                }
                if number == 500 { return nil }
                if number % 120 == 0 {
                    let count = try await look()
                    seen.withLock { $0.append(count) }
                }
                return ImportRow(at: ImportPlace(index: number), values: row(number))
            }
            var options = ImportOptions()
            (options.chunkSize, options.chunksInFlight) = (50, 1)
            let report = try await tracker.stack.importRows(Tracker.User.self, from: input, options: options)
            #expect(report.inserted == 250 && report.updated == 250)
            // Whole chunks. The chunk before the one that is read may be on its way.
            let counts = seen.withLock { $0 }
            #expect(counts.count == 5 && counts.allSatisfy { $0 % 50 == 0 })
            #expect(zip(counts, [0, 50, 150, 300, 400]).allSatisfy { $0 >= $1 }, "\(counts)")
            try await main.waitUntilListsAreCurrent(deadline: .seconds(3_600))
            let ids = try await tracker.context.read { reader in
                try reader.fetchAll(Tracker.User.self, orderBy: Self.order).map(\.id)
            }
            #expect(list.objects.map(\.id) == ids && ids.count == 500)
            #expect(try main.fetchAll(Tracker.User.self, orderBy: Self.order) == list.objects)
            #expect(list.objects.allSatisfy { $0.name == "user \($0.id * 7 % 500)" })
        }
    }
#endif
