import Foundation

/// **Value.** The history of an in-memory store: the transactions that have not been purged.
///
/// Invariants: the numbers of transactions and of changes ascend, and none is assigned twice. While the journal is open, it
/// has a record.
struct HistoryJournal: Sendable {
    private(set) var records: [HistoryRecord] = []
    private var lastTransaction: Int64 = 0
    private var lastChange: Int64 = 0
    private var signature = HistorySignature()
    /// A Boolean value indicating whether the next entries belong to the last record.
    private var isOpen = false

    /// Begins a new transaction, to which the following entries belong.
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

    /// Returns the records after a position.
    ///
    /// - Throws: ``StoreError`` with the code `historyTokenExpired` if the transaction does not exist.
    func records(after bound: HistoryBound) throws -> [HistoryRecord] {
        switch bound {
        case .start: return records
        case .date(let date): return records.filter { $0.timestamp > date }
        case .transaction(let position):
            guard let index = records.firstIndex(where: { $0.number == position.number }) else {
                throw StoreError.historyTokenExpired(nil)
            }
            return Array(records[(index + 1)...])
        }
    }

    /// Removes the records before a position.
    ///
    /// - Returns: The number of removed transactions.
    mutating func purge(before bound: HistoryBound) -> Int {
        let count = records.count
        isOpen = false
        switch bound {
        case .start: break
        case .transaction(let position): records.removeAll { $0.number < position.number }
        case .date(let date): records.removeAll { $0.timestamp < date }
        }
        return count - records.count
    }
}
