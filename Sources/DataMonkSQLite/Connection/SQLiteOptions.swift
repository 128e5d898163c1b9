/// **Value.** How a ``SQLiteConnection`` is opened.
package struct SQLiteOptions: Sendable {
    package enum Access: Sendable {
        /// Reads and writes; creates the file (0600) and missing directories (0700).
        case readWriteCreate
        /// Reads and writes a file that must exist.
        case readWrite
        /// Reads a file that others may write to.
        case readOnly
        /// Reads a file that nobody changes while it is open, without locks: one inside an application's bundle.
        case immutable

        package var canWrite: Bool {
            switch self {
            case .readWriteCreate, .readWrite: true
            case .readOnly, .immutable: false
            }
        }

        /// Whether the log counts. An immutable file is read without it.
        var usesLog: Bool {
            if case .immutable = self { return false }
            return true
        }
    }

    /// What a returned COMMIT survives.
    package enum Durability: String, Sendable {
        /// A loss of power.
        case full = "FULL"
        /// A crash of the process; after a loss of power the last commits may be missing, the file stays sound.
        case normal = "NORMAL"
    }

    package var access: Access
    /// Whether nobody else may have the file open meanwhile, in this process or another. Opening throws busy at the
    /// deadline.
    package var isExclusive = false
    package var durability = Durability.full
    /// How long a statement waits for another connection's lock.
    package var busyTimeout = Duration.seconds(5)
    /// SQLite's default of 2 MiB makes reads by id of larger stores go to the system for every other page.
    package var pageCacheKiB = 16_384
    /// A writer's ``SQLiteConnection/checkpointIfDue()`` acts from this many pages in the log.
    package var checkpointInterval = 1_000
    /// How many statements a connection keeps that are asked for by their text.
    package var statementCacheCapacity = 64
    /// Names the connection in traces: "writer", "reader".
    package var label = "connection"
    package var trace: StatementTrace?

    package init(access: Access) {
        self.access = access
    }
}

/// **Value.** Who is told of each statement that begins to run.
package struct StatementTrace: Sendable {
    /// Whether bound values stand in the text. They may be private: hidden unless asked for.
    package enum Values: Sendable {
        case hidden, shown
    }

    package struct Event: Sendable {
        /// The connection's label.
        package var connection: String
        /// The statement; with a trigger's statements as a comment line `-- …`.
        package var sql: String
    }

    package var values: Values
    package var report: @Sendable (Event) -> Void

    package init(values: Values = .hidden, report: @escaping @Sendable (Event) -> Void) {
        self.values = values
        self.report = report
    }
}
