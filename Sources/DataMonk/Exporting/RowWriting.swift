import DataMonkCore

/// A format that objects are written in.
protocol RowWriting {
    mutating func begin(_ bytes: inout [UInt8])
    mutating func append(_ object: ManagedObject, to bytes: inout [UInt8]) throws
    mutating func end(_ bytes: inout [UInt8])
}

extension ManagedObject {
    /// Returns the objects of a to-many in an order that is the same in each export of the same data: their own, or that of
    /// their key. Without a key it is that of their ids.
    func exportedObjects(
        of relationship: Entity.Relationship, _ form: ExportPlan.Form
    ) throws -> [ManagedObject] {
        let objects = try objects(forKey: relationship.name)
        for object in objects { try object.requireKind(of: form, for: relationship) }
        if relationship.isOrdered || objects.count < 2 { return objects }
        guard let keys = form.keys, keys.count == 1 else {
            return objects.sorted { $0.anyObjectID.key < $1.anyObjectID.key }
        }
        let keyed = try objects.map { object in
            let value = try object.assigned(keys[0].attribute)
            let text = ExportedText(value, of: keys[0].attribute, keys[0].dateFormat)?.text ?? ""
            return (object: object, value: value, text: text)
        }
        return keyed.sorted { left, right in
            if case (.int(let left), .int(let right)) = (left.value, right.value) { return left < right }
            return String.precedesInBytes(left.text, right.text)
        }.map(\.object)
    }

    /// Throws an error if the object, which a relationship leads to, is of another entity than those that an import would make:
    /// `className` in the user info may name a sub-entity. It would become another object there.
    func requireKind(of form: ExportPlan.Form, for relationship: Entity.Relationship) throws {
        let wanted = form.mapping.entity
        if entity.isKind(of: wanted) { return }
        throw FormatError(
            .unsupportedExport,
            """
            \(relationship.entity.name).\(relationship.name) leads to \(objectDescription), but its \
            \(ImportNote.className.rawValue) makes each of its objects a \(wanted.name), so an import would make another object. \
            Name an entity in the user info that all of them are of, or leave the relationship out.
            """, key: relationship.name)
    }

    /// Returns the key that an import finds the object by; `nil` if its entity has none.
    ///
    /// - Throws: ``FormatError`` if it has no value, so that no import would read the object.
    func exportedKey(in mapping: ImportMapping) throws -> ImportKey? {
        guard case .key(let positions, _) = mapping.identity else { return nil }
        if let key = try mapping.key(of: self, at: positions) { return key }
        let names = positions.map { mapping.attributes[$0].attribute.name }
        throw FormatError(
            .unsupportedExport,
            """
            \(objectDescription) has no value of its key (\(names.joined(separator: " and "))), so no import would read it. Give \
            it one, exclude it by a condition, or leave the key out of the properties.
            """, key: names[0])
    }

    /// Returns the values that tell the object apart from others of its entity.
    ///
    /// - Throws: ``FormatError`` if there is none, so that nothing would lead to it.
    func exportedKeys(
        of form: ExportPlan.Form, for relationship: Entity.Relationship
    ) throws -> [(attribute: ImportedAttribute, value: ManagedValue)] {
        let values = try (form.keys ?? []).map { (attribute: $0, value: try assigned($0.attribute)) }
        if !values.isEmpty, values.allSatisfy({ !$0.value.isNull }) {
            try requireSoleKey(in: form, for: relationship)
            return values
        }
        let name = "\(relationship.entity.name).\(relationship.name)"
        let isOfSubentity = form.keys == nil && entity !== form.mapping.entity
        let remedy =
            isOfSubentity
            ? "Name an attribute of \(form.mapping.entity.name) by relatedByAttribute in the user info, or leave the relationship out."
            : "Give it one, leave the relationship out, or write its objects inside of others, by a depth."
        let key = form.keys?.map { $0.attribute.name }.joined(separator: " and ") ?? "no attribute that tells it apart"
        throw FormatError(
            .unsupportedExport,
            """
            \(name) leads to \(objectDescription), which has no key to be written by (\(key)), so the link would be lost. \
            \(remedy)
            """, key: relationship.name)
    }

    /// Throws an error if other objects have the same key, so that an import would lead to one of them, whichever was meant.
    func requireSoleKey(in form: ExportPlan.Form, for relationship: Entity.Relationship) throws {
        guard !form.sharedKeys.isEmpty, let keys = form.keys,
            let key = try ImportKey(ofEach: Array(keys.indices), { ImportKey(try assigned(keys[$0].attribute)) }),
            form.sharedKeys.contains(key)
        else { return }
        let names = keys.map(\.attribute.name).joined(separator: " and ")
        throw FormatError(
            .unsupportedExport,
            """
            \(relationship.entity.name).\(relationship.name) leads to \(objectDescription), but other objects have the same \
            \(names), so an import could lead to another one. Give each a value of its own, relate the objects by another \
            attribute, or leave the relationship out.
            """, key: relationship.name)
    }

    /// The name and the number of the object, for messages.
    var objectDescription: String { "\(entity.name) \(anyObjectID.key.primaryKey)" }
}
