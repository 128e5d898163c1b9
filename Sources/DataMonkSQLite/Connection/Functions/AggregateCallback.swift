import CSQLite

/// **Confined.** An aggregate function. SQLite allocates memory for the state of each group: one pointer, zero before the
/// first row and released in `finish`, which SQLite also calls after an error.
final class AggregateCallback: RegisteredCallback {
    typealias MakeState = @Sendable () -> any SQLiteAggregate
    private let makeState: MakeState

    init(errors: CallbackErrors, makeState: @escaping MakeState) {
        self.makeState = makeState
        super.init(errors: errors)
    }

    /// The object that SQLite's memory points to.
    private final class Group {
        let aggregate: any SQLiteAggregate
        init(_ aggregate: any SQLiteAggregate) { self.aggregate = aggregate }
    }

    static func step(context: OpaquePointer, count: Int32, values: UnsafeMutablePointer<OpaquePointer?>?) {
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
