/// **Value.** Options for opening a ``SQLiteConnection``.
package struct SQLiteOptions: Sendable {
    package enum Access: Sendable {
        /// Reads and writes; creates the file (0600) and missing directories (0700).
        case readWriteCreate
        /// Reads and writes a file that must exist.
        case readWrite
        /// Reads a file that other programs may write to.
        case readOnly
        /// Reads, without locks, a file that does not change while it is open: one inside an application's bundle.
        case immutable

        package var canWrite: Bool {
            switch self {
            case .readWriteCreate, .readWrite: true
            case .readOnly, .immutable: false
            }
        }

        /// A Boolean value indicating whether the log is read. An immutable file is read without it.
        var usesLog: Bool {
            if case .immutable = self { return false }
            return true
        }
    }

    /// The event that a returned COMMIT survives.
    package enum Durability: String, Sendable {
        /// A power cut.
        case full = "FULL"
        /// A crash of the process. After a power cut the last commits may be missing, but the file stays sound.
        case normal = "NORMAL"
    }

    package var access: Access
    /// A Boolean value indicating whether no other connection may have the file open, in this process or another. Opening
    /// throws busy at the deadline.
    package var isExclusive = false
    package var durability = Durability.full
    /// The maximum time a statement waits for another connection's lock.
    package var busyTimeout = Duration.seconds(5)
    /// The size of SQLite's page cache. With its default of 2 MiB, reads by id in larger stores go to the system for every
    /// other page. A writer fills its cache with what it has written, which few commits need again.
    package var pageCacheKiB: Int { access.canWrite ? 8_192 : 16_384 }
    /// The number of pages in the log from which a writer's ``SQLiteConnection/checkpointIfDue()`` runs a checkpoint.
    package var checkpointInterval = 1_000
    /// The number of statements that a connection caches by their text.
    package var statementCacheCapacity = 64
    /// The name of the connection in traces: "writer", "reader".
    package var label = "connection"
    package var trace: StatementTrace?

    package init(access: Access) {
        self.access = access
    }
}

/// **Value.** A handler that receives each statement as it begins to run.
package struct StatementTrace: Sendable {
    /// Controls whether the text contains bound values. They may be private, so they are hidden by default.
    package enum Values: Sendable {
        case hidden, shown
    }

    package struct Event: Sendable {
        /// The connection's label.
        package var connection: String
        /// The statement. A trigger's statements appear as a comment line, `-- …`.
        package var sql: String
    }

    package var values: Values
    package var report: @Sendable (Event) -> Void

    package init(values: Values = .hidden, report: @escaping @Sendable (Event) -> Void) {
        self.values = values
        self.report = report
    }
}
