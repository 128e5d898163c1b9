import DataMonkCore

extension PropertiesFile {
    /// Adds accessors and the declarations of the entity, as the macro expands to.
    func writePlain(to text: inout SwiftText) {
        for property in plan.properties { writeAccessors(of: property, to: &text) }
        writeDeclaration(to: &text)
        text.line()
        // A subclass that uses the macros counts on from here.
        text.documentation("Returns the slot after the last property of the class.")
        text.function("\(access.prefix)static func endOfProperties", ["of _: \(name).Type"], " -> \(names.type("Int"))")
        {
            $0.line("\(end)")
        }
        text.line()
        writeKeyNames(to: &text)
    }

    private var end: Int {
        let slots = plan.properties.filter { if case .fetched = $0.kind { false } else { true } }
        return plan.firstSlot + slots.count
    }

    private func writeAccessors(of property: GeneratedProperty, to text: inout SwiftText) {
        let (type, isDerived): (String, Bool)
        switch property.kind {
        case .attribute(let attribute): (type, isDerived) = (attribute.type, attribute.isDerived)
        case .relationship(let relationship): (type, isDerived) = (relationship.type, false)
        case .opaque, .fetched: return
        }
        text.documentation(property.documentation)
        let head = "\(access.prefix)var \(SwiftNames.identifier(property.name)): \(type)"
        if isDerived {
            text.declaration(head, body: "property(at: \(property.slot))")
        } else {
            text.block(head) { text in
                text.line("get { property(at: \(property.slot)) }")
                text.line("set { setProperty(newValue, at: \(property.slot)) }")
            }
        }
        text.line()
    }

    private func writeDeclaration(to text: inout SwiftText) {
        let type = names.type("EntityDeclaration")
        text.documentation("Returns the declaration of the entity, for the class's `entityDeclaration`.")
        text.function("\(access.prefix)static func declareEntity", ["of _: \(name).Type"], " -> \(type)") { text in
            var arguments = [SwiftLiteral.text(plan.entityName), "class: \(name).self"]
            if plan.isAbstract { arguments.append("isAbstract: true") }
            arguments += Self.notes(original: plan.originalName, modifier: plan.hashModifier, plan.userInfo)
            if !plan.unique.isEmpty {
                arguments.append("unique: \(SwiftLiteral.list(plan.unique.map(SwiftLiteral.texts)))")
            }
            if !plan.indexes.isEmpty {
                arguments.append("indexes: \(SwiftLiteral.list(plan.indexes.map(SwiftLiteral.texts)))")
            }
            text.open("\(type)", arguments: arguments) { text in
                text.array("properties: ", elements: plan.properties.compactMap(declaration), tail: ")")
            }
        }
    }

    /// Returns the call that declares a property, followed by its arguments.
    private func declaration(of property: GeneratedProperty) -> [String]? {
        switch property.kind {
        case .attribute(let attribute):
            if let whole = attribute.description { return [".attribute", description(of: whole)] }
            var call = [".property", SwiftLiteral.text(property.name), "\(attribute.type).self"]
            if let value = attribute.defaultValue { call.append("default: \(value)") }
            if !attribute.options.isEmpty { call.append("options: \(SwiftLiteral.lines(attribute.options))") }
            return call
                + Self.notes(original: attribute.originalName, modifier: attribute.hashModifier, attribute.userInfo)
        case .relationship(let relationship):
            var call = [".property", SwiftLiteral.text(property.name), "\(relationship.type).self"]
            call += Self.arguments(of: relationship, optionsLabel: "options: ")
            if let original = relationship.originalName { call.append("originalName: \(SwiftLiteral.text(original))") }
            if let inverse = relationship.inverseName { call.append("inverse: \(SwiftLiteral.text(inverse))") }
            return call
                + Self.notes(original: nil, modifier: relationship.hashModifier, relationship.userInfo)
        case .opaque(let attribute): return [".attribute", description(of: attribute)]
        case .fetched: return nil
        }
    }

    /// The last arguments of each declaration.
    static func notes(original: String?, modifier: String?, _ userInfo: [String: String]) -> [String] {
        let original = original.map { "originalName: \(SwiftLiteral.text($0))" }
        let modifier = modifier.map { "hashModifier: \(SwiftLiteral.text($0))" }
        let notes = userInfo.isEmpty ? nil : "userInfo: \(SwiftLiteral.dictionary(userInfo))"
        return [original, modifier, notes].compactMap(\.self)
    }

    /// The arguments that both styles give alike.
    static func arguments(of relationship: GeneratedProperty.Relationship, optionsLabel: String) -> [String] {
        var arguments: [String] = []
        if !relationship.options.isEmpty {
            arguments.append(
                optionsLabel.isEmpty
                    ? relationship.options.joined(separator: ", ")
                    : optionsLabel + SwiftLiteral.list(relationship.options))
        }
        if relationship.deleteRule != .nullify { arguments.append("deleteRule: .\(relationship.deleteRule)") }
        if let count = relationship.minimumCount { arguments.append("minimumModelCount: \(count)") }
        if let count = relationship.maximumCount { arguments.append("maximumModelCount: \(count)") }
        return arguments
    }

    /// Returns an expression for an attribute that a type and options do not describe.
    private func description(of attribute: AttributeDescription) -> String {
        var arguments = [SwiftLiteral.text(attribute.name), ".\(attribute.type)"]
        func add(_ label: String, _ value: String?) {
            if let value { arguments.append("\(label): \(value)") }
        }
        func addText(_ label: String, _ text: String?) { add(label, text.map { SwiftLiteral.text($0) }) }
        if !attribute.isOptional { add("isOptional", "false") }
        if attribute.isTransient { add("isTransient", "true") }
        if attribute.isIndexed { add("isIndexed", "true") }
        if attribute.hasTextIndex { add("hasTextIndex", "true") }
        add("defaultValue", literals.managedValue(attribute.defaultValue))
        add("minimum", literals.managedValue(attribute.minimum))
        add("maximum", literals.managedValue(attribute.maximum))
        addText("regularExpression", attribute.regularExpression)
        let predicates = attribute.validationPredicates.compactMap { literals.validation(".init", $0) }
        if !predicates.isEmpty { add("validationPredicates", SwiftLiteral.lines(predicates)) }
        if attribute.allowsExternalBinaryDataStorage { add("allowsExternalBinaryDataStorage", "true") }
        if attribute.preservesValueInHistoryOnDeletion { add("preservesValueInHistoryOnDeletion", "true") }
        addText("valueTransformerName", attribute.valueTransformerName)
        addText("attributeValueClassName", attribute.attributeValueClassName)
        addText("derivationExpression", attribute.derivationExpression)
        addText("renamingIdentifier", attribute.renamingIdentifier)
        addText("versionHashModifier", attribute.versionHashModifier)
        // The mark of a codable attribute is a note as well.
        var bare = attribute
        bare.isCodable = false
        if !bare.userInfo.isEmpty { add("userInfo", SwiftLiteral.dictionary(bare.userInfo)) }
        if !attribute.elements.isEmpty {
            add("elements", SwiftLiteral.lines(attribute.elements.map { description(of: $0) }))
        }
        if attribute.isCodable { add("isCodable", "true") }
        return SwiftLiteral.call(names.type("AttributeDescription"), arguments)
    }

    private func writeKeyNames(to text: inout SwiftText) {
        let pairs = plan.properties.compactMap { property -> String? in
            switch property.kind {
            case .attribute, .relationship:
                "\\Heir.\(SwiftNames.identifier(property.name)): \(SwiftLiteral.text(property.name))"
            case .opaque, .fetched: nil
            }
        }
        text.documentation(
            "Returns the names of the properties by key path from a subclass, for the class's `keyNames`.")
        let result = "[\(names.type("AnyKeyPath")): \(names.type("String"))]"
        text.function(
            "\(access.prefix)static func collectKeyNames<Heir: \(name)>", ["of _: Heir.Type"], " -> \(result)"
        ) { text in
            let above = plan.superclass.map { "\(SwiftNames.identifier($0)).collectKeyNames(of: Heir.self)" }
            if pairs.isEmpty { return text.line(above ?? "[:]") }
            let head = above == nil ? "" : "let own: \(result) = "
            text.line("\(head)[")
            text.indented { text in
                for pair in pairs { text.line(pair + (pairs.count > 1 ? "," : "")) }
            }
            text.line("]")
            if let above { text.line("return \(above).merging(own) { _, own in own }") }
        }
    }
}
