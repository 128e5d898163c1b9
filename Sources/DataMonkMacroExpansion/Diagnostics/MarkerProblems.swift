#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    extension Diagnostic {
        static func misplacedMarker(_ node: AttributeSyntax, isInEntity: Bool) -> Diagnostic {
            let name = node.attributeName.lastName ?? node.attributeName.trimmedDescription
            return Diagnostic(
                "misplacedMarker", at: node,
                message: isInEntity
                    ? "@\(name) can only be applied to a stored property of an entity; remove @\(name)"
                    : "@\(name) can only be applied to a property of an entity class; add @Entity to the class",
                fixIts: [.remove(node, message: "remove '@\(name)'")])
        }

        static func misplacedGroup(_ node: some FreestandingMacroExpansionSyntax) -> Diagnostic {
            Diagnostic(
                "misplacedGroup", at: node,
                message: "#\(node.macroName.text) can only be used inside an entity class; add @Entity to the class")
        }

        static func notAPropertyGroup(_ expression: ExprSyntax, of macroName: String) -> Diagnostic {
            Diagnostic(
                "notAPropertyGroup", at: expression,
                message: """
                    #\(macroName) requires array literals of key paths to the entity's own properties, such as [\\.name, \
                    \\.age]
                    """)
        }
    }
#endif
