import DataMonkCore
import DataMonkSQL
import Foundation

extension SQLiteTransaction {
    func beginHistoryTransaction(_ signature: HistorySignature?) { history?.begin(signature) }

    func deleteHistory(before bound: HistoryBound) throws -> Int {
        try translating {
            guard try HistoryTables(on: connection, at: store.fileURL) != nil else { return 0 }
            switch bound {
            case .start: return 0
            case .transaction(let position):
                let number = position.number
                try requireNoLoss(of: position)
                try connection.run("DELETE FROM ACHANGE WHERE ZTRANSACTIONID < ?", [.integer(number)])
                try connection.run("DELETE FROM ATRANSACTION WHERE Z_PK < ?", [.integer(number)])
            case .date(let date):
                let time = SQLBinding.real(date.timeIntervalSinceReferenceDate)
                let old = "SELECT Z_PK FROM ATRANSACTION WHERE ZTIMESTAMP < ?"
                try connection.run("DELETE FROM ACHANGE WHERE ZTRANSACTIONID IN (\(old))", [time])
                try connection.run("DELETE FROM ATRANSACTION WHERE ZTIMESTAMP < ?", [time])
            }
            return Int(connection.changes)
        }
    }

    /// Throws if the transaction is neither in the history nor deleted from it: the store was restored from a backup, and those
    /// before it may be others than the caller knows.
    private func requireNoLoss(of position: HistoryPosition) throws {
        if position.identifier == nil { return }
        if try connection.holdsTransaction(at: position) { return }
        let isNumberTaken = try connection.holdsTransaction(at: HistoryPosition(number: position.number))
        let number = HistorySchema.Table.transaction.rawValue
        if try isNumberTaken || store.lastPrimaryKey(ofEntityNumber: number, connection) < position.number {
            throw StoreError.historyTokenExpired(store.fileURL)
        }
    }
}
