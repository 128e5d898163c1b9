#if Macros
    package import SwiftSyntax
    import SwiftSyntaxBuilder
    package import SwiftSyntaxMacros

    /// **Value.** `@Entity`: numbers the class's persistent properties and writes the entity's declaration.
    ///
    ///     @Entity final class Monk: Person {          // each property gets its number ...
    ///         @ManagedProperty(0) var temple: String = ""
    ///                                                 // ... and the class two members:
    ///         override nonisolated class var entityDeclaration: EntityDeclaration? { EntityDeclaration("Monk", ...) }
    ///         nonisolated static func endOfProperties(of _: Monk.Type) -> Int {
    ///             Person.endOfProperties(of: Person.self) + 1
    ///         }
    ///                                                 // ... and the names of its properties by key path:
    ///         override nonisolated class var keyNames: [AnyKeyPath: String] { collectKeyNames(of: Monk.self) }
    ///         nonisolated static func collectKeyNames<Heir: Monk>(of _: Heir.Type) -> [AnyKeyPath: String] {
    ///             Person.collectKeyNames(of: Heir.self).merging([\Heir.temple: "temple"]) { _, own in own }
    ///         }
    ///     }
    /// A superclass's properties come first in a row, and only the superclass knows their number. `endOfProperties` is
    /// therefore overloaded on the class: for a superclass without `@Entity`, the compiler picks the function of the nearest
    /// entity class above it. The call is folded to a constant. `collectKeyNames` works in the same way; it is generic
    /// because `\Monk.name` and `\Person.name` are different key paths.
    package protocol EntityExpansion: MemberAttributeMacro, MemberMacro {}

    extension EntityExpansion {
        package static func expansion(
            of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
            providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
        ) -> [AttributeSyntax] {
            guard let classDeclaration = declaration.as(ClassDeclSyntax.self),
                let variable = member.as(VariableDeclSyntax.self), let property = PersistentProperty(variable),
                property.obstacle(in: classDeclaration) == nil,
                let number = EntityClass(classDeclaration).properties.firstIndex(where: { $0.name == property.name })
            else { return [] }
            return ["@ManagedProperty(\(literal: number))"]
        }
    }

    extension EntityExpansion {
        package static func expansion(
            of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
            conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
        ) -> [DeclSyntax] {
            let problems = declaration.problems(asEntityOf: node, in: context.lexicalContext)
            problems.forEach(context.diagnose)
            guard let classDeclaration = declaration.as(ClassDeclSyntax.self) else { return [] }
            let entity = EntityClass(classDeclaration)
            // Without a superclass there is nothing to override: the members would only add errors of their own.
            guard classDeclaration.inheritanceClause != nil else { return [] }
            return [
                entity.declarationMember(node), entity.endOfPropertiesMember, entity.keyNamesMember,
                entity.collectKeyNamesMember,
            ]
        }
    }

    extension EntityClass {
        fileprivate func declarationMember(_ node: AttributeSyntax) -> DeclSyntax {
            """
            \(raw: overrideAccess)override nonisolated class var entityDeclaration: EntityDeclaration? {
                EntityDeclaration(
                    \(raw: entityArguments(node).joined(separator: ", ")),
                    properties: [
                        \(raw: properties.compactMap(\.propertyDeclaration).joined(separator: ",\n            "))
                    ])
            }
            """
        }

        fileprivate var endOfPropertiesMember: DeclSyntax {
            """
            \(raw: memberAccess)nonisolated static func endOfProperties(of _: \(declaration.name.trimmed).Type) -> Int {
                \(raw: Self.firstSlot(in: declaration).map { "\($0) + " } ?? "")\(literal: properties.count)
            }
            """
        }

        fileprivate var keyNamesMember: DeclSyntax {
            """
            \(raw: overrideAccess)override nonisolated class var keyNames: [AnyKeyPath: String] {
                collectKeyNames(of: \(declaration.name.trimmed).self)
            }
            """
        }

        fileprivate var collectKeyNamesMember: DeclSyntax {
            let names = properties.map { "\\Heir.\($0.binding.pattern.trimmedDescription): \"\($0.name)\"" }
            let own = names.isEmpty ? "[:]" : "[\n        \(names.joined(separator: ",\n        "))\n    ]"
            let all = superclass.map { "\($0).collectKeyNames(of: Heir.self).merging(\(own)) { _, own in own }" } ?? own
            return """
                \(raw: memberAccess)nonisolated static func collectKeyNames<Heir: \(declaration.name.trimmed)>(
                    of _: Heir.Type
                ) -> [AnyKeyPath: String] {
                    \(raw: all)
                }
                """
        }

        private func entityArguments(_ node: AttributeSyntax) -> [String] {
            let given = node.labeledArguments
            let entityName = given.first { $0.label == nil }?.expression.trimmedDescription ?? "\"\(name)\""
            let options = given.filter { $0.label != nil }.map(\.argumentText)
            let groups = [("unique", groups(of: "Unique")), ("indexes", groups(of: "Index"))]
                .filter { !$0.1.isEmpty }
                .map { label, groups in "\(label): [\(groups.map(\.listText).joined(separator: ", "))]" }
            let hooks = overrides("validateValue") ? [] : ["validatesValues: false"]
            return [entityName, "class: \(declaration.name.trimmed).self"] + options + groups + hooks
        }

        /// An override must be as open as its class; otherwise a subclass in another module could not override it again.
        private var overrideAccess: String { accessKeyword.map { "\($0) " } ?? "" }

        /// A static member cannot be open.
        private var memberAccess: String { accessKeyword.map { $0 == "open" ? "public " : "\($0) " } ?? "" }

        private var accessKeyword: String? {
            declaration.modifiers.map(\.name.text).first { ["open", "public", "package"].contains($0) }
        }
    }

    extension PropertyGroup {
        fileprivate var listText: String { "[\(names.map { "\"\($0)\"" }.joined(separator: ", "))]" }
    }
#endif
