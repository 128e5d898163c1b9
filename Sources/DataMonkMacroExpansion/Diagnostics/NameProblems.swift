#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    extension EntityClass {
        /// The names in `#Unique`, `#Index` and inverses that no property has, and inverses that are attributes. Only those of
        /// this class are known, so a class with a superclass is left to the compiler.
        var nameProblems: [Diagnostic] {
            guard superclass == nil else { return [] }
            return unknownNamesInGroups + properties.compactMap(inverseProblem)
        }

        private var unknownNamesInGroups: [Diagnostic] {
            let names = properties.map(\.name)
            return declaration.memberBlock.members.flatMap { member -> [Diagnostic] in
                guard let expansion = member.decl.as(MacroExpansionDeclSyntax.self),
                    ["Unique", "Index"].contains(expansion.macroName.text)
                else { return [] }
                return expansion.arguments.flatMap { argument in
                    argument.expression.as(ArrayExprSyntax.self)?.elements.compactMap { element in
                        guard let path = element.expression.as(KeyPathExprSyntax.self), let name = path.propertyName,
                            !names.contains(name)
                        else { return nil }
                        return .unknownName(name, in: self.name, at: path, among: names)
                    } ?? []
                }
            }
        }

        private func inverseProblem(of property: PersistentProperty) -> Diagnostic? {
            guard let inverse = property.inverse, let inverseName = property.inverseName,
                property.type.map({ $0.wrappedType ?? $0.elementType ?? $0 })?.lastName == name
            else { return nil }
            guard let other = properties.first(where: { $0.name == inverseName }) else {
                return .unknownName(inverseName, in: name, at: inverse.expression, among: properties.map(\.name))
            }
            guard let type = other.type?.withoutOptional, ValueTypes.isAttribute(type) else { return nil }
            return .inverseIsAttribute(property, named: inverseName, at: inverse)
        }
    }

    extension Diagnostic {
        fileprivate static func unknownName(
            _ name: String, in className: String, at node: some ExprSyntaxProtocol, among names: [String]
        ) -> Diagnostic {
            let nearest = names.map { ($0, distance(from: $0, to: name)) }.min { $0.1 < $1.1 }
            let hint = nearest.flatMap { $0.1 <= max(1, name.count / 3) ? $0.0 : nil }
            let place = node.as(KeyPathExprSyntax.self)?.components.first?.component
                .as(KeyPathPropertyComponentSyntax.self)?.declName.baseName
            let fixIts = hint.flatMap { hint in
                place.map { [FixIt.replace($0, with: hint, message: "write '\(hint)'")] }
            }
            return Diagnostic(
                "unknownName", at: node,
                message: "'\(className)' has no persistent property '\(name)'"
                    + (hint.map { "; did you mean '\($0)'?" } ?? "; use one of its own properties"),
                fixIts: fixIts ?? [])
        }

        fileprivate static func inverseIsAttribute(
            _ property: PersistentProperty, named name: String, at node: LabeledExprSyntax
        ) -> Diagnostic {
            Diagnostic(
                "inverseIsAttribute", at: node,
                message: """
                    '\(name)' is an attribute, so it cannot be the inverse of '\(property.name)'; name the relationship that \
                    leads back, or remove 'inverse:'
                    """,
                fixIts: [.removeArgument(node, message: "remove 'inverse:'")])
        }

        /// Returns the number of characters to insert, remove or replace.
        private static func distance(from left: String, to right: String) -> Int {
            let target = Array(right)
            var row = Array(0...target.count)
            for (place, character) in left.enumerated() {
                var diagonal = row[0]
                row[0] = place + 1
                for column in target.indices {
                    let cost = diagonal + (target[column] == character ? 0 : 1)
                    diagonal = row[column + 1]
                    row[column + 1] = min(cost, diagonal + 1, row[column] + 1)
                }
            }
            return row[target.count]
        }
    }
#endif
