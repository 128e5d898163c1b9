import ArgumentParser
import DataMonk
import Foundation
import StressWorkloads

/// Writers, readers and a main context at work at the same time, until the time is up or something is wrong.
@main
struct StressTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs concurrent updates and checks what every reader sees.",
        discussion: """
            Exits with 0 if all held, with 1 if an anomaly was found; a seed runs the same transactions again, though \
            threads may meet in another order.
            """)

    enum Workload: String, CaseIterable, ExpressibleByArgument {
        case transfers, histories, imports, crowds, all
    }

    @Option(
        help: ArgumentHelp(
            "What to run.",
            discussion: """
                Transfers between accounts, histories of appended lists, imports beside a main context that shows \
                objects, crowds of updates that begin at once; or all of them in turn.
                """))
    var workload = Workload.all

    @Option(help: "The set-up: \(setUps).", transform: Self.setUp)
    var setUp = StressOptions.SetUp.threeTiers

    @Flag(help: "One update at a time.")
    var serial = false

    @Flag(help: "Keep the store in memory instead of in a file.")
    var memory = false

    @Option(help: "For how many seconds each workload runs.")
    var seconds = 10.0

    @Option(help: ArgumentHelp("End after so many transactions instead.", valueName: "count"))
    var transactions: Int?

    @Option(help: "How many write at the same time.")
    var writers = 8

    @Option(help: "How many read at the same time.")
    var readers = 4

    @Option(help: "Where the random numbers begin.")
    var seed: UInt64 = .random(in: 1...1_000_000)

    @Flag(help: ArgumentHelp("Raise a count without a lock, for ThreadSanitizer to report.", visibility: .hidden))
    var plantedRace = false

    private static let setUps = StressOptions.SetUp.allCases.map(\.rawValue).joined(separator: ", ")

    private static func setUp(_ name: String) throws -> StressOptions.SetUp {
        guard let setUp = StressOptions.SetUp(rawValue: name) else {
            throw ValidationError("There is no set-up \(name). Name one of \(setUps).")
        }
        return setUp
    }

    func validate() throws {
        guard seconds > 0, writers > 0, readers >= 0, transactions ?? 1 > 0 else {
            throw ValidationError("There must be some time, some transactions and at least one writer.")
        }
    }

    func run() async throws {
        let workloads = workload == .all ? Workload.allCases.filter { $0 != .all } : [workload]
        var isSound = true
        for workload in workloads {
            let folder = FileManager.default.temporaryDirectory.appending(path: "DataMonk StressTest \(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let report = try await run(workload, in: folder)
            print(StressText.text(of: report))
            if report.anomalies.isEmpty {
                try FileManager.default.removeItem(at: folder)
            } else {
                isSound = false
                print("Seed \(seed). The store is kept in \(folder.path).")
            }
        }
        if !isSound { throw ExitCode.failure }
    }

    private func run(_ workload: Workload, in folder: URL) async throws -> StressReport {
        var options = StressOptions()
        options.setUp = setUp
        options.order = serial ? .serial : .default
        options.file = memory ? nil : folder.appending(path: "Stress.sqlite")
        (options.writers, options.readers, options.seed) = (writers, readers, seed)
        options.hasPlantedRace = plantedRace
        options.limit = transactions.map { .operations($0) } ?? .duration(.seconds(seconds))
        print("\(workload.rawValue): \(setUp.rawValue), \(serial ? "serial" : "default") order, seed \(seed)")
        let bar = StressBar()
        defer { bar.end() }
        switch workload {
        case .histories: return try await HistoryWorkload(options).run { bar.show($0) }
        case .imports: return try await ImportWorkload(options).run { bar.show($0) }
        case .crowds: return try await CrowdWorkload(options).run { bar.show($0) }
        case .transfers, .all: return try await TransferWorkload(options).run { bar.show($0) }
        }
    }
}
