package import DataMonkCore
import DataMonkSQL
package import Foundation

/// **Confined.** Examines a store: the file, its version, each row, and the files of external data. Only reads.
///
/// The examination goes from the file to single rows. What is too damaged to be examined is noted, and the rest is examined
/// nevertheless.
package struct StoreExaminer {
    let connection: SQLiteConnection
    /// The location of the store, which findings name and beside which its external data lies.
    let storeURL: URL
    let folder: ExternalDataFolder
    let objects: [SchemaObject]
    var diagnoses: [Diagnosis] = []
    var isComplete = true
    /// A Boolean value indicating whether pages lead to the same pages more than once, so that a read of all rows may not end.
    var leadsAround = false
    private var unreadableTables: Set<String> = []

    /// Examines a store in one snapshot.
    ///
    /// - Parameters:
    ///   - url: The file to read.
    ///   - storeURL: The location of the store that the file is a copy of; `nil` if it is the store.
    ///   - model: The store's model; `nil` for the one inside the store.
    /// - Throws: ``StoreError`` if the file cannot be opened, or if it is not a store.
    package static func examine(
        _ url: URL, of storeURL: URL? = nil, model: ManagedObjectModel? = nil
    ) throws -> StoreDiagnosis {
        try keepingFiles(of: storeURL ?? url) { folder in
            func examine() throws -> StoreDiagnosis {
                try SQLiteConnection.reading(url) { connection in
                    try connection.registerQueryFunctions()
                    try connection.beginSnapshot()
                    let diagnosis = try self.examine(connection, folder, model: model)
                    // After damaged pages were met, SQLite refuses a COMMIT.
                    try connection.rollback()
                    return diagnosis
                }
            }
            let before = FileState(of: url)
            let diagnosis = try examine()
            // Programs that ignore the folder's lock may have removed a file after the snapshot was taken.
            let mayMissFiles = diagnosis.examination.findings.contains { $0.kind == .missingFile }
            return mayMissFiles && FileState(of: url) != before ? try examine() : diagnosis
        }
    }

    /// Examines a store in the snapshot of a connection.
    ///
    /// - Parameter folder: The store's folder for external data.
    static func examine(
        _ connection: SQLiteConnection, _ folder: ExternalDataFolder, model: ManagedObjectModel?
    ) throws -> StoreDiagnosis {
        var examiner = try StoreExaminer(connection, folder)
        return try examiner.run(model)
    }

    /// Keeps files of external data from being swept while `body` runs: those that rows of a snapshot refer to stay.
    ///
    /// - Throws: ``StoreError`` with the code `locked` if a sweep lasts beyond the deadline.
    static func keepingFiles<Result>(of url: URL, _ body: (ExternalDataFolder) throws -> Result) throws -> Result {
        let folder = ExternalDataFolder(storeURL: url)
        do {
            _ = try folder.open(creating: false)
        } catch let error as StoreError where error.isOfUnreadableFile {
            // The examination tells which files it cannot find.
        }
        defer { folder.release() }
        return try body(folder)
    }

    /// Keeps files of external data from being swept while `body` runs.
    package static func keepingFiles<Result>(of url: URL, _ body: () throws -> Result) throws -> Result {
        try keepingFiles(of: url) { (_: ExternalDataFolder) in try body() }
    }

    private init(_ connection: SQLiteConnection, _ folder: ExternalDataFolder) throws {
        self.connection = connection
        self.folder = folder
        storeURL = folder.storeURL
        objects = try connection.schemaObjects()
        try Self.requireStore(objects, storeURL)
    }

    /// Checks that a file is a store, however damaged: it has one of the store's own tables.
    static func requireStore(_ objects: [SchemaObject], _ url: URL) throws {
        let own = ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"]
        guard objects.contains(where: { $0.kind == .table && own.contains($0.name) }) else {
            throw StoreError.noCoreDataStore(url)
        }
    }

    private mutating func run(_ given: ManagedObjectModel?) throws -> StoreDiagnosis {
        try checkFile()
        let (identifier, metadata) = try readMetadata()
        let schema = try findSchema(given, metadata)
        var hasHistory = false
        var counts: [String: Int] = [:]
        if let schema, leadsAround {
            try checkObjects(schema)
            hasHistory = hasTable("ATRANSACTION")
            isComplete = false
        } else if let schema {
            try checkObjects(schema)
            try checkTriggers(schema)
            try checkTextIndexes()
            for check in schema.listChecks where hasTable(check.table) { try run(check) }
            for check in schema.rowChecks { try run(check) }
            try checkDerivedValues(schema)
            hasHistory = try checkHistory()
            try checkExternalData(schema)
            counts = try countObjects(schema)
        } else {
            isComplete = false
        }
        return StoreDiagnosis(
            examination: StoreExamination(
                url: storeURL, findings: diagnoses.map(\.finding), objectCounts: counts, isComplete: isComplete),
            diagnoses: diagnoses, schema: schema, metadata: metadata, identifier: identifier, hasHistory: hasHistory)
    }

    func hasTable(_ name: String) -> Bool {
        let folded = name.uppercased()
        return objects.contains { $0.kind == .table && $0.name.uppercased() == folded }
    }

    // MARK: Statements

    /// Runs a check and records the rows that it selects.
    mutating func run(_ check: RowCheck) throws {
        try reading(check.table) { examiner in
            let (rows, count) = try examiner.rows(check.select)
            if count > 0 { examiner.diagnoses.append(Diagnosis(check, rows: rows, count: count)) }
        }
    }

    /// Returns the first rows that a statement selects, and the number of all of them.
    func rows(_ select: String) throws -> (rows: [StoreFinding.Row], count: Int) {
        try connection.withStatement(select) { statement in
            var (rows, count): ([StoreFinding.Row], Int) = ([], 0)
            while try statement.step() {
                count += 1
                guard rows.count < StoreFinding.maximumListed else { continue }
                let other = statement.columnCount > 1 ? statement.int64(at: 1) : nil
                rows.append(StoreFinding.Row(primaryKey: statement.int64(at: 0), otherKey: other))
            }
            return (rows, count)
        }
    }

    /// Runs a part of the examination that reads a table. A table that cannot be read is recorded once, and the examination
    /// goes on.
    mutating func reading(_ table: String, _ body: (inout StoreExaminer) throws -> Void) throws {
        do {
            try body(&self)
        } catch let failure as SQLiteFailure {
            // A missing table or column, recorded already, is an error of the statement.
            let isMissing = failure.operation == .prepare && !isComplete
            let isDamaged = failure.isDamage
            guard isMissing || isDamaged else { throw failure }
            isComplete = false
            guard isDamaged, unreadableTables.insert(table).inserted else { return }
            diagnoses.append(
                Diagnosis(
                    .damagedPages, table: table,
                    problem: "The table \(table), or one that it refers to, cannot be read: \(failure.message)."))
        }
    }
}

@available(*, unavailable)
extension StoreExaminer: Sendable {}
