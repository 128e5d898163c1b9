#if Macros
    import SwiftSyntax

    extension EntityClass {
        /// The statements of a function that returns the entity's declaration.
        func declarationBody(_ node: AttributeSyntax) -> String {
            let checks = inverseChecks + groupChecks
            let declaration = declarationText(node)
            return checks.isEmpty ? declaration : (checks + ["return \(declaration)"]).joined(separator: "\n    ")
        }

        /// Closures that never run, and compile only if each inverse is a relationship of another class.
        ///
        /// A macro sees its own class alone. Of a wrong name in the argument of a macro, the compiler only says that it
        /// "cannot be resolved without a contextual type"; in a closure, that the class has no such member.
        private var inverseChecks: [String] {
            properties.filter { $0.obstacle == nil }.compactMap { property in
                guard let path = property.inverse?.expression.as(KeyPathExprSyntax.self), let root = path.root,
                    property.inverseName != nil, let name = path.components.first?.component.trimmedDescription,
                    superclass != nil || root.lastName != self.name
                else { return nil }
                return "_ = { (object: \(root.trimmed)) in requireRelationship(object.\(name)) }"
            }
        }

        /// Closures that never run, and compile only if each name of a group is a property. Where there is no superclass to
        /// have it, the macro finds wrong names itself.
        private var groupChecks: [String] {
            guard superclass != nil else { return [] }
            let own = properties.map(\.name)
            let names = (groups(of: "Unique") + groups(of: "Index")).flatMap(\.names).filter { !own.contains($0) }
            return names.map { "_ = { (object: \(type)) in object.`\($0)` }" }
        }
    }
#endif
