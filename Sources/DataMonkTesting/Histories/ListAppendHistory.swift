/// **Value.** What transactions read of lists and appended to them, and whether any order of them explains it.
///
/// Each value is appended once in a history, so a list says whose appends made it, in which order. From that follow three
/// kinds of dependencies between transactions: one appended before another (*write*), one read what another had appended
/// (*read*), one did not see what another appended (*missed*). A circle of them is an anomaly.
///
///     var history = ListAppendHistory()
///     history.append(.init(reads: ["x": []], appends: ["x": 1]))
///     history.append(.init(reads: ["x": [1]], appends: [:]))
///     print(history.anomalies(under: .serializable))        // none
///
/// The idea is that of the Elle checker (Kingsbury and Alvaro, 2020).
public struct ListAppendHistory: Sendable {
    /// **Value.** A transaction that was committed: the lists as it found them, and what it appended.
    public struct Transaction: Sendable {
        /// The lists that it read, by name, before it appended to them.
        public var reads: [String: [Int]]
        /// What it appended, by list.
        public var appends: [String: Int]

        /// Makes a transaction.
        public init(reads: [String: [Int]], appends: [String: Int]) {
            self.reads = reads
            self.appends = appends
        }
    }

    /// **Value.** What the transactions were promised.
    public enum Isolation: Sendable {
        /// As if one after the other.
        case serializable
        /// Each reads one state, and of two that write one object the second fails: two that read what the other one
        /// writes may both succeed.
        case snapshot
    }

    /// The transactions, in any order.
    public private(set) var transactions: [Transaction] = []

    /// Makes an empty history.
    public init() {}

    /// Adds a transaction that was committed.
    public mutating func append(_ transaction: Transaction) { transactions.append(transaction) }

    /// Everything that no order of the transactions explains, in words; empty if all is well.
    ///
    /// Takes time in proportion to the transactions and to the lengths of the lists that they read.
    public func anomalies(under isolation: Isolation) -> [String] {
        let order = AppendOrder(transactions)
        guard order.anomalies.isEmpty else { return order.anomalies }
        return DependencyGraph(transactions, order).circles(under: isolation)
    }
}
