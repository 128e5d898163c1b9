extension MigrationError {
    /// **Value.** One obstacle to a migration: its kind, its place, and its remedy.
    public struct Problem: Sendable, Hashable {
        /// The kind of obstacle.
        public var kind: Kind
        /// The entity of the new version, or of the old one if the new version has removed it.
        public var entityName: String?
        /// The property or uniqueness constraint concerned.
        public var propertyName: String?
        /// The number of objects, values or links that would be discarded; `nil` for other problems.
        public var count: Int?
        /// A description of the obstacle and its remedy.
        public var message: String

        /// Creates a problem.
        public init(
            kind: Kind, entityName: String? = nil, propertyName: String? = nil, count: Int? = nil, message: String
        ) {
            self.kind = kind
            self.entityName = entityName
            self.propertyName = propertyName
            self.count = count
            self.message = message
        }
    }
}

extension MigrationError.Problem: CustomStringConvertible {
    /// The place and the message, such as `Person.age: …`.
    public var description: String {
        let place = [entityName, propertyName].compactMap(\.self).joined(separator: ".")
        return place.isEmpty ? message : "\(place): \(message)"
    }
}

extension MigrationError.Problem {
    /// **Value.** The kind of an obstacle. Open: later versions may add kinds.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The kind as a string.
        public var rawValue: String

        /// Creates a kind from a string.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Two names of the new version claim the same name of the old one.
        public static let ambiguousRenaming = Kind(rawValue: "ambiguousRenaming")
        /// Entities with different root entities now have a common one.
        public static let mergedHierarchies = Kind(rawValue: "mergedHierarchies")
        /// The store's configuration has lost an entity that the model still contains.
        public static let movedToOtherStore = Kind(rawValue: "movedToOtherStore")
        /// An attribute became a relationship, or vice versa.
        public static let changedKind = Kind(rawValue: "changedKind")
        /// The type of an attribute changed.
        public static let changedType = Kind(rawValue: "changedType")
        /// The data of an attribute may be in separate files, but must now be in the store.
        public static let changedStorage = Kind(rawValue: "changedStorage")
        /// The derivation of an attribute changed.
        public static let changedDerivation = Kind(rawValue: "changedDerivation")
        /// An attribute is required, and has no default for the objects without a value.
        public static let missingDefault = Kind(rawValue: "missingDefault")
        /// A relationship that is its own inverse changed from to-many to to-one.
        public static let changedCardinality = Kind(rawValue: "changedCardinality")
        /// The destination entity of a relationship changed.
        public static let changedDestination = Kind(rawValue: "changedDestination")
        /// The inverse of a relationship changed.
        public static let changedInverse = Kind(rawValue: "changedInverse")
        /// The store contains objects of an entity that was removed or became abstract.
        public static let discardedObjects = Kind(rawValue: "discardedObjects")
        /// There are damaged rows, of no entity, in a table whose other rows go to several tables or in part.
        public static let damagedObjects = Kind(rawValue: "damagedObjects")
        /// There are values of an attribute that is gone, other than its default.
        public static let discardedValues = Kind(rawValue: "discardedValues")
        /// The store contains links of a relationship that was removed, between objects that are kept, or more links than
        /// the relationship now allows.
        public static let discardedLinks = Kind(rawValue: "discardedLinks")
        /// The store contains objects with several links of a relationship that is no longer ordered.
        public static let discardedOrder = Kind(rawValue: "discardedOrder")
        /// The store contains objects without a link that is now required.
        public static let missingLinks = Kind(rawValue: "missingLinks")
        /// The store contains objects with equal values that must now be unique.
        public static let duplicateValues = Kind(rawValue: "duplicateValues")
    }
}
