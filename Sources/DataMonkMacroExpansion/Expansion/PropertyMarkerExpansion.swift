#if Macros
    package import SwiftSyntax
    package import SwiftSyntaxMacros

    /// **Value.** `@Attribute`, `@Relationship` and `@Transient`. `@Entity` reads them; they expand to nothing themselves.
    package protocol PropertyMarkerExpansion: WrittenMacro, PeerMacro {}

    extension PropertyMarkerExpansion {
        package static func expansion(
            of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) -> [DeclSyntax] {
            let isInEntity = context.lexicalContext.first.isEntityClass
            let isPersistent = declaration.as(VariableDeclSyntax.self).map(PersistentProperty.isPersistent) ?? false
            if !isInEntity || !isPersistent {
                context.diagnose(.misplacedMarker(node, isInEntity: isInEntity))
            }
            return []
        }
    }
#endif
