import Foundation

/// **Value.** Makes rows of the plain objects that a store of an application's own returns, and refuses what cannot be rows.
struct AtomicRows: Sendable {
    let frame: StoreFrame
    private let entities: [String: Entity]
    /// The entity of a reference whose destination can be of one entity alone, by the index of the declared destination.
    private let onlyEntities: [Int: Entity]

    init(_ frame: StoreFrame) {
        self.frame = frame
        entities = Dictionary(frame.members.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var only: [Int: Entity] = [:]
        for entity in frame.members {
            let concrete = entity.family.filter { !$0.isAbstract }
            if concrete.count == 1 { only[entity.index] = concrete[0] }
        }
        onlyEntities = only
    }

    func key(_ id: Int64, _ entity: Entity) -> ObjectKey {
        ObjectKey(store: frame.index, entity: entity.index, primaryKey: id)
    }

    func entity(of object: AtomicObject) throws -> Entity {
        if let entity = entities[object.entityName], !entity.isAbstract { return entity }
        let problem =
            switch entities[object.entityName] {
            case _?: "is of an abstract entity. Return the name of its own entity"
            case nil:
                "is of an entity that the model, or the configuration, does not have. Return the name as it was saved"
            }
        throw fault(problem, object)
    }

    /// Checks the entity, the id and the relationships of an object by themselves.
    ///
    /// - Parameter lastID: The highest id that a reference may have.
    func check(_ object: AtomicObject, lastID: Int64 = ObjectKey.maximumPrimaryKey) throws -> Entity {
        let entity = try entity(of: object)
        guard object.id > 0 else { throw fault("has an id below 1. Return the id that was saved", object) }
        guard object.version > 0 else { throw fault("has a version below 1. Return 1 if it is unknown", object) }
        for (name, ids) in object.destinations {
            guard let relationship = entity.relationship(named: name), !relationship.isTransient else {
                throw unknownProperty(name, of: object, entity)
            }
            guard relationship.isToMany || ids.count <= 1 else {
                throw fault("has \(ids.count) destinations of a to-one. Return at most one", object, name)
            }
            if let id = ids.first(where: { $0 < 1 || $0 > lastID }) {
                throw fault(
                    "refers to the object \(id), an id that no object was given. Leave out the reference", object, name)
            }
            var known: Set<Int64> = []
            for id in ids where !known.insert(id).inserted {
                throw fault("refers to the object \(id) twice. Return each destination once", object, name)
            }
        }
        return entity
    }

    // MARK: References

    /// Returns the entity of all destinations, or `nil` if they can be of several.
    func onlyEntity(of destination: Entity) -> Entity? { onlyEntities[destination.index] }

    func isAmbiguous(_ relationship: Entity.Relationship) -> Bool {
        onlyEntities[relationship.destination.index] == nil
    }

    /// Returns the destinations of an object's to-ones that can be of several entities.
    func ambiguousReferences(of object: AtomicObject) -> [Int64] {
        guard let entity = entities[object.entityName] else { return [] }
        return object.destinations.flatMap { name, ids in
            entity.relationship(named: name).map { !$0.isToMany && isAmbiguous($0) } == true ? ids : []
        }
    }

    // MARK: Rows

    /// Returns the row of an object.
    ///
    /// - Parameter destination: Returns the key of a to-one's destination; `nil` for none.
    func row(
        of object: AtomicObject, _ entity: Entity, in arena: inout RowArena,
        destination: (Int64, Entity.Relationship) throws -> ObjectKey?
    ) throws -> Row {
        let layout = frame.directory.layouts[entity.index]
        let draft = DraftRow(copying: layout.blankRow.pointer, of: layout, base: nil)
        var editor = RowEditor(draft)
        for (name, value) in object.values {
            guard let attribute = entity.attribute(named: name), !attribute.isTransient else {
                throw unknownProperty(name, of: object, entity)
            }
            guard attribute.accepts(value), !value.isNotStorable else {
                throw fault(
                    "has \(value.kind) where the model has \(attribute.type.article) attribute. Return a value of that "
                        + "type and within its range", object, name)
            }
            attribute.write(value, to: &editor)
        }
        let required = entity.attributes.filter { !$0.isOptional && !$0.isTransient && !$0.isDerived }
        if let missing = required.first(where: { object.values[$0.name]?.isNull ?? true }) {
            throw fault("has no value, though the model requires one. Return one", object, missing.name)
        }
        for (name, ids) in object.destinations {
            guard let relationship = entity.relationship(named: name), !relationship.isToMany else { continue }
            for key in try ids.compactMap({ try destination($0, relationship) }) {
                RowFormat.setWord(key.rawValue, in: draft.row, at: relationship.slot)
                RowFormat.setNull(false, in: draft.row, at: relationship.slot)
            }
        }
        try draft.requireAllValues(of: entity)
        return layout.seal(draft, version: object.version, in: &arena)
    }

    // MARK: Errors

    private func unknownProperty(_ name: String, of object: AtomicObject, _ entity: Entity) -> StoreError {
        let nearest = NearestName.find(name, among: entity.propertiesByName.keys)
        return fault(
            nearest.map { "is not stored by the model. Did you mean \"\($0)\"?" }
                ?? "is not stored by the model. Leave it out", object, name)
    }

    func fault(_ problem: String, _ object: AtomicObject, _ property: String? = nil) -> StoreError {
        let subject = "\(property.map { "\($0) of " } ?? "")\(object.entityName) \(object.id)"
        return StoreError(
            .corrupt, "\(frame.name): \(subject) \(problem)\(problem.hasSuffix("?") ? "" : ".")",
            entityName: object.entityName, storeURL: frame.url)
    }
}
