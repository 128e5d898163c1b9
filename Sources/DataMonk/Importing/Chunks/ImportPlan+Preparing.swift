import DataMonkCore

/// From the values of rows to those of attributes.
extension ImportPlan {
    /// The depth to which objects may be nested in a row.
    private static let maximumDepth = 64

    /// Returns a row with its values converted.
    func prepare(_ row: ImportRow) -> PreparedRow {
        do {
            let object = try prepare(row.content.get(), as: 0, depth: 0, hasCells: row.hasCells)
            return PreparedRow(place: row.place, content: .object(object))
        } catch {
            return PreparedRow(place: row.place, content: .failure(error))
        }
    }

    private func prepare(
        _ values: [String: ManagedValue], as position: Int, depth: Int, hasCells: Bool = false
    ) throws -> PreparedObject {
        let mapping = mappings[position]
        let key = try key(of: mapping, in: values)
        var prepared: [PreparedObject.Value] = []
        prepared.reserveCapacity(mapping.attributes.count)
        var namesOfProperties = 0
        for (position, attribute) in mapping.attributes.enumerated() {
            if let value = try value(at: attribute.path, in: values, of: mapping) {
                if attribute.path.isName { namesOfProperties += 1 }
                let converted = mapping.isHooked ? value : try attribute.converted(value, isCell: hasCells)
                prepared.append(PreparedObject.Value(position: position, value: converted))
            } else if let value = attribute.valueWhenMissing, !mapping.isBlocked(attribute.path, in: values) {
                prepared.append(PreparedObject.Value(position: position, value: value))
            }
        }
        var links: [PreparedObject.Link] = []
        for (position, relationship) in mapping.relationships.enumerated() {
            guard let value = try value(at: relationship.path, in: values, of: mapping) else { continue }
            if relationship.path.isName { namesOfProperties += 1 }
            links.append(try link(value, to: relationship, at: position, depth: depth))
        }
        return PreparedObject(
            mapping: position, key: key, hasCells: hasCells, values: prepared, links: links,
            source: mapping.isHooked ? values : [:],
            hasOnlyNamesOfProperties: mapping.hasDistinctNames && namesOfProperties == values.count)
    }

    /// Returns the value of a property. Hooks see the whole row and may use what stands in the way of a path.
    @inline(__always)
    private func value(
        at path: ImportKeyPath, in values: [String: ManagedValue], of mapping: ImportMapping
    ) throws(ImportError) -> ManagedValue? {
        mapping.isHooked ? path.value(in: values) : try mapping.value(at: path, in: values)
    }

    private func key(of mapping: ImportMapping, in values: [String: ManagedValue]) throws -> ImportKey? {
        switch mapping.identity {
        case .none: return nil
        case .ambiguous(let error): throw error
        case .key(let positions, _):
            return try ImportKey(ofEach: positions) { position in
                let attribute = mapping.attributes[position]
                let value = try attribute.converted(mapping.value(at: attribute.path, in: values) ?? .null)
                guard let key = ImportKey(value) else { throw ImportError.missingKey(attribute) }
                return key
            }
        }
    }

    // MARK: Relationships

    private func link(
        _ value: ManagedValue, to imported: ImportedRelationship, at position: Int, depth: Int
    ) throws -> PreparedObject.Link {
        if depth >= Self.maximumDepth { throw ImportError.deepRow(imported.relationship) }
        let elements: [ManagedValue] =
            switch value {
            case .null: []
            case .list(let elements): elements
            default: [value]
            }
        if case .list = value, !imported.relationship.isToMany {
            throw ImportError.listForToOne(imported.relationship)
        }
        return PreparedObject.Link(
            position: position,
            objects: try elements.map { try destination($0, of: imported, depth: depth + 1) })
    }

    /// Returns what an element says of an object: its values, or its key.
    private func destination(
        _ value: ManagedValue, of imported: ImportedRelationship, depth: Int
    ) throws -> PreparedObject {
        if case .dictionary(let values) = value { return try prepare(values, as: imported.mapping, depth: depth) }
        let mapping = mappings[imported.mapping]
        switch mapping.identity {
        case .ambiguous(let error): throw error
        case .key(let positions, _) where positions.count == 1:
            let attribute = mapping.attributes[positions[0]]
            let converted = try attribute.converted(value)
            guard let key = ImportKey(converted) else { throw ImportError.nullDestination(imported.relationship) }
            return PreparedObject(
                mapping: imported.mapping, key: key, isReference: true,
                values: [PreparedObject.Value(position: positions[0], value: converted)])
        case .none, .key: throw ImportError.keyOfObjectWithoutKey(mapping.entity, imported.relationship)
        }
    }
}

extension ImportError {
    fileprivate static func missingKey(_ imported: ImportedAttribute) -> ImportError {
        let attribute = imported.attribute
        return ImportError(
            .missingKey,
            """
            There is no "\(imported.path.description)", which tells which \(attribute.entity.name) it is about. Give each row \
            one, or relate \(attribute.entity.name) by another attribute.
            """, entityName: attribute.entity.name, key: attribute.name)
    }

    fileprivate static func deepRow(_ relationship: Entity.Relationship) -> ImportError {
        ImportError(
            .invalidRelationship,
            "Objects are nested too deeply at \(relationship.name). Refer to the inner ones by their keys.",
            entityName: relationship.entity.name, key: relationship.name)
    }

    fileprivate static func listForToOne(_ relationship: Entity.Relationship) -> ImportError {
        ImportError(
            .invalidRelationship,
            """
            \(relationship.entity.name).\(relationship.name) leads to one object, but the row has an array. Give it a key or \
            an object.
            """, entityName: relationship.entity.name, key: relationship.name)
    }

    fileprivate static func nullDestination(_ relationship: Entity.Relationship) -> ImportError {
        ImportError(
            .invalidRelationship,
            "An element of \(relationship.entity.name).\(relationship.name) is null. Leave it out of the array.",
            entityName: relationship.entity.name, key: relationship.name)
    }

    fileprivate static func keyOfObjectWithoutKey(
        _ entity: Entity, _ relationship: Entity.Relationship
    ) -> ImportError {
        ImportError(
            .invalidRelationship,
            """
            \(relationship.entity.name).\(relationship.name) has a value instead of an object, but a single value does not \
            tell which \(entity.name) that is. Relate \(entity.name) by one attribute, or nest the objects in the row.
            """, entityName: relationship.entity.name, key: relationship.name)
    }
}
