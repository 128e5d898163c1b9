extension MigrationError {
    /// **Value.** One thing that stands in the way of a migration: what it is, where, and what to do.
    public struct Problem: Sendable, Hashable {
        /// What stands in the way.
        public var kind: Kind
        /// The entity of the new version, or of the old one if the new one has it no more.
        public var entityName: String?
        /// The property or the uniqueness constraint it concerns.
        public var propertyName: String?
        /// The number of objects, values or links that would be discarded. `nil` for other problems.
        public var count: Int?
        /// What stands in the way and what to do.
        public var message: String

        /// Describes an obstacle.
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
    /// Where and what, such as `Person.age: …`.
    public var description: String {
        let place = [entityName, propertyName].compactMap(\.self).joined(separator: ".")
        return place.isEmpty ? message : "\(place): \(message)"
    }
}

extension MigrationError.Problem {
    /// **Value.** What can stand in the way of a migration. Open: later versions may add kinds.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The kind as text.
        public var rawValue: String

        /// A kind from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Two names of the new version claim the same name of the old one.
        public static let ambiguousRenaming = Kind(rawValue: "ambiguousRenaming")
        /// Entities that inherited from different roots inherit from one.
        public static let mergedHierarchies = Kind(rawValue: "mergedHierarchies")
        /// The store's configuration has lost an entity that the model still has.
        public static let movedToOtherStore = Kind(rawValue: "movedToOtherStore")
        /// An attribute became a relationship, or the other way round.
        public static let changedKind = Kind(rawValue: "changedKind")
        /// An attribute is of another type.
        public static let changedType = Kind(rawValue: "changedType")
        /// An attribute's data may lie in files, and shall lie in the store.
        public static let changedStorage = Kind(rawValue: "changedStorage")
        /// An attribute is derived from other values than before.
        public static let changedDerivation = Kind(rawValue: "changedDerivation")
        /// An attribute must have a value, and there is none to give to the objects without one.
        public static let missingDefault = Kind(rawValue: "missingDefault")
        /// A relationship that is its own inverse leads to one object and led to many.
        public static let changedCardinality = Kind(rawValue: "changedCardinality")
        /// A relationship leads to objects of another entity.
        public static let changedDestination = Kind(rawValue: "changedDestination")
        /// A relationship is kept equal to another one than before.
        public static let changedInverse = Kind(rawValue: "changedInverse")
        /// There are objects of an entity that is gone, or that became abstract.
        public static let discardedObjects = Kind(rawValue: "discardedObjects")
        /// There are damaged rows, of no entity, in a table whose other rows go to several tables or in part.
        public static let damagedObjects = Kind(rawValue: "damagedObjects")
        /// There are values of an attribute that is gone, other than its default.
        public static let discardedValues = Kind(rawValue: "discardedValues")
        /// There are links of a relationship that is gone, between objects that stay; or more than it has room for now.
        public static let discardedLinks = Kind(rawValue: "discardedLinks")
        /// There are objects with several links of a relationship that is ordered no more.
        public static let discardedOrder = Kind(rawValue: "discardedOrder")
        /// There are objects without a link that they must have now.
        public static let missingLinks = Kind(rawValue: "missingLinks")
        /// There are objects with the same value where it must be unique now.
        public static let duplicateValues = Kind(rawValue: "duplicateValues")
    }
}
