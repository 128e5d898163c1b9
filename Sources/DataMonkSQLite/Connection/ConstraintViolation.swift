import CSQLite

/// **Value.** The constraint that a statement violated, as far as SQLite reports it.
package struct ConstraintViolation: Equatable, Sendable {
    package enum Kind: Sendable {
        case unique, primaryKey, notNull, check, foreignKey, trigger, other
    }

    package var kind: Kind
    /// The name of the table; `nil` if SQLite names none.
    package var table: String?
    /// The columns, in the constraint's order.
    package var columns: [String]
    /// The name of an index over expressions, for which SQLite names no columns.
    package var index: String?
}

extension SQLiteFailure {
    /// The violated constraint; `nil` for other failures.
    ///
    /// The result code alone decides the kind of violation. The message is parsed only for the names in it, which SQLite
    /// reports nowhere else: `UNIQUE constraint failed: ZPERSON.ZNAME, ZPERSON.ZAGE`, or `…: index 'Z_Person_lower'`.
    package var constraintViolation: ConstraintViolation? {
        guard primaryCode == SQLITE_CONSTRAINT else { return nil }
        var violation = ConstraintViolation(kind: constraintKind, columns: [])
        guard let colon = message.firstIndex(of: ":") else { return violation }
        let names = message[colon...].dropFirst(2)
        if let quote = names.firstIndex(of: "'") {
            violation.index = String(names[quote...].dropFirst().prefix { $0 != "'" })
            return violation
        }
        for name in names.split(separator: ",") {
            let parts = name.drop { $0 == " " }.split(separator: ".", maxSplits: 1)
            guard parts.count == 2 else { continue }
            violation.table = String(parts[0])
            violation.columns.append(String(parts[1]))
        }
        return violation
    }

    private var constraintKind: ConstraintViolation.Kind {
        // The numbers from sqlite3.h; its macros are too complex for Swift's importer.
        switch extendedCode >> 8 {
        case 8: .unique
        case 6, 10: .primaryKey
        case 5: .notNull
        case 1: .check
        case 3: .foreignKey
        case 7: .trigger
        default: .other
        }
    }
}
