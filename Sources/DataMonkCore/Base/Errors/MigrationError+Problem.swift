extension MigrationError {
    /// One obstacle to a migration: its kind, its place, and its remedy.
    public typealias Problem = LocatedProblem<ProblemKind>

    /// **Value.** The kind of an obstacle. Open: later versions may add kinds.
    public struct ProblemKind: RawRepresentable, Sendable, Hashable {
        /// The kind as a string.
        public var rawValue: String

        /// Creates a kind from a string.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Two names of the new version claim the same name of the old one.
        public static let ambiguousRenaming = ProblemKind(rawValue: "ambiguousRenaming")
        /// Entities with different root entities now have a common one.
        public static let mergedHierarchies = ProblemKind(rawValue: "mergedHierarchies")
        /// The entities of a hierarchy are no longer in one, and the store is on a server.
        public static let dividedHierarchy = ProblemKind(rawValue: "dividedHierarchy")
        /// The store's configuration has lost an entity that the model still contains.
        public static let movedToOtherStore = ProblemKind(rawValue: "movedToOtherStore")
        /// An attribute became a relationship, or vice versa.
        public static let changedKind = ProblemKind(rawValue: "changedKind")
        /// The type of an attribute changed.
        public static let changedType = ProblemKind(rawValue: "changedType")
        /// The data of an attribute may be in separate files, but must now be in the store.
        public static let changedStorage = ProblemKind(rawValue: "changedStorage")
        /// The derivation of an attribute changed.
        public static let changedDerivation = ProblemKind(rawValue: "changedDerivation")
        /// An attribute is required, and has no default for the objects without a value.
        public static let missingDefault = ProblemKind(rawValue: "missingDefault")
        /// A relationship that is its own inverse changed from to-many to to-one.
        public static let changedCardinality = ProblemKind(rawValue: "changedCardinality")
        /// The destination entity of a relationship changed.
        public static let changedDestination = ProblemKind(rawValue: "changedDestination")
        /// The inverse of a relationship changed.
        public static let changedInverse = ProblemKind(rawValue: "changedInverse")
        /// The store contains objects of an entity that was removed or became abstract.
        public static let discardedObjects = ProblemKind(rawValue: "discardedObjects")
        /// There are damaged rows, of no entity, in a table whose other rows go to several tables or in part.
        public static let damagedObjects = ProblemKind(rawValue: "damagedObjects")
        /// There are values of an attribute that is gone, other than its default.
        public static let discardedValues = ProblemKind(rawValue: "discardedValues")
        /// The store contains links of a relationship that was removed, between objects that are kept, or more links than
        /// the relationship now allows.
        public static let discardedLinks = ProblemKind(rawValue: "discardedLinks")
        /// The store contains objects with several links of a relationship that is no longer ordered.
        public static let discardedOrder = ProblemKind(rawValue: "discardedOrder")
        /// The store contains objects without a link that is now required.
        public static let missingLinks = ProblemKind(rawValue: "missingLinks")
        /// Objects would lose the only link of a relationship that was required, and is.
        public static let lostLinks = ProblemKind(rawValue: "lostLinks")
        /// A mapping by hand names something that does not exist, twice, or that it cannot map.
        public static let invalidMapping = ProblemKind(rawValue: "invalidMapping")
        /// A value of an object cannot be converted or computed.
        public static let unconvertibleValue = ProblemKind(rawValue: "unconvertibleValue")
        /// A policy of the application failed for an object; see ``MigrationError/underlyingError``.
        public static let failedPolicy = ProblemKind(rawValue: "failedPolicy")
        /// The store contains objects with equal values that must now be unique.
        public static let duplicateValues = ProblemKind(rawValue: "duplicateValues")
        /// The store contains values that are too long for an index of the server.
        public static let oversizedValues = ProblemKind(rawValue: "oversizedValues")
    }
}
