/// **Value.** One peer's go at one workload.
package struct Sample: Codable, Sendable {
    package var workload: String
    package var peer: String
    /// How many rows the data set had.
    package var count: Int
    package var round: Int
    package var operations: Int
    /// Seconds.
    package var wall: Double
    /// Seconds of processor time, the whole process's.
    package var processor: Double
    /// What the workload measured beside its time, by the keys of its `figures`. Python's samples have none.
    package var figures: [String: Double]?

    package init(
        workload: String, peer: String, count: Int, round: Int, operations: Int, wall: Double, processor: Double,
        figures: [String: Double]? = nil
    ) {
        self.workload = workload
        self.peer = peer
        self.count = count
        self.round = round
        self.operations = operations
        self.wall = wall
        self.processor = processor
        self.figures = figures
    }
}

extension Sample {
    /// The figure that the runner measures itself: bytes that the peer holds after the warm-up, for each operation.
    static let heap = "heap"
}
