import BenchKit
import SystemSQLite

@inline(__always)
func columnString(_ row: OpaquePointer, _ column: Int32) -> String {
    let text = sqlite3_column_text(row, column)
    let count = Int(sqlite3_column_bytes(row, column))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
}

@inline(__always)
func bindText(_ statement: OpaquePointer, _ index: Int32, _ text: String) {
    var text = text
    text.withUTF8 { bytes in
        _ = sqlite3_bind_text(
            statement, index, UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self),
            Int32(bytes.count), transientDestructor)
    }
}

@inline(__always)
func bindText(_ statement: OpaquePointer, _ index: Int32, _ text: String?) {
    if let text { bindText(statement, index, text) } else { sqlite3_bind_null(statement, index) }
}

@inline(__always)
func bindInt(_ statement: OpaquePointer, _ index: Int32, _ value: Int64?) {
    if let value { sqlite3_bind_int64(statement, index, value) } else { sqlite3_bind_null(statement, index) }
}

/// All of a person, to `RawSQL.insert`.
@inline(__always)
func bindPerson(_ person: PersonInput, to statement: OpaquePointer) {
    sqlite3_bind_int64(statement, 1, person.id)
    bindText(statement, 2, person.name)
    sqlite3_bind_int64(statement, 3, Int64(person.age))
    bindText(statement, 4, person.location)
    sqlite3_bind_double(statement, 5, person.salary)
    sqlite3_bind_double(statement, 6, person.created)
    bindInt(statement, 7, person.friendID)
}
