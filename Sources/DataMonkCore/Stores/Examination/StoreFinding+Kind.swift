extension StoreFinding {
    /// **Value.** The kind of a damage.
    ///
    /// Open, so that a new kind breaks no `switch`: compare with `==`, and keep a default.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The name, as `datamonk doctor --json` writes it.
        public var rawValue: String

        /// Creates a kind with a name of your own.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

extension StoreFinding.Kind {
    // MARK: The file

    /// SQLite cannot read parts of the file, or they contradict each other.
    public static let damagedPages = Self(rawValue: "damagedPages")
    /// An index does not have the entries of its table.
    public static let damagedIndex = Self(rawValue: "damagedIndex")
    /// A table of the model or of the store itself is missing.
    public static let missingTable = Self(rawValue: "missingTable")
    /// A table lacks columns of the model.
    public static let missingColumn = Self(rawValue: "missingColumn")
    /// The index of a uniqueness constraint is missing.
    public static let missingIndex = Self(rawValue: "missingIndex")
    /// A trigger, a view or a virtual table does not belong to the store, and could run code of whoever made it.
    public static let unexpectedCode = Self(rawValue: "unexpectedCode")

    // MARK: Versions

    /// The property list with the store's version, or the store's identifier, cannot be read.
    public static let unreadableMetadata = Self(rawValue: "unreadableMetadata")
    /// The version hashes are not those of the model.
    public static let differentModel = Self(rawValue: "differentModel")
    /// The digest or the checksum of the version hashes is not that of the hashes beside it.
    public static let wrongDigest = Self(rawValue: "wrongDigest")
    /// The model in the store is missing or cannot be read.
    public static let unreadableModel = Self(rawValue: "unreadableModel")

    // MARK: Rows

    /// The list of entities lacks one of the model.
    public static let missingEntity = Self(rawValue: "missingEntity")
    /// The list of entities has another superentity than the model.
    public static let wrongSuperentity = Self(rawValue: "wrongSuperentity")
    /// The highest primary key that the store says it has given out is below one that is in use.
    public static let wrongHighestKey = Self(rawValue: "wrongHighestKey")
    /// A row is of an entity that its table has no objects of.
    public static let unknownEntity = Self(rawValue: "unknownEntity")
    /// A primary key is outside of the range of keys.
    public static let unusableKey = Self(rawValue: "unusableKey")
    /// A row's version, by which conflicts are found, is not a positive number.
    public static let wrongRowVersion = Self(rawValue: "wrongRowVersion")
    /// A value cannot be one of its attribute's type.
    public static let wrongValue = Self(rawValue: "wrongValue")
    /// Several objects have values that must be unique.
    public static let duplicateValues = Self(rawValue: "duplicateValues")

    // MARK: Relationships

    /// A relationship leads to an object that does not exist, or to one of another entity.
    public static let danglingReference = Self(rawValue: "danglingReference")
    /// A reference names another entity than its destination has.
    public static let wrongReferenceEntity = Self(rawValue: "wrongReferenceEntity")
    /// A link of a many-to-many relationship leads to an object that does not exist, or to one of another entity.
    public static let danglingLink = Self(rawValue: "danglingLink")
    /// Two objects are linked by a many-to-many relationship more than once.
    public static let duplicateLink = Self(rawValue: "duplicateLink")
    /// A member of an ordered relationship has no position.
    public static let missingOrder = Self(rawValue: "missingOrder")
    /// Two members of an ordered relationship have the same position.
    public static let duplicateOrder = Self(rawValue: "duplicateOrder")
    /// An object refers to another one by a one-to-one relationship, and that one does not refer back.
    public static let disagreeingOneToOne = Self(rawValue: "disagreeingOneToOne")

    // MARK: Derived attributes, external data, history

    /// The triggers of a derived attribute are missing or changed.
    public static let wrongTriggers = Self(rawValue: "wrongTriggers")
    /// The value of a derived attribute is not the one that it is derived from.
    public static let wrongDerivedValue = Self(rawValue: "wrongDerivedValue")
    /// A full-text index does not agree with its column, or lacks its triggers.
    public static let wrongTextIndex = Self(rawValue: "wrongTextIndex")
    /// A row refers to a file of external data that is missing, or is no regular file.
    public static let missingFile = Self(rawValue: "missingFile")
    /// No row refers to a file of external data.
    public static let orphanFile = Self(rawValue: "orphanFile")
    /// A part of the history is missing, or cannot be read.
    public static let damagedHistory = Self(rawValue: "damagedHistory")
}
