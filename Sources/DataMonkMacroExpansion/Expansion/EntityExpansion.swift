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
    package protocol EntityExpansion: WrittenMacro, MemberAttributeMacro, MemberMacro, PeerMacro {}

    extension EntityExpansion {
        package static func expansion(
            of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
            providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
        ) -> [AttributeSyntax] {
            EntityClass.managedPropertyAttributes(for: member, of: declaration)
        }
    }

    extension EntityExpansion {
        /// Reports enums. The compiler does not ask for their members before something uses them.
        package static func expansion(
            of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) -> [DeclSyntax] {
            if let declaration = declaration.as(EnumDeclSyntax.self) {
                declaration.problems(asEntityOf: node, in: context.lexicalContext).forEach(context.diagnose)
            }
            return []
        }
    }

    extension EntityExpansion {
        package static func expansion(
            of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
            conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
        ) -> [DeclSyntax] {
            if declaration.is(EnumDeclSyntax.self) { return [] }
            let problems = declaration.problems(asEntityOf: node, in: context.lexicalContext)
            problems.forEach(context.diagnose)
            // Without a superclass there is nothing to override: the members would only add errors of their own.
            guard let classDeclaration = declaration.as(ClassDeclSyntax.self),
                classDeclaration.inheritanceClause != nil,
                classDeclaration.foreignSuperclass == nil, let entity = EntityClass(declaration)
            else { return [] }
            return [
                entity.declarationMember(node), entity.endOfPropertiesMember, entity.keyNamesMember,
                entity.collectKeyNamesMember,
            ]
        }
    }

    extension EntityClass {
        /// Returns the attribute that gives a member its accessors, as a list of one, if the member is a property to keep.
        static func managedPropertyAttributes(
            for member: some DeclSyntaxProtocol, of declaration: some DeclGroupSyntax
        ) -> [AttributeSyntax] {
            guard let variable = member.as(VariableDeclSyntax.self), let property = PersistentProperty(variable),
                let entity = EntityClass(declaration)
            else { return [] }
            let isForeign = declaration.as(ClassDeclSyntax.self)?.foreignSuperclass != nil
            if isForeign || property.obstacle != nil {
                return property.canHaveAccessors
                    ? ["@ManagedProperty(\(literal: PersistentProperty.unusableNumber))"] : []
            }
            guard let number = entity.properties.firstIndex(where: { $0.name == property.name }) else { return [] }
            return ["@ManagedProperty(\(literal: number))"]
        }
    }

    extension EntityClass {
        fileprivate func declarationMember(_ node: AttributeSyntax) -> DeclSyntax {
            """
            \(raw: documentation("The declaration of the entity: its name, its properties and their options."))
            \(raw: overrideAccess)override nonisolated class var entityDeclaration: EntityDeclaration? {
                \(raw: declarationBody(node))
            }
            """
        }

        /// The call that makes the entity's declaration.
        func declarationText(_ node: AttributeSyntax) -> String {
            """
            EntityDeclaration(
                    \(entityArguments(node).joined(separator: ", ")),
                    properties: [
                        \(properties.compactMap(\.propertyDeclaration).joined(separator: ",\n            "))
                    ])
            """
        }

        var endOfPropertiesMember: DeclSyntax {
            """
            \(raw: documentation("Returns the slot after the last property of the class, from which its subclasses count."))
            \(raw: memberAccess)nonisolated static func endOfProperties(of _: \(raw: type).Type) -> Int {
                \(raw: firstSlot.map { "\($0) + " } ?? "")\(literal: properties.count)
            }
            """
        }

        fileprivate var keyNamesMember: DeclSyntax {
            """
            \(raw: documentation("The names of the properties by key path, for conditions such as `\\.name`."))
            \(raw: overrideAccess)override nonisolated class var keyNames: [AnyKeyPath: String] {
                collectKeyNames(of: \(raw: type).self)
            }
            """
        }

        var collectKeyNamesMember: DeclSyntax {
            let names = properties.map { "\\Heir.\($0.binding.pattern.trimmedDescription): \"\($0.name)\"" }
            let own = names.isEmpty ? "[:]" : "[\n        \(names.joined(separator: ",\n        "))\n    ]"
            let all = superclass.map { "\($0).collectKeyNames(of: Heir.self).merging(\(own)) { _, own in own }" } ?? own
            return """
                \(raw: documentation("Returns the names of the properties by key path from a subclass."))
                \(raw: memberAccess)nonisolated static func collectKeyNames<Heir: \(raw: type)>(
                    of _: Heir.Type
                ) -> [AnyKeyPath: String] {
                    \(raw: all)
                }
                """
        }

        private func entityArguments(_ node: AttributeSyntax) -> [String] {
            let given = node.labeledArguments
            let entityName = given.first { $0.label == nil }?.expression.trimmedDescription ?? "\"\(name)\""
            let options = given.filter { $0.label != nil && $0.label?.text != "superclass" }.map(\.argumentText)
            let groups = [("unique", groups(of: "Unique")), ("indexes", groups(of: "Index"))]
                .filter { !$0.1.isEmpty }
                .map { label, groups in "\(label): [\(groups.map(\.listText).joined(separator: ", "))]" }
            return [entityName, "class: \(type).self"] + options + groups + hooks
        }

        /// An override would be in the class, which an extension does not show.
        private var hooks: [String] {
            declaration.is(ClassDeclSyntax.self) && !overrides("validateValue") ? ["validatesValues: false"] : []
        }

        /// An override must be as open as its class; otherwise a subclass in another module could not override it again.
        private var overrideAccess: String { accessKeyword.map { "\($0) " } ?? "" }

        /// A static member cannot be open.
        var memberAccess: String { accessKeyword.map { $0 == "open" ? "public " : "\($0) " } ?? "" }

        /// A documentation comment. The members are public where their class is.
        private func documentation(_ text: String) -> String { "/// \(text)" }

        private var accessKeyword: String? {
            let levels = ["open", "public", "package"]
            // An extension is as accessible as its members.
            let variables = declaration.is(ExtensionDeclSyntax.self) ? properties.map(\.variable.modifiers) : []
            return ([declaration.modifiers] + variables).joined().map(\.name.text).first(where: levels.contains)
        }
    }

    extension PropertyGroup {
        fileprivate var listText: String { "[\(names.map { "\"\($0)\"" }.joined(separator: ", "))]" }
    }
#endif
