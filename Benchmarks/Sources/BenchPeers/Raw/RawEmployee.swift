import BenchKit
import SystemSQLite

/// **Value.** An employee as a plain struct.
struct RawEmployee {
    var id: Int64
    var name: String
    var title: String?
    var salary: Double
    var departmentID: Int64

    @inline(__always)
    init(_ row: OpaquePointer) {
        id = sqlite3_column_int64(row, 0)
        name = columnString(row, 1)
        title = sqlite3_column_type(row, 2) == SQLITE_NULL ? nil : columnString(row, 2)
        salary = sqlite3_column_double(row, 3)
        departmentID = sqlite3_column_int64(row, 4)
    }

    @inline(__always)
    func add(to digest: inout Digest) {
        digest.row()
        digest.add(name)
        digest.add(title)
        digest.add(salary)
    }
}
