import DataMonk
import Foundation
import StressWorkloads
import Testing

/// The workloads of the example `StressTest`, short. `DATAMONK_TRANSFERS` asks for more transactions.
@Suite(.serialized) struct StressConcurrencyTests {
    private static let transactions =
        ProcessInfo.processInfo.environment["DATAMONK_TRANSFERS"].flatMap { Int($0) } ?? 200

    private func withOptions(
        _ setUp: StressOptions.SetUp, _ order: UpdateOrder, isFile: Bool, transactions: Int = transactions,
        _ body: (StressOptions) async throws -> StressReport
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "DataMonk-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var options = StressOptions()
        (options.setUp, options.order, options.seed) = (setUp, order, 1)
        options.limit = .operations(transactions)
        options.file = isFile ? folder.appending(path: "Stress.sqlite") : nil
        let report = try await body(options)
        #expect(report.anomalies == [], "seed \(options.seed)")
        #expect(report.committed == transactions && report.reads > 0, "seed \(options.seed)")
        try FileManager.default.removeItem(at: folder)
    }

    @Test(arguments: StressOptions.SetUp.allCases, [false, true])
    func `no transfer is lost, and no reader sees half of one`(
        setUp: StressOptions.SetUp, isFile: Bool
    ) async throws {
        try await withOptions(setUp, .default, isFile: isFile) { try await TransferWorkload($0).run() }
    }

    @Test func `no transfer is lost under serial order, and none meets a conflict`() async throws {
        try await withOptions(.threeTiers, .serial, isFile: true) { options in
            let report = try await TransferWorkload(options).run()
            #expect(report.conflicts == 0)
            return report
        }
    }

    @Test(arguments: StressOptions.SetUp.allCases)
    func `main shows whole objects while others import, and no row is lost`(setUp: StressOptions.SetUp) async throws {
        try await withOptions(setUp, .default, isFile: true, transactions: Self.transactions / 10) { options in
            try await ImportWorkload(options).run()
        }
    }

    @Test(arguments: [UpdateOrder.default, .serial], [false, true])
    func `a crowd of updates ends, and every observer hears of each`(order: UpdateOrder, isFile: Bool) async throws {
        try await withOptions(.threeTiers, order, isFile: isFile) { try await CrowdWorkload($0).run() }
    }

    @Test(arguments: StressOptions.SetUp.allCases, [UpdateOrder.default, .serial])
    func `an order of transactions explains what everyone has read`(
        setUp: StressOptions.SetUp, order: UpdateOrder
    ) async throws {
        try await withOptions(setUp, order, isFile: order == .default) { try await HistoryWorkload($0).run() }
    }
}
