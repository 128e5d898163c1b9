/// **Value.** What keys of a store's metadata say by themselves.
package enum StoreMetadataKey {
    /// The key of the versions that the store has been migrated from and to. Core Data keeps it as an application's.
    package static let versions = "DataMonkModelVersions"

    /// Whether a key is the store's own: its type, identity and version. An application cannot change what it says.
    package static func isStoresOwn(_ key: String) -> Bool {
        key.hasPrefix("NS") || key.hasPrefix("_NS") || key == versions
    }
}
