import ArgumentParser
import DataMonkCore

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

    /// Throws an error for the address of a server in place of a file. Messages about files would repeat it, with a password that
    /// it may contain.
    static func requireFiles(_ paths: String?...) throws {
        if paths.contains(where: { $0.map(isServer) == true }) {
            throw ValidationError("Only migrate works on servers, and only on a store there. Pass a file.")
        }
    }

    #if Postgres
        /// Migrates the store, or plans that.
        ///
        /// - Throws: ``StoreError``, ``MigrationError``.
        func run(isPlan: Bool) throws -> MigrationPlan {
            try ServerStoreOpener.migrate(
                url, schemaName: schemaName, to: model, configuration: configuration, discarding: discarding,
                settings: ServerStoreSettings(), isPlan: isPlan,
                report: { StandardStream.report("datamonk: \(StoreInspection.message(of: $0))\n") })
        }
    #else
        func run(isPlan: Bool) throws -> MigrationPlan {
            throw StoreError(
                .unsupportedRequest,
                "This program was built without stores on servers. Build it with the package trait Postgres.")
        }
    #endif
}
