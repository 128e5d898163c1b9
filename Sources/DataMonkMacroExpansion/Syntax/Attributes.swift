#if Macros
    import SwiftSyntax

    extension AttributeListSyntax {
        /// Returns the attribute with this name, with or without a module prefix.
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
        /// The property that a single-component key path refers to: `name` for `\.name` and `\Person.name`.
        var propertyName: String? {
            guard components.count == 1, case .property(let property) = components.first?.component else { return nil }
            return property.declName.baseName.plainText
        }
    }

    extension StringLiteralExprSyntax {
        /// The text; `nil` if it contains an interpolation.
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
