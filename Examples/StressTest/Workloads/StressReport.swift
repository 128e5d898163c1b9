/// **Value.** What a workload has done and seen.
public struct StressReport: Sendable {
    /// Transactions that were committed.
    public var committed = 0
    /// Transactions that met a newer version and were tried again.
    public var conflicts = 0
    /// Reads that were checked.
    public var reads = 0
    /// How long each committed transaction took, tries included.
    public var latencies: [Duration] = []
    /// The longest time in which the main actor did not get to a beat of every millisecond; zero where none was kept.
    public var longestPause = Duration.zero
    /// What must not happen, in words.
    public var anomalies: [String] = []
    /// How long all took.
    public var duration = Duration.zero

    /// Makes an empty report.
    public init() {}

    /// Committed transactions a second.
    public var throughput: Double {
        let seconds = duration / .seconds(1)
        return seconds > 0 ? Double(committed) / seconds : 0
    }

    /// The time within which a part of the transactions was done.
    ///
    /// - Parameter part: 0.99 for 99 of a hundred.
    public func latency(_ part: Double) -> Duration {
        let sorted = latencies.sorted()
        guard !sorted.isEmpty else { return .zero }
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }
}
