import CSQLite
package import Foundation

/// **Value.** The five types of an SQLite value.
package enum SQLiteValueType: Int32, Sendable {
    case integer = 1
    case double
    case text
    case blob
    case null
}

/// Access to the columns of the current row. Check the type first where NULL or another type must be distinguished from the
/// value: the other methods convert as SQLite does (NULL is 0 or empty, an integral REAL stored as INTEGER reads as Double).
extension SQLiteStatement {
    @inlinable @inline(__always)
    package func type(at column: Int) -> SQLiteValueType {
        SQLiteValueType(rawValue: sqlite3_column_type(handle, Int32(truncatingIfNeeded: column))) ?? .null
    }

    @inlinable @inline(__always)
    package func isNull(at column: Int) -> Bool {
        sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) == SQLITE_NULL
    }

    @inlinable @inline(__always)
    package func int64(at column: Int) -> Int64 {
        sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column))
    }

    @inlinable @inline(__always)
    package func double(at column: Int) -> Double {
        sqlite3_column_double(handle, Int32(truncatingIfNeeded: column))
    }

    /// Returns the text, or `nil` for NULL. Invalid UTF-8 is repaired.
    @inlinable
    package func text(at column: Int) -> String? {
        withText(at: column) { bytes in
            bytes.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Returns the blob, or `nil` for NULL.
    @inlinable
    package func data(at column: Int) -> Data? {
        if isNull(at: column) { return nil }
        return withBlob(at: column) { Data($0) }
    }

    /// Lends the UTF-8 bytes of a text, or `nil` for NULL. They are valid until `body` returns.
    @inlinable @inline(__always)
    package func withText<Result>(
        at column: Int, _ body: (UnsafeRawBufferPointer?) throws -> Result
    ) rethrows -> Result {
        let text = unsafeText(at: column)
        return try body(text.baseAddress == nil ? nil : text)
    }

    /// Lends the bytes of a blob or text, empty for NULL. They are valid until `body` returns.
    @inlinable @inline(__always)
    package func withBlob<Result>(at column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
    {
        try body(unsafeBlob(at: column))
    }
}

/// For loops that read a whole row before they copy it. The bytes are valid until the statement is stepped or reset, or the
/// same column is read as another type.
extension SQLiteStatement {
    /// Returns the UTF-8 bytes of a text. The address is `nil` for NULL.
    @inlinable @inline(__always)
    func unsafeText(at column: Int) -> UnsafeRawBufferPointer {
        let index = Int32(truncatingIfNeeded: column)
        guard let bytes = sqlite3_column_text(handle, index) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, index)))
    }

    /// Returns the bytes of a blob. The address is `nil` for NULL and for an empty blob.
    @inlinable @inline(__always)
    func unsafeBlob(at column: Int) -> UnsafeRawBufferPointer {
        let index = Int32(truncatingIfNeeded: column)
        guard let bytes = sqlite3_column_blob(handle, index) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, index)))
    }
}
