import Foundation

/// **Confined.** Creates and validates the rows of a batch request, by means of one object in a private context, which is
/// filled anew for each row.
final class BatchRowMaker {
    let layout: EntityLayout
    let object: ManagedObject
    private let context: ManagedObjectContext
    /// The slots of the object that were given values since `begin`: those of the names in a dictionary, or all attributes.
    private(set) var given = SlotSet()
    private let allAttributes: SlotSet

    init(entity: Entity, coordinator: PersistentStoreCoordinator) {
        // For an abstract entity, use the first concrete entity of its family.
        let concrete = entity.family.first { !$0.isAbstract } ?? entity
        context = ManagedObjectContext(coordinator: coordinator, followsCommits: false)
        // The object is not inserted, since that would call the class's hook.
        object = context.makeObject(for: context.newTemporaryKey(entity: concrete.index))
        object.state = [.inserted, .awoken, .written]
        layout = coordinator.directory.layouts[entity.index]
        allAttributes = SlotSet(entity.attributes.filter { !$0.isDerived && !$0.isTransient }.map(\.slot))
        begin()
    }

    func layout(of entity: Entity) -> EntityLayout { context.directory.layouts[entity.index] }

    // MARK: New objects

    /// Sets the object's values to the model's defaults.
    func begin() {
        given = allAttributes
        let initial = layout.initialRow.pointer
        object.adopt(DraftRow(copying: initial, of: layout, base: nil))
    }

    /// Sets values of the object by name.
    func fill(_ values: [String: ManagedValue]) throws {
        guard let draft = object.draft else { return }
        given = SlotSet(values.keys.compactMap { layout.entity.propertiesByName[$0]?.slot })
        try write(values, of: layout.entity, into: draft)
        object.adopt(draft)
    }

    /// Validates the object and returns its row.
    func finish(in arena: inout RowArena, savedAt date: Date) throws -> Row {
        try object.validateStoredValues()
        guard let draft = object.draft else { return layout.initialRow }
        let derived = layout.deriving(draft, savedAt: date)
        for draft in [draft, derived] { try draft.requireAllValues(of: layout.entity) }
        return layout.sealForStores(derived, version: 1, in: &arena)
    }

    // MARK: Constants

    /// Returns a row with constants in their slots, after validating each of them.
    func constants(_ values: [String: ManagedValue], of entity: Entity) throws -> Row {
        let layout = layout(of: entity)
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let property = entity.propertiesByName[name] else { throw FetchError.noProperty(name, of: entity) }
            try requireSettable(value, for: property, of: entity)
            if let attribute = property.attribute, !value.isNull { try requireInline(attribute) }
            try object.validate(value, of: property)
        }
        let empty = layout.emptyRow.pointer
        let draft = DraftRow(copying: empty, of: layout, base: nil)
        try write(values, of: entity, into: draft)
        let derived = layout.deriving(draft, savedAt: Date())
        for draft in [draft, derived] { try draft.requireAllValues(of: entity) }
        var arena = RowArena()
        return layout.sealForStores(derived, version: 0, in: &arena)
    }

    /// Checks the result of an expression.
    func check(_ value: ManagedValue, of attribute: Entity.Attribute) throws {
        guard attribute.accepts(value) else { throw FetchError.wrongValue(value, for: attribute, of: layout.entity) }
        try object.validate(value, of: .attribute(attribute))
    }

    // MARK: Values

    private func write(_ values: [String: ManagedValue], of entity: Entity, into draft: DraftRow) throws {
        var editor = RowEditor(draft)
        for (name, value) in values {
            guard let property = entity.propertiesByName[name] else { throw FetchError.noProperty(name, of: entity) }
            try requireSettable(value, for: property, of: entity)
            if let attribute = property.attribute {
                attribute.write(value, to: &editor)
            } else if case .object(let id) = value {
                RowFormat.setWord(id.key.rawValue, in: draft.row, at: property.slot)
                RowFormat.setNull(false, in: draft.row, at: property.slot)
            } else {
                editor.setNull(property.slot)
            }
        }
    }

    func requireSettable(_ attribute: Entity.Attribute) throws(FetchError) {
        if attribute.isDerived { throw FetchError.derivedAttribute(attribute) }
        if attribute.isTransient { throw FetchError.notInStores(attribute.name, of: attribute.entity) }
    }

    /// Throws for an attribute whose large values are kept in files, one for each object.
    private func requireInline(_ attribute: Entity.Attribute) throws(FetchError) {
        if attribute.description.allowsExternalBinaryDataStorage { throw FetchError.externalInBatch(attribute) }
    }

    private func requireSettable(_ value: ManagedValue, for property: Entity.Property, of entity: Entity)
        throws(FetchError)
    {
        try entity.requireSettable(value, forKey: property.name)
        switch property {
        case .attribute(let attribute):
            try requireSettable(attribute)
        case .relationship(let relationship):
            if relationship.isTransient { throw FetchError.notInStores(relationship.name, of: entity) }
            guard case .object(let id) = value else { return }
            if id.directory !== context.directory { throw FetchError.foreignID(id) }
            if id.isTemporaryID { throw FetchError.objectNotFound(id) }
            // The other side would have to be written too.
            if let inverse = relationship.inverse, !inverse.isToMany {
                throw FetchError.oneToOneInBatch(relationship)
            }
        }
    }
}

@available(*, unavailable)
extension BatchRowMaker: Sendable {}

extension FetchError {
    fileprivate static func notInStores(_ name: String, of entity: Entity) -> FetchError {
        FetchError(
            .invalidRequest,
            "\(entity.name).\(name) is transient, so it is not stored and a batch request cannot set it.",
            entityName: entity.name, keyPath: name)
    }

    fileprivate static func externalInBatch(_ attribute: Entity.Attribute) -> FetchError {
        FetchError(
            .invalidRequest,
            """
            \(attribute.entity.name).\(attribute.name) may be stored in an external file, and objects cannot share \
            one. A batch update can only set it to nil. To give it another value, change the objects and save.
            """, entityName: attribute.entity.name, keyPath: attribute.name)
    }

    fileprivate static func oneToOneInBatch(_ relationship: Entity.Relationship) -> FetchError {
        FetchError(
            .invalidRequest,
            """
            \(relationship.entity.name).\(relationship.name) is a one-to-one relationship, and a batch request would \
            set only one side of it. Set it on an object and save.
            """, entityName: relationship.entity.name, keyPath: relationship.name)
    }
}
