/// **Value.** The order of appends to each list, derived from the reads in a history.
struct AppendOrder {
    /// The longest state of each list that was read. Every other state is a prefix of it.
    private(set) var lists: [String: [Int]] = [:]
    /// The transaction that appended each value.
    private(set) var writers: [String: [Int: Int]] = [:]
    /// The contradictions found.
    private(set) var anomalies: [String] = []

    init(_ transactions: [ListAppendHistory.Transaction]) {
        for (index, transaction) in transactions.enumerated() {
            for (list, value) in transaction.appends {
                if let other = writers[list, default: [:]].updateValue(index, forKey: value) {
                    anomalies.append("\(value) was appended to \(list) twice, by \(other) and \(index)")
                }
            }
        }
        for (index, transaction) in transactions.enumerated() {
            for (list, values) in transaction.reads { read(list, as: values, by: index) }
        }
    }

    private mutating func read(_ list: String, as values: [Int], by index: Int) {
        let known = lists[list] ?? []
        let shared = min(known.count, values.count)
        guard known.prefix(shared) == values.prefix(shared) else {
            anomalies.append("\(index) read \(list) as \(values), others as \(known): an append was lost")
            return
        }
        if values.count > known.count { lists[list] = values }
        if Set(values).count != values.count { anomalies.append("\(index) read a value of \(list) twice: \(values)") }
        for value in values where writers[list]?[value] == nil {
            anomalies.append("\(index) read \(value) in \(list), which no committed transaction appended")
        }
    }
}
