/// **Value.** The reads and appends of transactions on lists, checked for an order that explains them.
///
/// Each value is appended once in a history, so that a list reveals the order of the appends to it. Three kinds of
/// dependencies between transactions follow: one appended before another (*write*), one read what another had appended
/// (*read*), or one did not see what another appended (*missed*). A cycle of dependencies is an anomaly.
///
///     var history = ListAppendHistory()
///     history.append(.init(reads: ["x": []], appends: ["x": 1]))
///     history.append(.init(reads: ["x": [1]], appends: [:]))
///     print(history.anomalies(under: .serializable))        // none
///
/// The idea comes from the Elle checker (Kingsbury and Alvaro, 2020).
public struct ListAppendHistory: Sendable {
    /// **Value.** A committed transaction: the lists that it read, and its appends.
    public struct Transaction: Sendable {
        /// The lists that it read, by name, before its appends.
        public var reads: [String: [Int]]
        /// The appended values, by list.
        public var appends: [String: Int]

        /// Creates a transaction.
        public init(reads: [String: [Int]], appends: [String: Int]) {
            self.reads = reads
            self.appends = appends
        }
    }

    /// **Value.** The isolation level that the transactions must satisfy.
    public enum Isolation: Sendable {
        /// The transactions appear to run one after the other.
        case serializable
        /// Each transaction reads one state, and of two that write the same object the second fails. Two transactions may
        /// both succeed if each reads what the other writes.
        case snapshot
    }

    /// The transactions, in any order.
    public private(set) var transactions: [Transaction] = []

    /// Creates an empty history.
    public init() {}

    /// Adds a committed transaction.
    public mutating func append(_ transaction: Transaction) { transactions.append(transaction) }

    /// Returns descriptions of everything that no order of the transactions explains; empty if there is none.
    ///
    /// - Complexity: Linear in the number of transactions and the lengths of the lists that they read.
    public func anomalies(under isolation: Isolation) -> [String] {
        let order = AppendOrder(transactions)
        guard order.anomalies.isEmpty else { return order.anomalies }
        return DependencyGraph(transactions, order: order).circles(under: isolation)
    }
}
