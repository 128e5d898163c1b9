import CSQLite
package import Foundation

/// **Confined.** One call of a custom SQL function: its arguments and its result.
///
/// Only valid during the call, and cannot be copied out of it. A function that sets no result returns NULL.
package struct SQLiteFunctionCall: ~Copyable {
    let context: OpaquePointer
    let values: UnsafeMutablePointer<OpaquePointer?>?
    package let argumentCount: Int

    init(context: OpaquePointer, count: Int32, values: UnsafeMutablePointer<OpaquePointer?>?) {
        self.context = context
        self.values = values
        argumentCount = Int(count)
    }

    package func type(at index: Int) -> SQLiteValueType {
        SQLiteValueType(rawValue: sqlite3_value_type(value(at: index))) ?? .null
    }

    package func int64(at index: Int) -> Int64 { sqlite3_value_int64(value(at: index)) }

    package func double(at index: Int) -> Double { sqlite3_value_double(value(at: index)) }

    package func text(at index: Int) -> String? {
        withText(at: index) { bytes in bytes.map { String(decoding: $0, as: UTF8.self) } }
    }

    package func isData(at index: Int) -> Bool { sqlite3_value_type(value(at: index)) == SQLITE_BLOB }

    /// Lends the UTF-8 bytes of a text or the bytes of a blob, or `nil` for NULL, until `body` returns.
    @inline(__always)
    package func withText<Result>(at index: Int, _ body: (UnsafeRawBufferPointer?) throws -> Result) rethrows -> Result
    {
        let value = value(at: index)
        // Reading a blob as text would copy it to append a NUL.
        if sqlite3_value_type(value) == SQLITE_BLOB { return try withBlob(at: index) { try body($0) } }
        guard let bytes = sqlite3_value_text(value) else { return try body(nil) }
        return try body(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))))
    }

    /// Lends the bytes of a blob or text, empty for NULL, until `body` returns.
    package func withBlob<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let value = value(at: index)
        let bytes = sqlite3_value_blob(value)
        return try body(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))))
    }

    package func returnNull() { sqlite3_result_null(context) }

    package func returnValue(_ value: Bool) { sqlite3_result_int64(context, value ? 1 : 0) }

    package func returnValue(_ value: Int64) { sqlite3_result_int64(context, value) }

    package func returnValue(_ value: Double) { sqlite3_result_double(context, value) }

    package func returnValue(_ value: String) {
        var value = value
        value.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { text in
                datamonk_result_text(context, text.baseAddress, UInt64(text.count))
            }
        }
    }

    package func returnValue(_ value: Data) {
        value.withUnsafeBytes { bytes in
            if bytes.isEmpty {
                sqlite3_result_zeroblob(context, 0)
            } else {
                datamonk_result_blob(context, bytes.baseAddress, UInt64(bytes.count))
            }
        }
    }

    /// Returns an argument unchanged.
    package func returnArgument(at index: Int) { sqlite3_result_value(context, value(at: index)) }

    /// Makes the statement fail, with `error` as the failure's underlying error.
    func fail(_ error: any Error, keepingIn errors: CallbackErrors) {
        errors.keep(error)
        sqlite3_result_error(context, String(describing: error), -1)
    }

    private func value(at index: Int) -> OpaquePointer? {
        precondition(index >= 0 && index < argumentCount, "The function was called with fewer arguments")
        return values?[index]
    }
}
