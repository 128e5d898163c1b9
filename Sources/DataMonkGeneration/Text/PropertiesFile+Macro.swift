extension PropertiesFile {
    /// Adds variables, of which `@EntityProperties` makes properties.
    func writeMacro(to text: inout SwiftText) {
        var arguments: [String] = []
        if plan.entityName != plan.name { arguments.append(SwiftLiteral.text(plan.entityName)) }
        if let superclass = plan.superclass {
            arguments.append("superclass: \(SwiftNames.identifier(superclass)).self")
        }
        if plan.isAbstract { arguments.append("isAbstract: true") }
        arguments += Self.notes(original: plan.originalName, modifier: plan.hashModifier, plan.userInfo)
        if arguments.isEmpty { text.line("@EntityProperties") } else { text.call("@EntityProperties", arguments) }
        text.block("nonisolated extension \(name)") { text in
            writeGroups(of: "Unique", plan.unique, to: &text)
            writeGroups(of: "Index", plan.indexes, to: &text)
            var isFirst = plan.unique.isEmpty && plan.indexes.isEmpty
            for property in plan.properties {
                guard let (marker, arguments, variable) = variable(of: property) else { continue }
                if !isFirst { text.line() }
                isFirst = false
                text.documentation(property.documentation)
                if !arguments.isEmpty { text.call("@\(marker)", arguments) }
                text.line(variable)
            }
        }
    }

    private func writeGroups(of macro: String, _ groups: [[String]], to text: inout SwiftText) {
        guard !groups.isEmpty else { return }
        text.call("#\(macro)<\(name)>", groups.map { SwiftLiteral.list($0.map { "\\.\(SwiftNames.identifier($0))" }) })
    }

    private func variable(of property: GeneratedProperty) -> (marker: String, arguments: [String], line: String)? {
        let name = SwiftNames.identifier(property.name)
        switch property.kind {
        case .attribute(let attribute):
            var arguments = attribute.options
            arguments += Self.notes(
                original: attribute.originalName, modifier: attribute.hashModifier, attribute.userInfo)
            let value = attribute.defaultValue.map { " = \($0)" } ?? ""
            let setter = attribute.isDerived ? "private(set) " : ""
            return ("Attribute", arguments, "\(access.prefix)\(setter)var \(name): \(attribute.type)\(value)")
        case .relationship(let relationship):
            var arguments = Self.arguments(of: relationship, optionsLabel: "")
            if let original = relationship.originalName {
                arguments.append("originalName: \(SwiftLiteral.text(original))")
            }
            if let inverse = relationship.inverseName, relationship.namesInverse {
                // A key path from a property to itself is circular.
                let isOwn = inverse == property.name && relationship.destination == self.name
                arguments.append(
                    isOwn
                        ? "inverse: \(SwiftLiteral.text(inverse))"
                        : "inverse: \\\(relationship.destination).\(SwiftNames.identifier(inverse))")
            }
            arguments += Self.notes(original: nil, modifier: relationship.hashModifier, relationship.userInfo)
            return ("Relationship", arguments, "\(access.prefix)var \(name): \(relationship.type)")
        case .opaque, .fetched: return nil
        }
    }
}
