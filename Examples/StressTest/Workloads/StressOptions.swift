public import DataMonk
public import Foundation

/// **Value.** What a workload runs on, and for how long.
public struct StressOptions: Sendable {
    /// **Value.** How the main context follows updates.
    public enum SetUp: String, CaseIterable, Sendable {
        /// The default.
        case threeTiers = "three-tiers"
        /// Two tiers; main merges on its turn.
        case autoMerge = "auto-merge"
        /// Two tiers; main keeps its state until it is refreshed.
        case manualReload = "manual-reload"
        /// A context makes the updates, and the screen's main context is reset after each commit.
        case screens
    }

    /// **Value.** When a workload ends.
    public enum Limit: Sendable {
        /// After some time.
        case duration(Duration)
        /// After so many operations.
        case operations(Int)
    }

    /// The set-up.
    public var setUp = SetUp.threeTiers
    /// Whether updates run at the same time.
    public var order = UpdateOrder.default
    /// The store's file; nil for a store in memory.
    public var file: URL?
    /// How many write at the same time.
    public var writers = 8
    /// How many read at the same time, beside the main context.
    public var readers = 4
    /// Where the random numbers begin.
    public var seed: UInt64 = 1
    /// Whether writers also raise a count without a lock: a data race on purpose, which ThreadSanitizer has to report.
    public var hasPlantedRace = false
    /// When it ends.
    public var limit = Limit.duration(.seconds(10))

    /// Makes options: ten seconds of three tiers in memory.
    public init() {}
}
