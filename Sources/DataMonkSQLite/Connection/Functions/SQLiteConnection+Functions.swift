import CSQLite

/// **Confined.** The state of an aggregate function over one group of rows.
package protocol SQLiteAggregate: AnyObject {
    /// Adds one row.
    func step(_ call: borrowing SQLiteFunctionCall) throws
    /// Returns the result after the last row. `call` has no arguments.
    func finish(_ call: borrowing SQLiteFunctionCall) throws
}

/// **Value.** The assumptions that SQLite may make about a function.
package enum SQLiteFunctionTrust: Sendable {
    /// The same arguments give the same result, without side effects. Allowed in indexes and triggers, too.
    case pure
    /// The function has harmless side effects. Allowed in a store's triggers, too.
    case trigger
    /// Allowed only in SQL that we write; refused inside the triggers, views and indexes of a file.
    case directOnly

    fileprivate var flags: Int32 {
        switch self {
        case .pure: SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
        case .trigger: SQLITE_UTF8 | SQLITE_INNOCUOUS
        case .directOnly: SQLITE_UTF8 | SQLITE_DIRECTONLY
        }
    }
}

extension SQLiteConnection {
    /// Registers `body` as the SQL function `name`. SQLite keeps it until the connection is closed or the name is registered
    /// again.
    ///
    /// An `argumentCount` of -1 accepts any number of arguments. If `body` throws, the statement fails with that error as
    /// its cause.
    package func registerFunction(
        _ name: String, argumentCount: Int, trust: SQLiteFunctionTrust = .pure,
        body: @escaping @Sendable (borrowing SQLiteFunctionCall) throws -> Void
    ) throws {
        let callback = FunctionCallback(errors: callbackErrors, body: body)
        let code = sqlite3_create_function_v2(
            try openDatabase(), name, Int32(argumentCount), trust.flags, callback.retainedPointer(),
            { context, count, values in
                guard let context else { return }
                FunctionCallback.call(context: context, count: count, values: values)
            }, nil, nil, releaseCallback)
        try check(code, operation: .register)
    }

    /// Registers the SQL aggregate `name`. `makeState` runs for each group of rows, including an empty one.
    package func registerAggregate(
        _ name: String, argumentCount: Int, trust: SQLiteFunctionTrust = .pure,
        makeState: @escaping @Sendable () -> any SQLiteAggregate
    ) throws {
        let callback = AggregateCallback(errors: callbackErrors, makeState: makeState)
        let code = sqlite3_create_function_v2(
            try openDatabase(), name, Int32(argumentCount), trust.flags, callback.retainedPointer(), nil,
            { context, count, values in
                guard let context else { return }
                AggregateCallback.step(context: context, count: count, values: values)
            },
            { context in
                guard let context else { return }
                AggregateCallback.finish(context)
            }, releaseCallback)
        try check(code, operation: .register)
    }

    /// Registers a collation for use as `COLLATE name`. `compare` receives UTF-8 bytes and returns a value less than, equal
    /// to or greater than 0.
    ///
    /// It must be a total order and never change, because indexes depend on it.
    package func registerCollation(
        _ name: String, compare: @escaping @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int
    ) throws {
        let database = try openDatabase()
        let pointer = CollationCallback(errors: callbackErrors, compare: compare).retainedPointer()
        let code = sqlite3_create_collation_v2(
            database, name, SQLITE_UTF8, pointer,
            { pointer, oneCount, one, otherCount, other in
                CollationCallback.order(
                    pointer, one: UnsafeRawBufferPointer(start: one, count: Int(oneCount)),
                    other: UnsafeRawBufferPointer(start: other, count: Int(otherCount)))
            }, releaseCallback)
        // Unlike for functions, SQLite does not release the pointer if the registration of a collation fails.
        if code != SQLITE_OK { releaseCallback(pointer) }
        try check(code, operation: .register)
    }
}
