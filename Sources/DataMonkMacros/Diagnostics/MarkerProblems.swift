#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    extension Diagnostic {
        static func misplacedMarker(_ node: AttributeSyntax, isInEntity: Bool) -> Diagnostic {
            let name = node.attributeName.lastName ?? node.attributeName.trimmedDescription
            return Diagnostic(
                "misplacedMarker", at: node,
                isInEntity
                    ? "@\(name) marks a property that is kept in the object's row; this declaration is not, remove @\(name)"
                    : "@\(name) marks a property of an entity class; put @Entity in front of the class",
                fixIts: [.remove(node, "remove '@\(name)'")])
        }

        static func misplacedGroup(_ node: some FreestandingMacroExpansionSyntax) -> Diagnostic {
            Diagnostic(
                "misplacedGroup", at: node,
                "#\(node.macroName.text) stands inside an entity class; put @Entity in front of the class")
        }

        static func notAPropertyGroup(_ expression: ExprSyntax, of macroName: String) -> Diagnostic {
            Diagnostic(
                "notAPropertyGroup", at: expression,
                "#\(macroName) takes lists of key paths to the entity's own properties, written out: [\\.name, \\.age]")
        }
    }
#endif
