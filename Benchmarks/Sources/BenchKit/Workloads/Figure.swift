/// **Value.** What a workload measures beside its time, and how it is printed.
struct Figure: Sendable {
    /// **Value.** What is printed for a peer.
    enum Comparison: Sendable {
        /// Its own value.
        case none
        /// How many times the baseline's rate stands against its own: above 1 is slower.
        case rate
    }

    /// Its row, as `W10r` is W10's.
    let id: String
    /// Its name in a sample.
    let key: String
    let title: String
    let unit: String
    var comparison = Comparison.none
    var target: Double?
}
