#if Macros
    package import SwiftSyntax
    package import SwiftSyntaxMacros

    /// **Value.** `#Unique` and `#Index`. `@Entity` reads them; they expand to nothing themselves.
    package protocol PropertyGroupExpansion: WrittenMacro, DeclarationMacro {}

    extension PropertyGroupExpansion {
        package static func expansion(
            of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
        ) -> [DeclSyntax] {
            if !context.lexicalContext.first.isEntityClass {
                context.diagnose(.misplacedGroup(node))
            }
            for argument in node.arguments where PropertyGroup(argument.expression) == nil {
                context.diagnose(.notAPropertyGroup(argument.expression, of: node.macroName.text))
            }
            return []
        }
    }

    extension Syntax? {
        /// A Boolean value indicating whether this is the header of a class marked `@Entity`, or of an extension marked
        /// `@EntityProperties`.
        var isEntityClass: Bool {
            self?.as(ClassDeclSyntax.self)?.attributes.attribute(named: "Entity") != nil
                || self?.as(ExtensionDeclSyntax.self)?.attributes.attribute(named: "EntityProperties") != nil
        }
    }
#endif
