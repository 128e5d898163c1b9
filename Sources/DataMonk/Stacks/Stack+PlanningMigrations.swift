public import DataMonkCore
import DataMonkSQLite
import Foundation

extension Stack {
    /// Plans the migration of a database file to the stack's model, without blocking and without changing the file.
    ///
    /// ```swift
    /// let store = StoreDescription.database(fileURL: url)
    /// let plan = try await stack.migrationPlan(for: store)
    /// if !plan.isEmpty { print("\(plan.steps.count) steps, about \(plan.requiredByteCount) bytes") }
    /// try await stack.addStore(store)
    /// ```
    /// The rows are counted, so the call takes time on a large store. With several stages, all but the last are carried out in
    /// a private copy, which needs space where the system has its temporary files, and runs their closures; so is the last or
    /// only one if objects may lack a destination of a required relationship afterwards (`obstacles`). Code of stages is not
    /// run; where the data fits a stage only after such code, the plan ends there, and is not `isComplete`.
    ///
    /// - Parameter store: A database file with the options that it is to be added with. It may be open.
    /// - Returns: The plan; an empty one if the file has the version of the model.
    /// - Throws: ``/DataMonkCore/StoreError`` and ``/DataMonkCore/MigrationError`` for everything that would keep the store from
    ///   being migrated, its options among them (`autoMigrating`, `infersMapping`, `readOnly`, `immutable`); except what it
    ///   would discard and objects that do not fit, which are in the plan, and what only the migrated rows show.
    ///   ``/DataMonkCore/StoreError`` with the code `unsupportedRequest` for a store of another kind.
    public func migrationPlan(for store: StoreDescription) async throws -> MigrationPlan {
        guard store.type == .sqlite, let url = store.url else {
            throw StoreError(
                .unsupportedRequest,
                "Only database files are migrated to another version of the model. Name one, or open the store as it is.",
                storeURL: store.url)
        }
        try coordinator.requireOutsideCommit()
        try store.stages?.check(leadingTo: model)
        let (model, options) = (model, migrationOptions(of: store))
        return try await StoreWorker().run {
            try SQLiteStore.migrationPlan(
                of: url, to: model, configuration: store.configuration, options: options, access: store.access,
                migrates: store.autoMigrating)
        }
    }
}
