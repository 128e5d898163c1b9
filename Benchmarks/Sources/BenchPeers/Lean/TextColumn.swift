import SystemSQLite

/// **Value.** A text that SQLite or a String holds, while it holds it. No bytes are a null.
struct TextColumn {
    let bytes: UnsafePointer<UInt8>?
    let count: Int

    @inline(__always)
    init(_ statement: OpaquePointer, _ column: Int32) {
        bytes = sqlite3_column_text(statement, column)
        count = bytes == nil ? 0 : Int(sqlite3_column_bytes(statement, column))
    }

    @inline(__always)
    init(_ text: UnsafeBufferPointer<UInt8>) {
        bytes = text.baseAddress
        count = text.count
    }
}
