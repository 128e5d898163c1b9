package import DataMonkCore
import DataMonkSQL
package import Foundation

extension SQLiteStore {
    /// Plans the migration of a file to a model. The file is only read; nobody has to close it.
    ///
    /// - Parameters:
    ///   - access: The access mode with which the file would be opened.
    ///   - migrates: Whether it would be migrated then. If not, a file of another version is an error, as when it is opened.
    /// - Returns: An empty plan for a store of the version, and for a file in which opening would make one.
    /// - Throws: ``StoreError``, ``MigrationError`` as opening would; but what it would discard, objects that do not fit, and
    ///   what only the new rows show, such as equal values that have to be unique, is no error here.
    package static func migrationPlan(
        of fileURL: URL, to model: ManagedObjectModel, configuration: String?, options: StoreMigrationOptions,
        access: SQLiteOptions.Access = .readWrite, migrates: Bool = true
    ) throws -> MigrationPlan {
        let schema = try StoreSchema(model: model, configuration: configuration)
        if access.canWrite { try StoreError.requireWritePermission(for: fileURL) }
        let isNew: Bool
        do {
            isNew = try isNewStore(fileURL, schema: schema, access: access)
        } catch  where access.canWrite && migrates && mayMigrate(after: error, with: options) {
            isNew = false
        }
        if isNew { return MigrationPlan(storeURL: fileURL, storeByteCount: 0, stages: []) }
        return try StoreMigrator.plan(fileURL, to: schema, options: options)
    }

    /// Returns `true` if opening makes a new store of a file.
    ///
    /// - Throws: What opening throws for a store that it cannot use.
    private static func isNewStore(
        _ fileURL: URL, schema: StoreSchema, access: SQLiteOptions.Access
    ) throws -> Bool {
        if case .readWriteCreate = access, !FileManager.default.fileExists(atPath: fileURL.path) { return true }
        return try SQLiteConnection.reading(fileURL, label: "plan") { connection in
            if access.canWrite { return try usableStore(of: schema, on: connection, at: fileURL) == nil }
            _ = try readableStore(of: schema, on: connection, at: fileURL)
            return false
        }
    }
}

extension StoreMigrator {
    /// Plans a migration.
    ///
    /// One stage is planned by counting. Several depend on what the ones before have written, and links that have to be there
    /// show in the new rows, so these are carried out in a private copy.
    static func plan(
        _ fileURL: URL, to schema: StoreSchema, options: StoreMigrationOptions
    ) throws -> MigrationPlan {
        var options = options
        options.observer = nil
        options.report = { _ in }
        let counting = try SQLiteConnection.reading(fileURL, label: "plan") { connection -> Counting in
            let plan = try Self(fileURL: fileURL, new: schema, options: options, connection: connection)
                .plan(.deferred, carriesOutStages: false)
            if let plan { return .complete(plan) }
            // By this connection: this process may have the file open, and would lose its locks if another way were taken.
            do { return .stages(try PrivateCopy(of: connection)) } catch let error as CancellationError {
                throw MigrationError.cancelled(error, in: fileURL)
            }
        }
        switch counting {
        case .complete(let plan): return plan
        case .stages(let copy):
            return try StoreError.translatingFailures(of: fileURL) {
                try plan(fileURL, in: copy, to: schema, options: options)
            }
        }
    }

    /// **Value.** The result of counting, without writing anything.
    private enum Counting {
        case complete(MigrationPlan)
        /// There are stages to be carried out in a copy.
        case stages(PrivateCopy)
    }

    private static func plan(
        _ fileURL: URL, in copy: PrivateCopy, to schema: StoreSchema, options: StoreMigrationOptions
    ) throws -> MigrationPlan {
        var access = SQLiteOptions(access: .readWrite)
        access.isExclusive = true
        access.label = "plan"
        let connection = try SQLiteConnection(fileURL: copy.url, options: access)
        let plan = try Self(fileURL: fileURL, new: schema, options: options, connection: connection)
            .plan(.immediate, carriesOutStages: true)
        try connection.close()
        // There is one: the stages that it lacked are carried out.
        return try plan ?? { throw StoreError.noCoreDataStore(fileURL) }()
    }

    /// - Returns: `nil` if stages have to be carried out.
    private func plan(
        _ kind: SQLiteConnection.TransactionKind, carriesOutStages: Bool
    ) throws -> MigrationPlan? {
        do {
            return try connection.stoppable(when: { Task.isCancelled }) {
                try registerFunctions()
                return try connection.transaction(kind) { try plan(carryingOutStages: carriesOutStages) }
            }
        } catch let failure as SQLiteFailure where failure.isInterrupted {
            throw MigrationError.cancelled(CancellationError(), in: fileURL)
        } catch var error as MigrationError {
            error.storeURL = fileURL
            throw error
        }
    }

    private func plan(carryingOutStages: Bool) throws -> MigrationPlan? {
        let size = try connection.int64("PRAGMA page_count") * connection.int64("PRAGMA page_size")
        guard let (old, metadata) = try begin() else {
            return MigrationPlan(storeURL: fileURL, storeByteCount: size, stages: [])
        }
        let steps = try options.steps(of: metadata, to: new, in: fileURL)
        if steps.count > 1, !carryingOutStages { return nil }
        var (schema, stages, dependsOnCode) = (old, [MigrationPlan.Stage](), false)
        var names = StoredNames()
        for (place, step) in steps.enumerated() {
            let isLast = place == steps.count - 1
            dependsOnCode = dependsOnCode || step.stage?.willMigrate != nil
            let part = try prepare(from: schema, to: step)
            let showsObstacles = options.findsObstacles && part.showsObstacles
            if showsObstacles, !carryingOutStages { return nil }
            stages.append(
                try stage(
                    part, names: names, versionHashes: metadata.versionHashes, size: size, dependsOnCode: dependsOnCode)
            )
            if isLast, !showsObstacles { break }
            let misfits = try misfits(carryingOut: part, place: place, of: steps.count)
            if !misfits.isEmpty {
                // The code may be there to make the data fit.
                if !dependsOnCode { stages[place].obstacles = misfits }
                // Others may have ended the stage before the links were looked at.
                let isComplete = isLast && !dependsOnCode && misfits.allSatisfy(\.isOfLinks)
                return MigrationPlan(storeURL: fileURL, storeByteCount: size, stages: stages, isComplete: isComplete)
            }
            if isLast { break }
            names.pass(part.mapping)
            dependsOnCode = dependsOnCode || step.stage?.didMigrate != nil
            schema = step.schema
        }
        return MigrationPlan(storeURL: fileURL, storeByteCount: size, stages: stages)
    }

    /// Carries a stage out, and returns the objects that do not fit it.
    private func misfits(carryingOut part: Part, place: Int, of count: Int) throws -> [MigrationError.Problem] {
        do {
            try carryOut(part, place: place, of: count)
            return []
        } catch let error as MigrationError where error.code == .constraintViolation {
            return error.problems
        }
    }

    private func stage(
        _ part: Part, names: StoredNames, versionHashes: [String: Data], size: Int64, dependsOnCode: Bool
    ) throws -> MigrationPlan.Stage {
        var steps = part.mapping.changes
        var required: Int64 = 0
        for rewrite in part.script.rewrites {
            let rows = try connection.int64(
                "SELECT count(*) FROM \(SQLIdentifier.quotedIfNeeded(rewrite.tableName))")
            let bytes = try self.bytes(ofTable: rewrite.tableName) ?? size
            required += rewrite.isCopy ? 2 * bytes : bytes
            let kind: MigrationPlan.Step.Kind =
                rewrite.relationshipName != nil ? .copiedLinks : rewrite.isCopy ? .copiedObjects : .updatedObjects
            steps.append(.init(kind, rewrite.entityName, property: rewrite.relationshipName, rows: Int(rows)))
        }
        let check = DiscardCheck(
            options: options, mapping: part.step.mapping, names: names, connection: connection, fileURL: fileURL)
        return MigrationPlan.Stage(
            steps: steps, discards: try check.planned(part.script.discards, versionHashes: versionHashes),
            requiredByteCount: required, dependsOnCode: dependsOnCode)
    }

    /// Returns the size of a table with its indexes, or `nil` if SQLite was built without its statistics.
    private func bytes(ofTable name: String) throws -> Int64? {
        guard try connection.int64("SELECT count(*) FROM pragma_module_list WHERE name = 'dbstat'") > 0 else {
            return nil
        }
        return try connection.withStatement(
            """
            SELECT coalesce(sum(s.pgsize), 0) FROM sqlite_schema o JOIN dbstat s ON s.name = o.name \
            WHERE o.tbl_name = ? AND s.aggregate = TRUE
            """
        ) { statement in
            try statement.bind(name, at: 1)
            return try statement.step() ? statement.int64(at: 0) : 0
        }
    }
}

extension MigrationError.Problem {
    fileprivate var isOfLinks: Bool { kind == .missingLinks || kind == .lostLinks }
}

extension StoreMigrator.Part {
    /// A Boolean value indicating whether carrying out the stage shows which objects lack a destination that they must have. If
    /// code follows, it may yet make it.
    fileprivate var showsObstacles: Bool { !script.requirements.isEmpty && step.stage?.didMigrate == nil }
}
