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
}
