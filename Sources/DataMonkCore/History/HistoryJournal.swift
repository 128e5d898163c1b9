import Foundation

/// **Value.** The history of a store in memory: the transactions that were not purged.
///
/// Invariants: numbers ascend, of transactions and of changes, and none is given twice; while it is open there is a record.
struct HistoryJournal: Sendable {
    private(set) var records: [HistoryRecord] = []
    private var lastTransaction: Int64 = 0
    private var lastChange: Int64 = 0
    private var signature = HistorySignature()
    /// Whether what is noted next goes to the last record.
    private var isOpen = false

    /// What is noted from now on is a transaction of its own.
    mutating func begin(_ signature: HistorySignature) {
        self.signature = signature
        isOpen = false
    }

    mutating func note(_ changes: [HistoryRecord.Change]) {
        if changes.isEmpty { return }
        if !isOpen {
            isOpen = true
            lastTransaction += 1
            records.append(
                HistoryRecord(
                    number: lastTransaction, timestamp: Date(), signature: signature,
                    bundleID: Bundle.main.bundleIdentifier, processID: ProcessInfo.processInfo.processName))
        }
        for var change in changes {
            lastChange += 1
            change.number = lastChange
            records[records.count - 1].changes.append(change)
        }
    }

    /// What came after a place.
    ///
    /// - Throws: ``StoreError`` with the code `historyTokenExpired` for a transaction that is not there.
    func records(after bound: HistoryBound) throws -> [HistoryRecord] {
        switch bound {
        case .start: return records
        case .date(let date): return records.filter { $0.timestamp > date }
        case .transaction(let number):
            guard let index = records.firstIndex(where: { $0.number == number }) else {
                throw StoreError.historyTokenExpired(nil)
            }
            return Array(records[(index + 1)...])
        }
    }

    /// - Returns: how many transactions went.
    mutating func purge(before bound: HistoryBound) -> Int {
        let count = records.count
        isOpen = false
        switch bound {
        case .start: break
        case .transaction(let number): records.removeAll { $0.number < number }
        case .date(let date): records.removeAll { $0.timestamp < date }
        }
        return count - records.count
    }
}
