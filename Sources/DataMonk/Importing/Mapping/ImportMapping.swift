import DataMonkCore

/// **Shared.** The way from rows to objects of one entity: resolved once, so that a row costs one look-up for each name.
///
/// A class, as are those of its properties: each row goes through all of them, and a copy of one takes a single retain.
final class ImportMapping: Sendable {
    /// The entity that the objects are looked for in, and whose properties are set.
    let entity: Entity
    /// The attributes that tell which object a row is about.
    let identity: Identity
    let attributes: [ImportedAttribute]
    let relationships: [ImportedRelationship]
    /// The names in a row that a property takes.
    let names: Set<String>
    /// The names in a row whose values a property takes as they are, not a part of them.
    private let wholeNames: Set<String>
    /// Indicates whether no two properties take the same name.
    let hasDistinctNames: Bool
    /// Indicates whether the class of the entity or of a sub-entity conforms to ``ImportHooks``. If so, values are converted when
    /// they are set.
    let isHooked: Bool

    init(
        entity: Entity, identity: Identity, attributes: [ImportedAttribute], relationships: [ImportedRelationship],
        isHooked: Bool
    ) {
        self.entity = entity
        self.identity = identity
        self.attributes = attributes
        self.relationships = relationships
        let paths = attributes.map(\.path) + relationships.map(\.path)
        let names = paths.map(\.topNames)
        self.names = Set(names.joined())
        wholeNames = Set(paths.flatMap(\.wholeNames))
        hasDistinctNames = self.names.count == names.reduce(0) { $0 + Set($1).count }
        self.isHooked = isHooked
    }

    /// **Value.** The way in which a row's object is found.
    enum Identity: Sendable {
        /// Each row is a new object.
        case none
        /// The object has the same values in some attributes.
        ///
        /// - Parameters:
        ///   - positions: The positions of the attributes in `attributes`.
        ///   - table: The position of the objects' table in the plan.
        case key(positions: [Int], table: Int)
        /// Several sets of attributes could be the key. Indirect, so that a copy of the others is a small one.
        indirect case ambiguous(ImportError)
    }

    /// Returns the value of a property in a row, or `nil` if the row has none.
    ///
    /// - Throws: ``ImportError`` with the code `invalidValue` if a value on the way has no names, so that the property's
    ///   would be lost without a word. That of another property, such as the key of a relationship, is left to it.
    @inline(__always)
    func value(at path: ImportKeyPath, in values: [String: ManagedValue]) throws(ImportError) -> ManagedValue? {
        if let value = path.value(in: values) { return value }
        if !path.isName { try requireWay(path, in: values) }
        return nil
    }

    /// Indicates whether a value on the way to a property's has no names, and belongs to no other property.
    func isBlocked(_ path: ImportKeyPath, in values: [String: ManagedValue]) -> Bool {
        !path.isName && path.obstacle(in: values, besides: wholeNames) != nil
    }

    @inline(never)
    private func requireWay(_ path: ImportKeyPath, in values: [String: ManagedValue]) throws(ImportError) {
        guard let obstacle = path.obstacle(in: values, besides: wholeNames) else { return }
        throw ImportError(
            .invalidValue,
            """
            "\(obstacle.name)" is \(obstacle.value.kind), but "\(path.description)" is looked for inside of it. Correct the row, or \
            the \(ImportNote.mappedKeyName.rawValue) of \(entity.name).
            """, entityName: entity.name, key: path.description)
    }

    /// Returns the key of an object with the identity's attributes, or `nil` if one has no value.
    func key(of object: ManagedObject, at positions: [Int]) throws -> ImportKey? {
        try ImportKey(ofEach: positions) { ImportKey(try object.assigned(attributes[$0].attribute)) }
    }
}

/// **Shared.** An attribute, and the place and form of its value in a row.
final class ImportedAttribute: Sendable {
    let attribute: Entity.Attribute
    let path: ImportKeyPath
    let dateFormat: ImportedDateFormat
    /// The value to set if the row has none, or `nil` to leave the attribute as it is.
    let valueWhenMissing: ManagedValue?
    /// Throws an error for JSON that the type of a codable attribute does not decode.
    let requireDecodable: (@Sendable (String) throws -> Void)?

    init(
        attribute: Entity.Attribute, path: ImportKeyPath, dateFormat: ImportedDateFormat,
        valueWhenMissing: ManagedValue?
    ) {
        self.attribute = attribute
        self.path = path
        self.dateFormat = dateFormat
        self.valueWhenMissing = valueWhenMissing
        requireDecodable = attribute.isCodable ? attribute.requireDecodable : nil
    }
}

/// **Shared.** A relationship, and the place of its objects in a row.
final class ImportedRelationship: Sendable {
    let relationship: Entity.Relationship
    let path: ImportKeyPath
    /// The position of the destination's mapping in the plan.
    let mapping: Int
    /// Indicates whether present members of a to-many stay.
    let keepsOthers: Bool
    /// The attribute by which the members of an ordered to-many are put in order; `nil` for the order of the row.
    let order: Entity.Attribute?

    init(
        relationship: Entity.Relationship, path: ImportKeyPath, mapping: Int, keepsOthers: Bool,
        order: Entity.Attribute?
    ) {
        self.relationship = relationship
        self.path = path
        self.mapping = mapping
        self.keepsOthers = keepsOthers
        self.order = order
    }
}

/// **Value.** Attributes that tell objects apart: one table of objects for each of them.
struct ImportTable: Hashable, Sendable {
    /// The topmost entity that has the attributes.
    let root: Entity
    let slots: [Int]
}
