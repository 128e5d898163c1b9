#if Macros
    import SwiftSyntax

    extension AttributeListSyntax {
        /// The attribute with this name, with or without a module in front.
        func attribute(named name: String) -> AttributeSyntax? {
            for case .attribute(let attribute) in self where attribute.attributeName.lastName == name {
                return attribute
            }
            return nil
        }
    }

    extension AttributeSyntax {
        /// The arguments in parentheses.
        var labeledArguments: [LabeledExprSyntax] {
            guard case .argumentList(let arguments) = arguments else { return [] }
            return Array(arguments)
        }
    }

    extension KeyPathExprSyntax {
        /// The property a path of one step leads to: `name` for `\.name` and `\Person.name`.
        var propertyName: String? {
            guard components.count == 1, case .property(let property) = components.first?.component else { return nil }
            return property.declName.baseName.plainText
        }
    }

    extension StringLiteralExprSyntax {
        /// The text, unless something is interpolated.
        var plainText: String? {
            guard segments.count <= 1 else { return nil }
            guard case .stringSegment(let segment) = segments.first else { return segments.isEmpty ? "" : nil }
            return segment.content.text
        }
    }

    extension TokenSyntax {
        /// The text without backticks.
        var plainText: String { identifier?.name ?? text }
    }
#endif
