extension MappingInference {
    mutating func check(_ attribute: Entity.Attribute, against past: Entity.Attribute, of entity: Entity) {
        let (new, old) = (attribute.description, past.description)
        let isDerivedAlike =
            new.derivationExpression == old.derivationExpression && new.isDerived == old.isDerived
        if !isDerivedAlike, !(attribute.canBeRederived && past.canBeRederived) {
            report(
                .changedDerivation, in: entity, property: attribute.name,
                message: """
                    It was \(old.isDerived ? "derived" : "set"), and is now \(new.isDerived ? "derived" : "set"). Give \
                    it another name.
                    """)
            return
        }
        guard new.type == old.type else {
            report(
                .changedType, in: entity, property: attribute.name,
                message: """
                    It was \(old.type.article) and is now \(new.type.article). Give the new attribute another name, and \
                    fill it in the application.
                    """)
            return
        }
        if new.type == .composite { return checkElements(of: attribute, past, of: entity) }
        if old.allowsExternalBinaryDataStorage, !new.allowsExternalBinaryDataStorage {
            report(
                .changedStorage, in: entity, property: attribute.name,
                message: """
                    Its values may be in external files, but must be in the store now. Keep allowing external storage, or \
                    copy the values into a new attribute in the application.
                    """)
        }
        if old.isOptional { checkDefault(attribute, of: entity) }
    }

    /// Checks that a newly required attribute has a default value for existing objects.
    mutating func checkDefault(_ attribute: Entity.Attribute, of entity: Entity) {
        let elements = attribute.description.elements
        if attribute.type == .composite {
            for element in elements where Self.lacksDefault(element) {
                reportDefault(attribute, element: element, of: entity)
            }
        } else if Self.lacksDefault(attribute.description), !attribute.isDerived {
            reportDefault(attribute, element: nil, of: entity)
        }
    }

    private static func lacksDefault(_ attribute: AttributeDescription) -> Bool {
        !attribute.isOptional && attribute.defaultValue.isNull
    }

    private mutating func reportDefault(
        _ attribute: Entity.Attribute, element: AttributeDescription?, of entity: Entity
    ) {
        // An abstract entity has no objects; its sub-entities are checked themselves.
        if entity.isAbstract { return }
        let subject = element.map { "Its element \($0.name)" } ?? "It"
        report(
            .missingDefault, in: entity, property: attribute.name,
            message: """
                \(subject) is now required, but stored objects may have no value for it. Give it a default value, or make \
                it optional.
                """)
    }

    private mutating func checkElements(of attribute: Entity.Attribute, _ past: Entity.Attribute, of entity: Entity) {
        let old = Dictionary(
            past.description.elements.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for element in attribute.description.elements {
            guard let before = old[element.name] else {
                if Self.lacksDefault(element) { reportDefault(attribute, element: element, of: entity) }
                continue
            }
            if before.type != element.type {
                report(
                    .changedType, in: entity, property: attribute.name,
                    message: """
                        Its element \(element.name) was \(before.type.article) and is now \(element.type.article). Give \
                        the new element another name, and fill it in the application.
                        """)
            } else if before.isOptional, Self.lacksDefault(element) {
                reportDefault(attribute, element: element, of: entity)
            }
        }
    }
}
