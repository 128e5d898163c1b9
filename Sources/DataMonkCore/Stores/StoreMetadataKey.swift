/// **Value.** What keys of a store's metadata say by themselves.
package enum StoreMetadataKey {
    /// Whether a key is the store's own: its type, identity and version. An application cannot change what it says.
    package static func isStoresOwn(_ key: String) -> Bool { key.hasPrefix("NS") || key.hasPrefix("_NS") }
}
