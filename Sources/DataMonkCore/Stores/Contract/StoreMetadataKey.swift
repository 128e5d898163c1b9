/// **Value.** The reserved keys of a store's metadata.
package enum StoreMetadataKey {
    /// The key of the versions that the store was migrated from and to. Core Data preserves it like an application's own
    /// key.
    package static let versions = "DataMonkModelVersions"

    /// Returns `true` if a key is the store's own: its type, identity or version. Applications cannot change its value.
    package static func isStoresOwn(_ key: String) -> Bool {
        key.hasPrefix("NS") || key.hasPrefix("_NS") || key == versions
    }
}
