import DataMonkCore

/// A format that objects are written in.
protocol RowWriting {
    mutating func begin(_ bytes: inout [UInt8])
    mutating func append(_ object: ManagedObject, to bytes: inout [UInt8]) throws
    mutating func end(_ bytes: inout [UInt8])
}

extension ManagedObject {
    /// Returns the objects of a to-many in an order that does not change from one export to the next.
    func exportedObjects(of relationship: Entity.Relationship) throws -> [ManagedObject] {
        let objects = try objects(forKey: relationship.name)
        return relationship.isOrdered ? objects : objects.sorted { $0.anyObjectID.key < $1.anyObjectID.key }
    }

    /// Returns the values that tell the object apart from others of its entity.
    ///
    /// - Throws: ``FormatError`` if there is none, so that nothing would lead to it.
    func exportedKeys(
        of form: ExportPlan.Form, for relationship: Entity.Relationship
    ) throws -> [(attribute: ImportedAttribute, value: ManagedValue)] {
        let values = try (form.keys ?? []).map { (attribute: $0, value: try assigned($0.attribute)) }
        if !values.isEmpty, values.allSatisfy({ !$0.value.isNull }) { return values }
        let name = "\(relationship.entity.name).\(relationship.name)"
        let key = form.keys?.map { $0.attribute.name }.joined(separator: " and ") ?? "no attribute that tells it apart"
        throw FormatError(
            .unsupportedExport,
            """
            \(name) leads to \(objectDescription), which has no key to be written by (\(key)), so the link would be lost. Give \
            it one, leave the relationship out, or write its objects inside of others, by a depth.
            """, key: relationship.name)
    }

    private var objectDescription: String { "\(entity.name) \(anyObjectID.key.primaryKey)" }
}
