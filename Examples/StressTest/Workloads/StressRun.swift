import DataMonk
import Foundation

/// **Shared.** Counts what a workload does, and says when it is to end.
actor StressRun {
    private let limit: StressOptions.Limit
    private let progress: @Sendable (Double) -> Void
    private let start = ContinuousClock.now
    private var begun = 0
    /// How many transactions may still begin before the next round.
    private var left = Int.max
    private var report = StressReport()

    init(_ limit: StressOptions.Limit, progress: @escaping @Sendable (Double) -> Void) {
        self.limit = limit
        self.progress = progress
    }

    /// Whether one more transaction is to begin.
    func begin() -> Bool {
        guard isRunning else { return false }
        begun += 1
        left -= 1
        return true
    }

    /// Whether readers are to go on.
    var isRunning: Bool { left > 0 && part < 1 && report.anomalies.isEmpty }

    /// Whether one more round of so many transactions is to begin.
    func beginRound(of count: Int) -> Bool {
        left = count
        return isRunning
    }

    private var part: Double {
        switch limit {
        case .duration(let duration): (ContinuousClock.now - start) / duration
        case .operations(let count): Double(begun) / Double(max(1, count))
        }
    }

    func committed(after latency: Duration, conflicts: Int) {
        report.committed += 1
        report.conflicts += conflicts
        report.latencies.append(latency)
        progress(min(1, part))
    }

    func read() { report.reads += 1 }

    func paused(for pause: Duration) { report.longestPause = max(report.longestPause, pause) }

    /// Transactions that were committed so far.
    var committed: Int { report.committed }

    func anomaly(_ text: String) { report.anomalies.append(text) }

    func end() -> StressReport {
        report.duration = ContinuousClock.now - start
        return report
    }
}
