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
        try bytes.withNonNullAddress { address in
            try accept(
                datamonk_bind_text_copied(
                    handle, Int32(truncatingIfNeeded: parameter), address.assumingMemoryBound(to: CChar.self),
                    UInt64(bytes.count)))
        }
    }

    /// Binds UTF-8 bytes as text without copying them. They must stay unchanged until the statement is reset and another
    /// value is bound here, or the bindings are cleared.
    @inlinable
    package func bind(unsafeBorrowedText bytes: UnsafeRawBufferPointer, at parameter: Int) throws {
        try bytes.withNonNullAddress { address in
            try accept(
                datamonk_bind_text_borrowed(
                    handle, Int32(truncatingIfNeeded: parameter), address.assumingMemoryBound(to: CChar.self),
                    UInt64(bytes.count)))
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
        try bytes.withNonNullAddress { address in
            try accept(
                datamonk_bind_blob_copied(
                    handle, Int32(truncatingIfNeeded: parameter), address, UInt64(bytes.count)))
        }
    }

    /// Binds bytes as a blob without copying them. They must stay unchanged until the statement is reset and another value
    /// is bound here, or the bindings are cleared.
    @inlinable
    package func bind(unsafeBorrowedBlob bytes: UnsafeRawBufferPointer, at parameter: Int) throws {
        try bytes.withNonNullAddress { address in
            try accept(
                datamonk_bind_blob_borrowed(
                    handle, Int32(truncatingIfNeeded: parameter), address, UInt64(bytes.count)))
        }
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

extension UnsafeRawBufferPointer {
    /// Passes a non-null address. SQLite takes a null pointer for NULL, but the address of an empty buffer may be null.
    @inlinable @inline(__always)
    func withNonNullAddress(_ body: (UnsafeRawPointer) throws -> Void) throws {
        if let baseAddress { return try body(baseAddress) }
        try Swift.withUnsafeBytes(of: UInt8(0)) { buffer in
            guard let address = buffer.baseAddress else { return }
            try body(address)
        }
    }
}
