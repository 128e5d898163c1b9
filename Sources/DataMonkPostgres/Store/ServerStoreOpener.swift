#if Postgres
    package import DataMonkCore

    /// **Value.** Opens stores on servers, for the modules above.
    package enum ServerStoreOpener {
        /// Opens a store, which is created if the schema does not have one.
        ///
        /// - Throws: A `StoreError`, which repeats nothing of the URL, if the URL is not valid, if the server cannot be
        ///   reached, or if the database cannot have the store, or has another one.
        package static func open(
            _ url: String, schemaName: String, configuration: String?, directory: ObjectDirectory, index: Int,
            settings: ServerStoreSettings
        ) throws -> any PersistentStore {
            let namespace = ServerNamespace(name: schemaName)
            do {
                return try ServerStore(
                    ServerURL(url), namespace: namespace, directory: directory, index: index,
                    configuration: configuration, settings: settings)
            } catch let error as ServerURLError {
                throw StoreError(.openFailed, error.description)
            } catch let failure as PostgresFailure {
                throw StoreError(failure, in: namespace)
            }
        }
    }
#endif
