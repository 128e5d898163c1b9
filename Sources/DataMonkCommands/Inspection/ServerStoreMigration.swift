import DataMonkCore
import Foundation

#if Postgres
    import DataMonkPostgres
#endif

/// **Value.** The migration of a store on a server. Without the trait `Postgres`, it fails.
struct ServerStoreMigration {
    let url: String
    let schemaName: String
    let model: ManagedObjectModel
    let configuration: String?
    let discarding: DiscardableData

    /// Returns `true` for the address of a server, of which nothing may be repeated in messages.
    static func isServer(_ store: String) -> Bool {
        ["postgresql://", "postgres://"].contains { store.lowercased().hasPrefix($0) }
    }

    #if Postgres
        /// Migrates the store, or plans that.
        ///
        /// - Throws: ``StoreError``, ``MigrationError``.
        func run(isPlan: Bool) throws -> MigrationPlan {
            try ServerStoreOpener.migrate(
                url, schemaName: schemaName, to: model, configuration: configuration, discarding: discarding,
                settings: ServerStoreSettings(), isPlan: isPlan,
                report: { FileHandle.standardError.write(Data("datamonk: \(StoreInspection.message(of: $0))\n".utf8)) })
        }
    #else
        func run(isPlan: Bool) throws -> MigrationPlan {
            throw StoreError(
                .unsupportedRequest,
                "This program was built without stores on servers. Build it with the package trait Postgres.")
        }
    #endif
}
