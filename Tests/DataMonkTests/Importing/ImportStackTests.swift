#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Imports of the same keys by stacks that know nothing of one another, in one process and in two.
    @Suite struct `Imports of stacks over one file` {
        @Test(arguments: [1, 2]) func `make one object for each key, and count each row once`(
            chunksInFlight: Int
        ) async throws {
            let tracker = try Tracker()
            let reports = try await withThrowingTaskGroup(of: ImportReport.self) { group in
                for seat in 0..<3 {
                    let plan = SharedImport(
                        url: tracker.url, seat: seat, count: 300, chunksInFlight: chunksInFlight)
                    group.addTask { try await plan.run() }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            try await check(reports, of: 300, in: tracker)
        }

        @Test(.timeLimit(.minutes(60))) func `hold for two processes as well`() async throws {
            let tracker = try Tracker()
            await withTaskGroup(of: Void.self) { group in
                for seat in 0..<2 {
                    let plan = SharedImport(url: tracker.url, seat: seat, count: 1_000, chunksInFlight: 2)
                    group.addTask {
                        await #expect(processExitsWith: .success, "process \(seat)") { [plan = plan as SharedImport] in
                            try plan.meetOther()
                            let report = try await plan.run()
                            try JSONEncoder().encode([
                                report.inserted, report.updated, report.unchanged, report.failed,
                                report.relatedInserted,
                            ]).write(to: plan.reportURL(of: plan.seat))
                        }
                    }
                }
            }
            let reports = try (0..<2).map { seat in
                let data = try Data(contentsOf: SharedImport(url: tracker.url).reportURL(of: seat))
                let counts = try JSONDecoder().decode([Int].self, from: data)
                var report = ImportReport()
                (report.inserted, report.updated, report.unchanged) = (counts[0], counts[1], counts[2])
                (report.failed, report.relatedInserted) = (counts[3], counts[4])
                return report
            }
            try await check(reports, of: 1_000, in: tracker)
        }

        private func check(_ reports: [ImportReport], of count: Int, in tracker: Tracker) async throws {
            for report in reports { #expect(report.rows == count && report.failed == 0, "\(report)") }
            #expect(reports.reduce(0) { $0 + $1.inserted } == count, "\(reports)")
            #expect(reports.reduce(0) { $0 + $1.relatedInserted } == SharedImport.issues, "\(reports)")
            let (ids, numbers) = try await tracker.context.read { reader in
                (
                    try reader.fetchAll(Tracker.User.self, orderBy: .Ascending("id")).map(\.id),
                    try reader.fetchAll(Tracker.Issue.self, orderBy: .Ascending("number")).map(\.number)
                )
            }
            #expect(ids == Array(0..<count) && numbers == Array(0..<SharedImport.issues))
            #expect(try Stack.examine(storeAt: tracker.url).findings.isEmpty)
        }
    }

    /// One of the imports, by a stack of its own: users, and a few issues that many of them lead to.
    private struct SharedImport: Codable, Sendable {
        static let issues = 40
        /// The location of the store.
        var url: URL
        /// The number of the import among those that run at once. One that is odd has the rows in the other order.
        var seat = 0
        var count = 0
        var chunksInFlight = 1

        func run() async throws -> ImportReport {
            let stack = try Tracker.openStack(at: url)
            let ids = seat % 2 == 0 ? Array(0..<count) : Array((0..<count).reversed())
            let rows = [ImportRow](
                ids.map { id in
                    [
                        "id": .int(Int64(id)), "login": .string("by \(seat)"),
                        "issues": .list([.int(Int64(id % Self.issues))]),
                    ]
                })
            var options = ImportOptions()
            (options.chunkSize, options.chunksInFlight) = (20, chunksInFlight)
            // Each attempt meets what one chunk of each other import has committed.
            options.retries = 1_000
            let report = try await stack.importRows(Tracker.User.self, from: rows.stream(), options: options)
            try await stack.closeStores()
            return report
        }

        func reportURL(of seat: Int) -> URL { url.deletingLastPathComponent().appending(path: "report \(seat).json") }

        /// Waits for the other process: the end of a pipe is opened when the other end is.
        func meetOther() throws {
            let path = url.deletingLastPathComponent().appending(path: "meeting").path
            guard mkfifo(path, 0o600) == 0 || errno == EEXIST else { throw CocoaError(.fileWriteUnknown) }
            let end = open(path, seat == 0 ? O_RDONLY : O_WRONLY)
            guard end >= 0 else { throw CocoaError(.fileReadUnknown) }
            close(end)
        }
    }
#endif
