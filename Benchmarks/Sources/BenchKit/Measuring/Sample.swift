/// **Value.** One peer's go at one workload.
package struct Sample: Codable, Sendable {
    var workload: String
    var peer: String
    /// How many rows the data set had.
    var count: Int
    var round: Int
    var operations: Int
    /// Seconds.
    var wall: Double
    /// Seconds of processor time, the whole process's.
    var processor: Double
    /// What the workload measured beside its time, by the keys of its `figures`. Python's samples have none.
    var figures: [String: Double]?
}

extension Sample {
    /// The figure that the runner measures itself: bytes that the peer holds after the warm-up, for each operation.
    static let heap = "heap"
}
