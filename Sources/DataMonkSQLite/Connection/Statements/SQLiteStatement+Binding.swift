import CSQLite
package import Foundation

extension SQLiteStatement {
    @inlinable @inline(__always)
    package func bind(_ value: Int64, at parameter: Int) {
        check(sqlite3_bind_int64(handle, Int32(truncatingIfNeeded: parameter), value))
    }

    /// SQLite has no NaN; it is stored as NULL.
    @inlinable @inline(__always)
    package func bind(_ value: Double, at parameter: Int) {
        check(sqlite3_bind_double(handle, Int32(truncatingIfNeeded: parameter), value))
    }

    @inlinable @inline(__always)
    package func bindNull(at parameter: Int) {
        check(sqlite3_bind_null(handle, Int32(truncatingIfNeeded: parameter)))
    }

    /// Binds a copy of the text.
    @inlinable
    package func bind(_ value: String, at parameter: Int) throws {
        var value = value
        try value.withUTF8 { try bind(text: UnsafeRawBufferPointer($0), at: parameter) }
    }

    /// Binds a copy of UTF-8 bytes as text.
    @inlinable
    package func bind(text bytes: UnsafeRawBufferPointer, at parameter: Int) throws {
        try bind(bytes, at: parameter) {
            datamonk_bind_text_copied($0, $1, $2.assumingMemoryBound(to: CChar.self), $3)
        }
    }

    /// Binds UTF-8 bytes as text without copying them. They must stay unchanged until the statement is reset and another
    /// value is bound here, or the bindings are cleared.
    @inlinable
    package func bind(unsafeBorrowedText bytes: UnsafeRawBufferPointer, at parameter: Int) throws {
        try bind(bytes, at: parameter) {
            datamonk_bind_text_borrowed($0, $1, $2.assumingMemoryBound(to: CChar.self), $3)
        }
    }

    /// Binds a copy of the bytes.
    @inlinable
    package func bind(_ value: Data, at parameter: Int) throws {
        try value.withUnsafeBytes { try bind(blob: $0, at: parameter) }
    }

    /// Binds a copy of the bytes as a blob.
    @inlinable
    package func bind(blob bytes: UnsafeRawBufferPointer, at parameter: Int) throws {
        try bind(bytes, at: parameter) { datamonk_bind_blob_copied($0, $1, $2, $3) }
    }

    /// Binds a blob that consists of a byte and a copy of the bytes that follow it.
    package func bind(blob bytes: UnsafeRawBufferPointer, after first: UInt8, at parameter: Int) throws {
        let count = UInt64(bytes.count) + 1
        guard let memory = sqlite3_malloc64(count) else { return try accept(SQLITE_NOMEM) }
        memory.storeBytes(of: first, as: UInt8.self)
        if let start = bytes.baseAddress, bytes.count > 0 {
            (memory + 1).copyMemory(from: start, byteCount: bytes.count)
        }
        try accept(datamonk_bind_blob_owned(handle, Int32(truncatingIfNeeded: parameter), memory, count))
    }

    /// Binds bytes as a blob without copying them. They must stay unchanged until the statement is reset and another value
    /// is bound here, or the bindings are cleared.
    @inlinable
    package func bind(unsafeBorrowedBlob bytes: UnsafeRawBufferPointer, at parameter: Int) throws {
        try bind(bytes, at: parameter) { datamonk_bind_blob_borrowed($0, $1, $2, $3) }
    }

    /// Binds bytes, whose address is not null even if there are none: SQLite takes a null pointer for NULL.
    @inlinable @inline(__always)
    func bind(
        _ bytes: UnsafeRawBufferPointer, at parameter: Int,
        _ call: (OpaquePointer, Int32, UnsafeRawPointer, UInt64) -> Int32
    ) throws {
        let index = Int32(truncatingIfNeeded: parameter)
        if let address = bytes.baseAddress {
            return try accept(call(handle, index, address, UInt64(bytes.count)))
        }
        try accept(withUnsafePointer(to: UInt8(0)) { call(handle, index, $0, 0) })
    }

    /// Checks the binding of a small value. It can only fail through a programming error: a wrong parameter number, or a
    /// statement that was not reset.
    @inlinable @inline(__always)
    func check(_ code: Int32) {
        precondition(code == SQLITE_OK, "The parameter does not exist, or the statement was not reset before binding")
    }

    /// Checks the binding of a large value, which may be too big or run out of memory.
    @inlinable @inline(__always)
    func accept(_ code: Int32) throws {
        if code == SQLITE_OK { return }
        precondition(
            code & 0xff != SQLITE_RANGE && code & 0xff != SQLITE_MISUSE,
            "The parameter does not exist, or the statement was not reset before binding")
        throw failure(code: code, operation: .bind)
    }
}
