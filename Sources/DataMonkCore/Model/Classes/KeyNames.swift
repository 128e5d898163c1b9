/// **Shared.** The property names that classes declare by key path, read once for each class.
package enum KeyNames {
    // Guard: its lock. A class's names never change, so entries are never removed.
    private static let known = Locked<[ObjectIdentifier: [AnyKeyPath: String]]>([:])

    /// Returns the name of the property at a key path of one step, or `nil` if the class does not name it.
    package static func name(of keyPath: AnyKeyPath, in managedObjectClass: ManagedObject.Type) -> String? {
        known.withLock { known in
            let id = ObjectIdentifier(managedObjectClass)
            if let names = known[id] { return names[keyPath] }
            let names = managedObjectClass.keyNames
            known[id] = names
            return names[keyPath]
        }
    }

    /// Returns a placeholder that represents a key path without a property in conditions. No property has such a name, so
    /// the fetch throws before it asks a store.
    package static func unnamed(_ keyPath: AnyKeyPath) -> String {
        let (root, value) = (type(of: keyPath).rootType, type(of: keyPath).valueType)
        return "\(mark)\(root), \(value)>".replacing(".", with: "/")
    }

    /// Returns `true` if a name was made by ``unnamed(_:)``.
    package static func isUnnamed(_ name: some StringProtocol) -> Bool { name.hasPrefix(mark) }

    private static let mark = "KeyPath<"

    /// The remedy for a key path without a property, for messages.
    package static let remedy = """
        Only persistent properties can be used. Replace a computed property by the persistent ones it is computed \
        from.
        """
}
