import DataMonkCore

/// **Value.** Finds the mappings of an import in a model, and everything that is wrong with them.
struct ImportPlanBuilder {
    /// **Value.** The objects that a mapping is made for. One entity may have several: relationships may look for its objects by
    /// different attributes.
    struct Subject: Hashable {
        let entity: Entity
        /// The attribute that a relationship names as its destination's key; `nil` for the entity's own key.
        let keyNames: [String]?
    }

    let model: ManagedObjectModel
    private(set) var mappings: [ImportMapping] = []
    private(set) var tables: [ImportTable] = []
    var problems: [String] = []
    private var positions: [Subject: Int] = [:]
    private var checked: Set<Entity> = []

    init(model: ManagedObjectModel) { self.model = model }

    /// Returns the position of a subject's mapping, which is made if it is new.
    mutating func mapping(of subject: Subject) -> Int {
        if let known = positions[subject] { return known }
        let position = mappings.count
        positions[subject] = position
        let entity = subject.entity
        // A place for it, since its relationships may lead back to it.
        mappings.append(
            ImportMapping(entity: entity, identity: .none, attributes: [], relationships: [], isHooked: false))
        // The problems of an entity are reported once.
        let isFirst = checked.insert(entity).inserted
        let before = problems
        if isFirst { checkNotes(of: entity) }
        let attributes = entity.attributes.compactMap { importedAttribute($0) }
        let relationships = entity.relationships.compactMap { importedRelationship($0) }
        let identity = identity(of: subject, among: attributes)
        if !isFirst { problems = before }
        mappings[position] = ImportMapping(
            entity: entity, identity: identity, attributes: attributes, relationships: relationships,
            isHooked: entity.family.contains { $0.managedObjectClass is any ImportHooks.Type })
        return position
    }

    private mutating func checkNotes(of entity: Entity) {
        let notes = ImportNotes(entity.description.userInfo, of: entity.name)
        notes.reportMisspelledKeys(&problems)
    }

    // MARK: Properties

    private mutating func importedAttribute(_ attribute: Entity.Attribute) -> ImportedAttribute? {
        let name = "\(attribute.entity.name).\(attribute.name)"
        let notes = ImportNotes(attribute.description.userInfo, of: name)
        notes.reportMisspelledKeys(&problems)
        if attribute.isDerived || attribute.isTransient {
            notes.report(
                [.mappedKeyName, .dateFormat, .useDefaultValueWhenNotPresent],
                because: attribute.isDerived
                    ? "the store computes its value" : "it is transient, so nothing would stay",
                problems: &problems)
            return nil
        }
        notes.report(
            [.mergePolicy, .className, .relatedByAttribute], because: "it is an attribute", problems: &problems)
        if attribute.type != .date { notes.report([.dateFormat], because: "it is no date", problems: &problems) }
        var format = ImportedDateFormat.standard
        if let text = notes[.dateFormat], attribute.type == .date {
            if let known = ImportedDateFormat(text) {
                format = known
            } else {
                problems.append(
                    """
                    \(name) has the date format "\(text)", which is none. Write one as yyyy-MM-dd, or \(ImportedDateFormat.unixTime) for \
                    milliseconds since 1970.
                    """)
            }
        }
        // Typed, because `nil` could be the value for nothing, too.
        var valueWhenMissing: ManagedValue?
        if notes.flag(.useDefaultValueWhenNotPresent, problems: &problems) { valueWhenMissing = attribute.defaultValue }
        return ImportedAttribute(
            attribute: attribute, path: ImportKeyPath(notes.paths(orName: attribute.name, problems: &problems)),
            dateFormat: format, valueWhenMissing: valueWhenMissing)
    }

    private mutating func importedRelationship(_ relationship: Entity.Relationship) -> ImportedRelationship? {
        let name = "\(relationship.entity.name).\(relationship.name)"
        let notes = ImportNotes(relationship.description.userInfo, of: name)
        notes.reportMisspelledKeys(&problems)
        if relationship.isTransient { return nil }
        notes.report(
            [.dateFormat, .useDefaultValueWhenNotPresent], because: "it is a relationship", problems: &problems)
        let destination = destination(of: relationship, notes: notes, named: name)
        var keyNames: [String]?
        var order: Entity.Attribute?
        if let related = notes[.relatedByAttribute], let attribute = attribute(related, of: destination, for: name) {
            if relationship.isOrdered { order = attribute }
            let hasOwnKey = destination.description.userInfo[ImportNote.relatedByAttribute.rawValue] != nil
            // Of an ordered relationship it is the order first; the objects' own key tells them apart.
            if !(relationship.isOrdered && hasOwnKey) { keyNames = [related] }
        }
        return ImportedRelationship(
            relationship: relationship,
            path: ImportKeyPath(notes.paths(orName: relationship.name, problems: &problems)),
            mapping: mapping(of: Subject(entity: destination, keyNames: keyNames)),
            keepsOthers: keepsOthers(notes, of: name), order: order)
    }

    /// Returns the entity of the objects that a relationship's values become.
    private mutating func destination(
        of relationship: Entity.Relationship, notes: ImportNotes, named name: String
    ) -> Entity {
        guard let className = notes[.className] else { return relationship.destination }
        let family = relationship.destination.family
        if let entity = family.first(where: { $0.name == className || $0.className == className }) { return entity }
        problems.append(
            """
            \(name) has \(ImportNote.className.rawValue) = "\(className)" in its user info, which is neither \(relationship.destination.name) nor one \
            of its sub-entities. Write the name of one of them.
            """)
        return relationship.destination
    }

    private mutating func keepsOthers(_ notes: ImportNotes, of name: String) -> Bool {
        switch notes[.mergePolicy] {
        case nil, "replace": return false
        case "add": return true
        case let text?:
            problems.append(
                """
                \(name) has mergePolicy = "\(text)" in its user info. Write replace, for exactly the objects of the row, or \
                add, to keep the present ones.
                """)
            return false
        }
    }

    // MARK: Keys

    /// Returns the attributes that tell the objects of an entity apart: those that the model says, an attribute with the
    /// entity's name and ID, or the only ones that are unique.
    private mutating func identity(of subject: Subject, among attributes: [ImportedAttribute]) -> ImportMapping.Identity
    {
        let entity = subject.entity
        let notes = ImportNotes(entity.description.userInfo, of: entity.name)
        if let names = subject.keyNames { return identity(names, of: entity, among: attributes) }
        if let name = notes[.relatedByAttribute] ?? entity.inheritedKeyName {
            guard attribute(name, of: entity, for: entity.name) != nil else { return .none }
            return identity([name], of: entity, among: attributes)
        }
        for entity in [entity] + entity.ancestors.reversed() {
            let usual = entity.name.prefix(1).lowercased() + entity.name.dropFirst() + "ID"
            if entity.attribute(named: usual) != nil { return identity([usual], of: subject.entity, among: attributes) }
        }
        let unique = entity.uniquenessConstraints.filter { names in
            names.allSatisfy { name in attributes.contains { $0.attribute.name == name } }
        }
        if unique.count > 1 { return .ambiguous(.ambiguousKey(unique, of: entity)) }
        return unique.first.map { identity($0, of: entity, among: attributes) } ?? .none
    }

    private mutating func identity(
        _ names: [String], of entity: Entity, among attributes: [ImportedAttribute]
    ) -> ImportMapping.Identity {
        let found = names.compactMap { name in attributes.firstIndex { $0.attribute.name == name } }
        guard found.count == names.count, !found.isEmpty else { return .none }
        // Entities that are siblings have other attributes in the same slots.
        let declaring = (entity.ancestors + [entity]).first { ancestor in
            names.allSatisfy { ancestor.attribute(named: $0) != nil }
        }
        let table = ImportTable(root: declaring ?? entity, slots: found.map { attributes[$0].attribute.slot })
        let position = tables.firstIndex(of: table) ?? tables.count
        if position == tables.count { tables.append(table) }
        return .key(positions: found, table: position)
    }

    /// Returns the attribute with a name that user info gives as a key.
    private mutating func attribute(_ name: String, of entity: Entity, for owner: String) -> Entity.Attribute? {
        guard let attribute = entity.attribute(named: name) else {
            problems.append(
                """
                \(owner) is related by "\(name)", but \(entity.name) has no such attribute. Write the name of one, or remove it.
                """)
            return nil
        }
        let isComparable: Bool =
            switch attribute.type {
            case .binary, .transformable, .undefined, .objectID, .composite: false
            default: !attribute.isDerived && !attribute.isTransient
            }
        if isComparable { return attribute }
        problems.append(
            """
            \(owner) is related by \(entity.name).\(name), by which objects cannot be looked for. Take a stored attribute with \
            a number, a text, a date, a UUID or a URL.
            """)
        return nil
    }
}

extension Entity {
    /// The name of the class that the model gives the entity.
    fileprivate var className: String? { managedObjectClass.map { String(describing: $0) } }

    /// The key that the nearest superentity names.
    fileprivate var inheritedKeyName: String? {
        ancestors.reversed().lazy.compactMap { $0.description.userInfo[ImportNote.relatedByAttribute.rawValue] }.first
    }

    /// The names of the properties in each uniqueness constraint, inherited ones included.
    var uniquenessConstraints: [[String]] {
        var found: [[String]] = []
        for names in (ancestors + [self]).flatMap(\.description.uniquenessConstraints) where !found.contains(names) {
            found.append(names)
        }
        return found
    }
}

extension ImportError {
    fileprivate static func ambiguousKey(_ constraints: [[String]], of entity: Entity) -> ImportError {
        let names = constraints.map { $0.joined(separator: " with ") }.joined(separator: ", ")
        return ImportError(
            .invalidMapping,
            """
            \(entity.name) has several unique attributes (\(names)), so its rows could be about any of these objects. Name \
            the key by \(ImportNote.relatedByAttribute.rawValue) in the entity's user info.
            """, entityName: entity.name)
    }
}
