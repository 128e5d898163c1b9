#if Macros
    import SwiftSyntax

    extension PersistentProperty {
        /// The arguments of `PropertyDeclaration.property` for this property; `nil` if its type is unknown.
        ///
        /// The same text serves attributes and relationships, because the function is overloaded on the type.
        var propertyDeclaration: String? {
            // The obstacle is the error to report; code with the property would only add others.
            guard let type, obstacle == nil else { return nil }
            var arguments = ["\"\(name)\"", isCodable ? "codable: \(type).self" : "\(type).self"]
            if let initialValue, !initialValue.isNil, toManyElement == nil {
                arguments.append("default: \(initialValue)")
            }
            let options = optionNames
            if !options.isEmpty { arguments.append("options: [\(options.joined(separator: ", "))]") }
            return ".property(\((arguments + labeledArguments).joined(separator: ", ")))"
        }

        private var settings: [LabeledExprSyntax] {
            (attribute?.labeledArguments ?? []) + (relationship?.labeledArguments ?? [])
        }

        private var optionNames: [String] {
            let given = settings.filter { $0.label == nil }.map(\.expression.trimmedDescription)
            return isTransient && !given.contains(".transient") ? given + [".transient"] : given
        }

        /// The arguments in the order of the source. The macros' own signatures make it the order of `property`.
        private var labeledArguments: [String] {
            let named = settings.filter { argument in
                guard let label = argument.label?.text else { return false }
                return label != "userInfo" && Self.notesByLabel[label] == nil
            }
            let texts = named.compactMap { argument in
                guard argument.label?.text == "inverse" else { return argument.argumentText }
                return inverseName.map { "inverse: \"\($0)\"" }
            }
            return texts + (userInfo.map { ["userInfo: \($0)"] } ?? [])
        }

        /// The arguments that stand for a key of user info.
        private static let notesByLabel = ["importedFrom": "mappedKeyName", "relatedBy": "relatedByAttribute"]

        /// The expression of the user info; `nil` without any.
        private var userInfo: String? {
            let given = settings.first { $0.label?.text == "userInfo" }?.expression.trimmedDescription
            let notes = settings.compactMap { argument in
                argument.label.flatMap { Self.notesByLabel[$0.text] }.map { (key: $0, value: argument.expression) }
            }
            if notes.isEmpty { return given }
            let pairs = notes.map { "\"\($0.key)\": \($0.value.trimmedDescription)" }.joined(separator: ", ")
            if given == nil, notes.allSatisfy({ $0.value.is(StringLiteralExprSyntax.self) }) { return "[\(pairs)]" }
            // An argument may be nil, and user info any expression.
            let values = "([\(pairs)] as [String: String?]).compactMapValues { $0 }"
            return given.map { "(\($0) as [String: String]).merging(\(values)) { $1 }" } ?? values
        }
    }

    extension LabeledExprSyntax {
        /// The label and the value, without the comma and the surrounding whitespace.
        var argumentText: String {
            (label.map { "\($0.text): " } ?? "") + expression.trimmedDescription
        }
    }
#endif
