import BenchKit
import Foundation
import SystemSQLite

/// **Value.** A person as a plain struct.
struct RawPerson {
    var id: Int64
    var name: String
    var age: Int
    var location: String?
    var salary: Double
    var created: Date
    var friendID: Int64?

    /// The row at which the statement stands: `RawSQL.columns`.
    @inline(__always)
    init(_ row: OpaquePointer) {
        id = sqlite3_column_int64(row, 0)
        name = columnString(row, 1)
        age = Int(sqlite3_column_int64(row, 2))
        location = sqlite3_column_type(row, 3) == SQLITE_NULL ? nil : columnString(row, 3)
        salary = sqlite3_column_double(row, 4)
        created = Date(timeIntervalSince1970: sqlite3_column_double(row, 5))
        friendID = sqlite3_column_type(row, 6) == SQLITE_NULL ? nil : sqlite3_column_int64(row, 6)
    }

    @inline(__always)
    func add(to digest: inout Digest) {
        digest.row()
        digest.add(name)
        digest.add(age)
        digest.add(location)
        digest.add(salary)
        digest.add(created.timeIntervalSince1970)
        digest.add(friendID)
    }
}
