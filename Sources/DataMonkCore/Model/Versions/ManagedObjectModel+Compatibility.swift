extension ManagedObjectModel {
    /// Returns whether a store with the given metadata has this version of the model, so that it can be opened without
    /// a migration.
    ///
    ///     let metadata = try Stack.metadata(ofStoreAt: url)
    ///     if try !model.isConfiguration(nil, compatibleWithStoreMetadata: metadata) { showMigrationScreen() }
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the model whose entities the store holds; `nil` for all entities.
    ///   - metadata: The metadata of a store, with its version hashes under the key `NSStoreModelVersionHashes`.
    /// - Throws: ``ModelError`` with the code `unknownConfiguration` if the model has no such configuration.
    public func isConfiguration(
        _ configuration: String?, compatibleWithStoreMetadata metadata: [String: ManagedValue]
    ) throws(ModelError) -> Bool {
        let members = try requireEntities(inConfiguration: configuration)
        if case .int(let version)? = metadata["NSStoreModelVersionHashesVersion"], version > VersionHashes.version {
            return false
        }
        guard case .dictionary(let stored)? = metadata["NSStoreModelVersionHashes"] else { return members.isEmpty }
        let hashes = stored.compactMapValues { if case .data(let hash) = $0 { hash } else { nil } }
        return VersionHashes(of: members, in: self).byEntityName == hashes
    }
}
