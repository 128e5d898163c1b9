import CSQLite

/// **Confined.** The state of an aggregate function over one group of rows.
package protocol SQLiteAggregate: AnyObject {
    /// Takes one row.
    func step(_ call: borrowing SQLiteFunctionCall) throws
    /// Gives the result after the last row. `call` has no arguments.
    func finish(_ call: borrowing SQLiteFunctionCall) throws
}

/// **Value.** What SQLite may assume of a function.
package enum SQLiteFunctionTrust: Sendable {
    /// The same arguments give the same result, and nothing else happens: for indexes and triggers too.
    case pure
    /// Something happens besides, and it is harmless: for a store's triggers too.
    case trigger
    /// Only for SQL that we write: refused inside a file's triggers, views and indexes.
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
    /// Makes `body` callable from SQL as `name`. SQLite keeps it until closing, or until the name is taken again.
    ///
    /// `argumentCount` -1 takes any number. What `body` throws becomes the statement's failure, with it as the cause.
    package func registerFunction(
        _ name: String, argumentCount: Int, trust: SQLiteFunctionTrust = .pure,
        _ body: @escaping @Sendable (borrowing SQLiteFunctionCall) throws -> Void
    ) throws {
        let callback = FunctionCallback(errors: callbackErrors, body: body)
        let code = sqlite3_create_function_v2(
            try openDatabase(), name, Int32(argumentCount), trust.flags, callback.retainedPointer(),
            { context, count, values in
                guard let context else { return }
                FunctionCallback.call(context, count, values)
            }, nil, nil, releaseCallback)
        try check(code, .register)
    }

    /// Makes an aggregate callable from SQL as `name`: `makeState` runs for each group of rows, an empty one too.
    package func registerAggregate(
        _ name: String, argumentCount: Int, trust: SQLiteFunctionTrust = .pure,
        makeState: @escaping @Sendable () -> any SQLiteAggregate
    ) throws {
        let callback = AggregateCallback(errors: callbackErrors, makeState: makeState)
        let code = sqlite3_create_function_v2(
            try openDatabase(), name, Int32(argumentCount), trust.flags, callback.retainedPointer(), nil,
            { context, count, values in
                guard let context else { return }
                AggregateCallback.step(context, count, values)
            },
            { context in
                guard let context else { return }
                AggregateCallback.finish(context)
            }, releaseCallback)
        try check(code, .register)
    }

    /// Makes an order of texts usable as `COLLATE name`. `compare` gets UTF-8 bytes and answers below, at or above 0.
    ///
    /// It must be a total order and never change: indexes rest on it.
    package func registerCollation(
        _ name: String, _ compare: @escaping @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int
    ) throws {
        let database = try openDatabase()
        let pointer = CollationCallback(errors: callbackErrors, compare: compare).retainedPointer()
        let code = sqlite3_create_collation_v2(
            database, name, SQLITE_UTF8, pointer,
            { pointer, oneCount, one, otherCount, other in
                CollationCallback.order(
                    pointer, UnsafeRawBufferPointer(start: one, count: Int(oneCount)),
                    UnsafeRawBufferPointer(start: other, count: Int(otherCount)))
            }, releaseCallback)
        // Unlike for functions, SQLite does not give the pointer back when it refuses a collation.
        if code != SQLITE_OK { releaseCallback(pointer) }
        try check(code, .register)
    }
}
