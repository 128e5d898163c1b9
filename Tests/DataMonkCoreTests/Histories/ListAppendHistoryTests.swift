import DataMonkTesting
import Testing

@Suite struct ListAppendHistoryTests {
    private func history(_ transactions: [([String: [Int]], [String: Int])]) -> ListAppendHistory {
        transactions.reduce(into: ListAppendHistory()) { $0.append(.init(reads: $1.0, appends: $1.1)) }
    }

    @Test func `transactions one after the other have no anomaly`() {
        let history = history([
            (["x": []], ["x": 1]), (["x": [1], "y": []], ["y": 2]), (["x": [1], "y": [2]], ["x": 3]),
            (["x": [1, 3]], [:]),
        ])
        #expect(history.anomalies(under: .serializable).isEmpty)
        #expect(history.anomalies(under: .snapshot).isEmpty)
    }

    @Test func `a lost append is found`() {
        let history = history([(["x": []], ["x": 1]), (["x": []], ["x": 2]), (["x": [2]], [:])])
        #expect(!history.anomalies(under: .snapshot).isEmpty)
    }

    @Test func `lists that contradict each other are found`() {
        let history = history([([:], ["x": 1]), ([:], ["x": 2]), (["x": [1, 2]], [:]), (["x": [2, 1]], [:])])
        #expect(history.anomalies(under: .snapshot).count == 1)
    }

    @Test func `a value that nobody committed is found`() {
        #expect(!history([(["x": [1]], [:])]).anomalies(under: .snapshot).isEmpty)
    }

    @Test func `a reader that saw half of a transaction is found`() {
        let history = history([(["x": [], "y": []], ["x": 1, "y": 2]), (["x": [1], "y": []], [:])])
        #expect(!history.anomalies(under: .snapshot).isEmpty)
        #expect(!history.anomalies(under: .serializable).isEmpty)
    }

    @Test func `two that each miss what the other appends are no serial order, and a snapshot allows them`() {
        let history = history([
            (["x": [], "y": []], ["x": 1]), (["x": [], "y": []], ["y": 2]), (["x": [1], "y": [2]], [:]),
        ])
        #expect(!history.anomalies(under: .serializable).isEmpty)
        #expect(history.anomalies(under: .snapshot).isEmpty)
    }

    @Test func `two readers that saw two appends in different orders are found`() {
        let history = history([
            ([:], ["x": 1]), ([:], ["y": 2]), (["x": [1], "y": []], [:]), (["x": [], "y": [2]], [:]),
        ])
        #expect(!history.anomalies(under: .snapshot).isEmpty)
    }
}
