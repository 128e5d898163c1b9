import DataMonkCore
import Foundation

extension SQLiteTransaction {
    func beginHistoryTransaction(_ signature: HistorySignature?) { history?.begin(signature) }

    func deleteHistory(before bound: HistoryBound) throws -> Int {
        try translating {
            guard try HistoryTables(on: connection, at: store.fileURL) != nil else { return 0 }
            switch bound {
            case .start: return 0
            case .transaction(let number):
                try run("DELETE FROM ACHANGE WHERE ZTRANSACTIONID < ?") { $0.bind(number, at: 1) }
                try run("DELETE FROM ATRANSACTION WHERE Z_PK < ?") { $0.bind(number, at: 1) }
            case .date(let date):
                let time = date.timeIntervalSinceReferenceDate
                let old = "SELECT Z_PK FROM ATRANSACTION WHERE ZTIMESTAMP < ?"
                try run("DELETE FROM ACHANGE WHERE ZTRANSACTIONID IN (\(old))") { $0.bind(time, at: 1) }
                try run("DELETE FROM ATRANSACTION WHERE ZTIMESTAMP < ?") { $0.bind(time, at: 1) }
            }
            return Int(connection.changes)
        }
    }

    private func run(_ sql: String, bind: (SQLiteStatement) -> Void) throws {
        try connection.withStatement(sql) { statement in
            bind(statement)
            try statement.run()
        }
    }
}
