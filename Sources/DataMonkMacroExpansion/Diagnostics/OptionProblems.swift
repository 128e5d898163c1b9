#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    extension PersistentProperty {
        /// The problems with the options of an attribute, as far as literals show them.
        var optionProblems: [Diagnostic] {
            guard let attribute, let type = type?.withoutOptional else { return [] }
            return attribute.labeledArguments.compactMap { argument in
                guard argument.label == nil, let call = argument.expression.as(FunctionCallExprSyntax.self),
                    let option = call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text,
                    let value = call.arguments.first?.expression
                else { return nil }
                switch option {
                case "minimum", "maximum":
                    guard value.is(StringLiteralExprSyntax.self) else { return nil }
                    return .textBound(self, option: option, type: type, at: argument)
                case "regularExpression":
                    guard let pattern = value.as(StringLiteralExprSyntax.self)?.pattern,
                        let fault = RegularExpressionText.fault(in: pattern)
                    else { return nil }
                    return .regularExpression(self, fault: fault, at: Syntax(value))
                default: return nil
                }
            }
        }
    }

    extension StringLiteralExprSyntax {
        /// The pattern in the literal; `nil` with an interpolation, or with escapes other than those of backslashes.
        fileprivate var pattern: String? {
            guard let text = plainText else { return nil }
            if openingPounds != nil { return text }
            var pattern = ""
            var rest = text[...]
            while let character = rest.popFirst() {
                if character == "\\", rest.popFirst() != "\\" { return nil }
                pattern.append(character)
            }
            return pattern
        }
    }

    extension Diagnostic {
        fileprivate static func textBound(
            _ property: PersistentProperty, option: String, type: TypeSyntax, at node: LabeledExprSyntax
        ) -> Diagnostic {
            let isText = type.lastName == "String"
            return Diagnostic(
                "textBound", at: node,
                message: isText
                    ? "the \(option) of the text '\(property.name)' is a length; write a number, such as '.\(option)(1)'"
                    : "the \(option) of '\(property.name)' is a text, but its type is '\(type)'; write a value of that type",
                fixIts: [.removeArgument(node, message: "remove the option")])
        }

        fileprivate static func regularExpression(
            _ property: PersistentProperty, fault: String, at node: Syntax
        ) -> Diagnostic {
            Diagnostic(
                "regularExpression", at: node,
                message:
                    "the regular expression of '\(property.name)' \(fault); close it, or write a backslash before it")
        }
    }

    /// **Value.** Finds parentheses and brackets of a regular expression that are not closed. Everything else is for the model
    /// to check, which knows the syntax: sets in sets, quoted text (`\Q…\E`), comments (`(?x)`).
    enum RegularExpressionText {
        /// Returns the fault, as the end of a sentence; `nil` if there is none.
        static func fault(in pattern: String) -> String? {
            if pattern.contains("(?") && pattern.contains("#") { return nil }
            var depth = 0
            var isInSet = false
            var characters = pattern[...]
            while let character = characters.popFirst() {
                switch character {
                case "\\": if characters.popFirst() == "Q" { return nil }
                case "[":
                    if isInSet || characters.hasPrefix("]") || characters.hasPrefix("^]") { return nil }
                    isInSet = true
                case "]": isInSet = false
                case "(" where !isInSet: depth += 1
                case ")" where !isInSet:
                    depth -= 1
                    if depth < 0 { return "has a ')' without a '('" }
                default: break
                }
            }
            if isInSet { return "has a '[' without a ']'" }
            return depth > 0 ? "has a '(' without a ')'" : nil
        }
    }
#endif
