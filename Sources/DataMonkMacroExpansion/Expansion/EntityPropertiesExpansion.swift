#if Macros
    import SwiftDiagnostics
    package import SwiftSyntax
    import SwiftSyntaxBuilder
    package import SwiftSyntaxMacros

    /// **Value.** `@EntityProperties`: what `@Entity` does, for the properties in an extension of a class.
    ///
    ///     @EntityProperties(superclass: Person.self) extension Monk {
    ///         @ManagedProperty(0) var temple: String = ""
    ///         nonisolated static func declareEntity(of _: Monk.Type) -> EntityDeclaration { EntityDeclaration("Monk", ...) }
    ///         // endOfProperties and collectKeyNames as for a class
    ///     }
    /// An extension cannot override, so the class itself overrides `entityDeclaration` and `keyNames` and calls these. Nor does
    /// an extension show the superclass, so the macro is told it.
    package protocol EntityPropertiesExpansion: WrittenMacro, MemberAttributeMacro, MemberMacro {}

    extension EntityPropertiesExpansion {
        package static func expansion(
            of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
            providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
        ) -> [AttributeSyntax] {
            guard declaration.is(ExtensionDeclSyntax.self) else { return [] }
            return EntityClass.managedPropertyAttributes(for: member, of: declaration)
        }
    }

    extension EntityPropertiesExpansion {
        package static func expansion(
            of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
            conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
        ) -> [DeclSyntax] {
            guard declaration.is(ExtensionDeclSyntax.self), let entity = EntityClass(declaration) else {
                context.diagnose(.notAnExtension(declaration, at: node))
                return []
            }
            entity.problems.forEach(context.diagnose)
            return [entity.declareMember(node), entity.endOfPropertiesMember, entity.collectKeyNamesMember]
        }
    }

    extension EntityClass {
        fileprivate func declareMember(_ node: AttributeSyntax) -> DeclSyntax {
            """
            /// Returns the declaration of the entity, for the class's `entityDeclaration`.
            \(raw: memberAccess)nonisolated static func \(raw: "declareEntity")(of _: \(raw: type).Type) -> EntityDeclaration {
                \(raw: declarationBody(node))
            }
            """
        }
    }
#endif
