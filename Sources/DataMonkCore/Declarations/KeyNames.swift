/// **Shared.** What classes say of the names of their properties by key path, asked once a class.
package enum KeyNames {
    // Guard: its lock. A class's names never change, so nothing is ever taken out.
    private static let known = Locked<[ObjectIdentifier: [AnyKeyPath: String]]>([:])

    /// The name of the property that a key path of one step leads to; nil where the class names none.
    package static func name(of keyPath: AnyKeyPath, in managedObjectClass: ManagedObject.Type) -> String? {
        known.withLock { known in
            let id = ObjectIdentifier(managedObjectClass)
            if let names = known[id] { return names[keyPath] }
            let names = managedObjectClass.keyNames
            known[id] = names
            return names[keyPath]
        }
    }

    /// What stands in a condition for a key path that leads to no property. No property is called like this, so the fetch
    /// throws before it asks a store.
    package static func unnamed(_ keyPath: AnyKeyPath) -> String {
        let (root, value) = (type(of: keyPath).rootType, type(of: keyPath).valueType)
        return "\(mark)\(root), \(value)>".replacing(".", with: "/")
    }

    /// Whether a name is one that ``unnamed(_:)`` made.
    static func isUnnamed(_ name: some StringProtocol) -> Bool { name.hasPrefix(mark) }

    private static let mark = "KeyPath<"

    /// What to do about a key path that leads to no property.
    static let remedy = """
        Only persistent properties have a key, computed ones have none: use what it is computed from.
        """
}
