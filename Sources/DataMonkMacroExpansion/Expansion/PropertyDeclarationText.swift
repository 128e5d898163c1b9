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
            settings.filter { $0.label != nil }.compactMap { argument in
                guard argument.label?.text == "inverse" else { return argument.argumentText }
                return inverseName.map { "inverse: \"\($0)\"" }
            }
        }
    }

    extension LabeledExprSyntax {
        /// The label and the value, without the comma and the surrounding whitespace.
        var argumentText: String {
            (label.map { "\($0.text): " } ?? "") + expression.trimmedDescription
        }
    }
#endif
