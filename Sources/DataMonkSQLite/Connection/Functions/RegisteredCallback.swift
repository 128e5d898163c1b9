import CSQLite

/// **Confined.** A custom function, aggregate or collation, as SQLite holds it.
///
/// SQLite receives one retained pointer at registration. It passes the pointer to ``releaseCallback`` once: when the name is
/// registered again, when the connection is closed, or when the registration fails.
class RegisteredCallback {
    let errors: CallbackErrors

    init(errors: CallbackErrors) {
        self.errors = errors
    }

    /// Returns a pointer that owns this object.
    func retainedPointer() -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(self).toOpaque()
    }
}

/// Balances `retainedPointer()`.
func releaseCallback(_ pointer: UnsafeMutableRawPointer?) {
    guard let pointer else { return }
    Unmanaged<RegisteredCallback>.fromOpaque(pointer).release()
}

/// **Confined.** A scalar function.
final class FunctionCallback: RegisteredCallback {
    typealias Body = @Sendable (borrowing SQLiteFunctionCall) throws -> Void
    private let body: Body

    init(errors: CallbackErrors, body: @escaping Body) {
        self.body = body
        super.init(errors: errors)
    }

    static func call(context: OpaquePointer, count: Int32, values: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let pointer = sqlite3_user_data(context) else { return }
        let call = SQLiteFunctionCall(context: context, count: count, values: values)
        // SQLite passes the pointer from `retainedPointer`, which it keeps until it releases the function: not during a call of
        // it. So the callback need not be retained for each of many rows.
        Unmanaged<FunctionCallback>.fromOpaque(pointer)._withUnsafeGuaranteedRef { callback in
            do { try callback.body(call) } catch { call.fail(error, keepingIn: callback.errors) }
        }
    }
}

/// **Confined.** A collation.
final class CollationCallback: RegisteredCallback {
    typealias Compare = @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int
    private let compare: Compare

    init(errors: CallbackErrors, compare: @escaping Compare) {
        self.compare = compare
        super.init(errors: errors)
    }

    static func order(
        _ pointer: UnsafeMutableRawPointer?, one: UnsafeRawBufferPointer, other: UnsafeRawBufferPointer
    ) -> Int32 {
        guard let pointer else { return 0 }
        // As above: SQLite keeps the callback until it releases the collation.
        let callback = Unmanaged<CollationCallback>.fromOpaque(pointer).takeUnretainedValue()
        return Int32(callback.compare(one, other).signum())
    }
}
