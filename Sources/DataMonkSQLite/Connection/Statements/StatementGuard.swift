import CSQLite

/// **Confined.** Refuses, by SQLite's authorizer, what an application's own SQL must not do: everything but reading.
///
/// The authorizer stays installed as long as the connection is open, since installing it makes SQLite compile all cached
/// statements again. It answers yes to everything while the guard is off, as for the library's own statements.
///
/// SQLite asks when it compiles a statement, and again for the statements that virtual tables and pragma functions run
/// underneath, and when the schema has changed since. So the guard is on from before a statement is compiled or taken from
/// `queries` until after its last step.
final class StatementGuard {
    /// **Value.** The action that SQLite asked for and did not get.
    struct Refusal: Sendable {
        /// The action as SQL spells it: `INSERT`, `ATTACH`, `PRAGMA`.
        let action: String
        /// The table, the function or whatever else it was to be done to, if SQLite names it.
        let subject: String?
    }

    private var isOn = false
    /// The first refusal since the innermost `guarding` began.
    private(set) var refusal: Refusal?
    /// A Boolean value indicating whether the statement that was compiled last is a query.
    private var isQuery = false
    /// The queries that were compiled while the guard was on. The connection's own statements were not.
    var queries: StatementCache

    init(cacheCapacity: Int) { queries = StatementCache(capacity: cacheCapacity) }

    /// Runs `body` with the guard on. Calls may be nested.
    func guarding<Result>(_ body: () throws -> Result) rethrows -> Result {
        let before = (isOn, refusal)
        (isOn, refusal) = (true, nil)
        defer { (isOn, refusal) = before }
        return try body()
    }

    /// Compiles one query. Statements that ask for nothing, such as `VACUUM`, are refused because they are none.
    func prepareQuery(_ sql: String, on connection: SQLiteConnection) throws -> SQLiteStatement {
        isQuery = false
        let statement = try connection.prepare(sql)
        guard isQuery, statement.isReadOnly else {
            refusal = Refusal(action: sql.firstWord, subject: nil)
            throw SQLiteFailure(extendedCode: SQLITE_AUTH, operation: .prepare, sql: sql)
        }
        return statement
    }

    /// Installs the guard, which must outlive `database`.
    func install(on database: OpaquePointer) {
        sqlite3_set_authorizer(
            database,
            { statementGuard, action, first, second, _, _ in
                guard let statementGuard else { return SQLITE_DENY }
                return Unmanaged<StatementGuard>.fromOpaque(statementGuard).takeUnretainedValue()
                    .answer(action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func answer(_ action: Int32, _ first: String?, _ second: String?) -> Int32 {
        if !isOn { return SQLITE_OK }
        switch action {
        case SQLITE_SELECT:
            isQuery = true
            return SQLITE_OK
        case SQLITE_READ, SQLITE_RECURSIVE: return SQLITE_OK
        case SQLITE_FUNCTION where Self.permits(function: second?.lowercased() ?? ""): return SQLITE_OK
        // A full-text index asks for it before each search. By itself it is no query, so it is refused there.
        case SQLITE_PRAGMA where first?.lowercased() == "data_version" && second == nil: return SQLITE_OK
        // A virtual table that is used for the first time declares its columns so, and changes nothing. A statement that
        // does this by itself is no query, and SQLite refuses it besides.
        case SQLITE_UPDATE where first == "sqlite_master" || first == "sqlite_temp_master": return SQLITE_OK
        default:
            if refusal == nil { refusal = Self.refusal(of: action, first, second) }
            return SQLITE_DENY
        }
    }

    private static func refusal(of action: Int32, _ first: String?, _ second: String?) -> Refusal {
        let name = names[action] ?? "STATEMENT"
        switch action {
        case SQLITE_FUNCTION, SQLITE_ALTER_TABLE: return Refusal(action: name, subject: second)
        // BEGIN, COMMIT or ROLLBACK.
        case SQLITE_TRANSACTION: return Refusal(action: first ?? name, subject: nil)
        case SQLITE_SAVEPOINT: return Refusal(action: first == "BEGIN" ? name : first ?? name, subject: second)
        default: return Refusal(action: name, subject: first)
        }
    }

    /// Returns `true` for a function that only computes. The engine's own take what the engine gives them, nothing else.
    private static func permits(function name: String) -> Bool {
        !refusedFunctions.contains(name) && !name.hasPrefix("datamonk_")
    }

    /// Functions that load code, hand out pointers, change the connection, or reach files and the log of the process.
    private static let refusedFunctions: Set = [
        "load_extension", "fts3_tokenizer", "fts5", "icu_load_collation", "sqlite_log", "readfile", "writefile", "edit",
    ]

    private static let names: [Int32: String] = [
        SQLITE_CREATE_INDEX: "CREATE INDEX", SQLITE_CREATE_TABLE: "CREATE TABLE",
        SQLITE_CREATE_TEMP_INDEX: "CREATE TEMP INDEX", SQLITE_CREATE_TEMP_TABLE: "CREATE TEMP TABLE",
        SQLITE_CREATE_TEMP_TRIGGER: "CREATE TEMP TRIGGER", SQLITE_CREATE_TEMP_VIEW: "CREATE TEMP VIEW",
        SQLITE_CREATE_TRIGGER: "CREATE TRIGGER", SQLITE_CREATE_VIEW: "CREATE VIEW", SQLITE_DELETE: "DELETE",
        SQLITE_DROP_INDEX: "DROP INDEX", SQLITE_DROP_TABLE: "DROP TABLE", SQLITE_DROP_TEMP_INDEX: "DROP INDEX",
        SQLITE_DROP_TEMP_TABLE: "DROP TABLE", SQLITE_DROP_TEMP_TRIGGER: "DROP TRIGGER",
        SQLITE_DROP_TEMP_VIEW: "DROP VIEW", SQLITE_DROP_TRIGGER: "DROP TRIGGER", SQLITE_DROP_VIEW: "DROP VIEW",
        SQLITE_INSERT: "INSERT", SQLITE_PRAGMA: "PRAGMA", SQLITE_TRANSACTION: "TRANSACTION", SQLITE_UPDATE: "UPDATE",
        SQLITE_ATTACH: "ATTACH", SQLITE_DETACH: "DETACH", SQLITE_ALTER_TABLE: "ALTER TABLE",
        SQLITE_REINDEX: "REINDEX", SQLITE_ANALYZE: "ANALYZE", SQLITE_CREATE_VTABLE: "CREATE VIRTUAL TABLE",
        SQLITE_DROP_VTABLE: "DROP TABLE", SQLITE_FUNCTION: "FUNCTION", SQLITE_SAVEPOINT: "SAVEPOINT",
    ]
}

extension SQLiteConnection {
    /// The guard of this connection, installed at its first use.
    func statementGuard() throws -> StatementGuard {
        if let installedGuard { return installedGuard }
        let statementGuard = StatementGuard(cacheCapacity: options.statementCacheCapacity)
        statementGuard.install(on: try openDatabase())
        installedGuard = statementGuard
        return statementGuard
    }
}

extension SQLiteFailure {
    /// A Boolean value indicating whether a text to be compiled had no statement or more than one.
    var isNotOneStatement: Bool { primaryCode == SQLITE_MISUSE && operation == .prepare }

    /// A Boolean value indicating whether the statement is at fault, and not the file.
    var isOfStatement: Bool {
        [SQLITE_ERROR, SQLITE_TOOBIG, SQLITE_RANGE, SQLITE_MISMATCH].contains(primaryCode)
    }
}

extension SQLiteStatement {
    /// A Boolean value indicating whether the statement makes no direct changes to a file.
    var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    /// The number of the last parameter.
    package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

    /// The name of a column of the result.
    package func columnName(at column: Int) -> String {
        sqlite3_column_name(handle, Int32(truncatingIfNeeded: column)).map { String(cString: $0) } ?? ""
    }
}

extension String {
    /// The first word, in uppercase.
    fileprivate var firstWord: String {
        let word = drop { !$0.isLetter }.prefix { $0.isLetter }
        return word.isEmpty ? "STATEMENT" : word.uppercased()
    }
}
