/// **Value.** One peer's go at one workload.
package struct Sample: Codable, Sendable {
    var workload: String
    var peer: String
    var round: Int
    var operations: Int
    /// Seconds.
    var wall: Double
    /// Seconds of processor time, the whole process's.
    var processor: Double
    /// W10 only, a second.
    var reads: Double?
    /// W10 only, a second.
    var writes: Double?
    /// W2w only: bytes an object that the peer holds once everything is loaded.
    var heap: Double?
}
