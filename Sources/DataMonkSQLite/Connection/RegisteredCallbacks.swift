import CSQLite

/// **Confined.** The closures behind custom functions, aggregates and collations, as SQLite holds them.
///
/// SQLite gets one retained pointer at registration and gives it back to ``releaseCallback`` once, when the name is
/// taken anew or the connection closes (or the registration fails).
class RegisteredCallback {
    let errors: CallbackErrors

    init(errors: CallbackErrors) {
        self.errors = errors
    }

    /// A pointer that owns this object.
    func retainedPointer() -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(self).toOpaque()
    }
}

/// Ends what `retainedPointer()` began.
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

    static func call(_ context: OpaquePointer, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let pointer = sqlite3_user_data(context) else { return }
        let callback = Unmanaged<FunctionCallback>.fromOpaque(pointer).takeUnretainedValue()
        let call = SQLiteFunctionCall(context: context, count: count, values: values)
        do { try callback.body(call) } catch { call.fail(error, keepingIn: callback.errors) }
    }
}

/// **Confined.** An aggregate function. The state of a group lives in memory that SQLite keeps for the group: one
/// pointer, zero before the first row, given up in `finish`, which SQLite calls after an error too.
final class AggregateCallback: RegisteredCallback {
    typealias MakeState = @Sendable () -> any SQLiteAggregate
    private let makeState: MakeState

    init(errors: CallbackErrors, makeState: @escaping MakeState) {
        self.makeState = makeState
        super.init(errors: errors)
    }

    /// What SQLite's memory points to.
    private final class Group {
        let aggregate: any SQLiteAggregate
        init(_ aggregate: any SQLiteAggregate) { self.aggregate = aggregate }
    }

    static func step(_ context: OpaquePointer, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let callback = of(context) else { return }
        guard let memory = sqlite3_aggregate_context(context, Int32(MemoryLayout<UnsafeRawPointer?>.size)) else {
            return sqlite3_result_error_nomem(context)
        }
        let place = memory.assumingMemoryBound(to: UnsafeRawPointer?.self)
        let group: Group
        if let pointer = place.pointee {
            group = Unmanaged<Group>.fromOpaque(pointer).takeUnretainedValue()
        } else {
            group = Group(callback.makeState())
            place.pointee = UnsafeRawPointer(Unmanaged.passRetained(group).toOpaque())
        }
        let call = SQLiteFunctionCall(context: context, count: count, values: values)
        do { try group.aggregate.step(call) } catch { call.fail(error, keepingIn: callback.errors) }
    }

    static func finish(_ context: OpaquePointer) {
        guard let callback = of(context) else { return }
        let place = sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: UnsafeRawPointer?.self)
        let group = place?.pointee.map { Unmanaged<Group>.fromOpaque($0).takeRetainedValue() }
        place?.pointee = nil
        let call = SQLiteFunctionCall(context: context, count: 0, values: nil)
        do {
            try (group?.aggregate ?? callback.makeState()).finish(call)
        } catch {
            call.fail(error, keepingIn: callback.errors)
        }
    }

    private static func of(_ context: OpaquePointer) -> AggregateCallback? {
        sqlite3_user_data(context).map { Unmanaged<AggregateCallback>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// **Confined.** An order of texts.
final class CollationCallback: RegisteredCallback {
    typealias Compare = @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int
    private let compare: Compare

    init(errors: CallbackErrors, compare: @escaping Compare) {
        self.compare = compare
        super.init(errors: errors)
    }

    static func order(
        _ pointer: UnsafeMutableRawPointer?, _ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer
    ) -> Int32 {
        guard let pointer else { return 0 }
        let callback = Unmanaged<CollationCallback>.fromOpaque(pointer).takeUnretainedValue()
        return Int32(callback.compare(one, other).signum())
    }
}
