import DataMonkCore

/// **Value.** A model as text for people to read.
struct ModelListing {
    let model: ManagedObjectModel
    let title: String

    /// The text: each entity with its properties.
    var text: String {
        var lines = ["\(title), version hash \(model.versionChecksum)"]
        let identifiers = model.versionIdentifiers.filter { !$0.isEmpty }
        if !identifiers.isEmpty {
            lines.append("Version \(identifiers.map(ValueText.visible).joined(separator: ", "))")
        }
        for entity in model.entities { lines += [""] + Self.lines(of: entity) }
        let templates = model.fetchRequestTemplates.sorted { $0.key < $1.key }.map { name, template in
            "  \(name): \(template.entityName) \(template.predicateFormat.map(ValueText.visible) ?? "")"
        }
        if !templates.isEmpty { lines += ["", "Fetch requests"] + templates }
        let configurations = model.configurations.sorted { $0.key < $1.key }.map { name, members in
            "  \(name): \(members.joined(separator: ", "))"
        }
        if !configurations.isEmpty { lines += ["", "Configurations"] + configurations }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func lines(of entity: Entity) -> [String] {
        var head = entity.name
        if let superentity = entity.superentity { head += ": \(superentity.name)" }
        if entity.isAbstract { head += ", abstract" }
        if let name = entity.description.managedObjectClassName, name != entity.name { head += ", class \(name)" }
        let own = entity.description.properties
        let width = own.map { DisplayWidth.width(of: $0.name) }.max() ?? 0
        var lines = [head]
        lines += own.map { "  \(DisplayWidth.pad($0.name, to: width, isRight: false))  \(text(of: $0))" }
        lines += entity.description.uniquenessConstraints.map { "  unique: \($0.joined(separator: ", "))" }
        lines += entity.description.indexes.map { index in
            "  index \(index.name): \(index.elements.map { text(of: $0) }.joined(separator: ", "))"
        }
        return lines
    }

    /// Returns a property's type and what else is said of it.
    static func text(of property: PropertyDescription) -> String {
        switch property {
        case .attribute(let attribute): text(of: attribute)
        case .relationship(let relationship): text(of: relationship)
        case .fetched(let fetched):
            "fetched \(fetched.fetchRequest.entityName): "
                + ValueText.visible(fetched.fetchRequest.predicateFormat ?? "all")
        }
    }

    private static func text(of attribute: AttributeDescription) -> String {
        var parts = [attribute.type.title]
        if let derivation = attribute.derivationExpression {
            parts.append("derived from \(ValueText.visible(derivation))")
        }
        if !attribute.isOptional { parts.append("required") }
        if attribute.isTransient { parts.append("transient") }
        if !attribute.defaultValue.isNull { parts.append("default \(ValueText.text(of: attribute.defaultValue))") }
        if !attribute.minimum.isNull { parts.append("minimum \(ValueText.text(of: attribute.minimum))") }
        if !attribute.maximum.isNull { parts.append("maximum \(ValueText.text(of: attribute.maximum))") }
        if let pattern = attribute.regularExpression { parts.append("matches \(ValueText.visible(pattern))") }
        parts += attribute.validationPredicates.map { "condition \"\(ValueText.visible($0.warning))\"" }
        if attribute.isIndexed { parts.append("indexed") }
        if attribute.hasTextIndex { parts.append("text search") }
        if attribute.allowsExternalBinaryDataStorage { parts.append("external storage") }
        if attribute.isCodable { parts.append("JSON") }
        if attribute.preservesValueInHistoryOnDeletion { parts.append("kept in the history") }
        if let old = attribute.renamingIdentifier, old != attribute.name { parts.append("was \(old)") }
        if !attribute.elements.isEmpty {
            parts.append("of \(attribute.elements.map { "\($0.name) \($0.type.title)" }.joined(separator: ", "))")
        }
        return parts.joined(separator: ", ")
    }

    private static func text(of relationship: RelationshipDescription) -> String {
        var parts = [
            "→ \(relationship.destinationEntityName)\(relationship.inverseName.map { ".\($0)" } ?? ", without inverse")"
        ]
        parts.append(relationship.isToMany ? relationship.isOrdered ? "to many in order" : "to many" : "to one")
        if !relationship.isOptional { parts.append("required") }
        if relationship.isTransient { parts.append("transient") }
        if relationship.isToMany, relationship.minCount > 0 { parts.append("minimum \(relationship.minCount)") }
        if relationship.isToMany, relationship.maxCount > 0 { parts.append("maximum \(relationship.maxCount)") }
        if relationship.deleteRule != .nullify { parts.append("delete: \(relationship.deleteRule)") }
        if let old = relationship.renamingIdentifier, old != relationship.name { parts.append("was \(old)") }
        return parts.joined(separator: ", ")
    }

    private static func text(of element: FetchIndexElementDescription) -> String {
        let subject =
            switch element.subject {
            case .property(let name): name
            case .expression(let text): ValueText.visible(text)
            }
        return subject + (element.isAscending ? "" : " descending") + (element.collationType == .rTree ? " R-tree" : "")
    }
}

extension AttributeType {
    /// The type's name in Xcode.
    var title: String {
        switch self {
        case .undefined: "Undefined"
        case .integer16: "Integer 16"
        case .integer32: "Integer 32"
        case .integer64: "Integer 64"
        case .decimal: "Decimal"
        case .double: "Double"
        case .float: "Float"
        case .string: "String"
        case .boolean: "Boolean"
        case .date: "Date"
        case .binary: "Binary Data"
        case .uuid: "UUID"
        case .uri: "URI"
        case .transformable: "Transformable"
        case .objectID: "Object ID"
        case .composite: "Composite"
        }
    }
}
