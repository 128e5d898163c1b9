#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    extension PersistentProperty {
        /// The problem with a type that is certainly none of an attribute or a relationship. Code that mentions the type would
        /// only add errors in the expansion.
        var typeProblem: Diagnostic? {
            guard let type, !isCodable else { return nil }
            let plain = type.withoutOptional
            if let substitute = ValueTypes.substitute(for: plain) {
                return .unsupportedType(self, type: plain, use: substitute)
            }
            if ValueTypes.isCollectionOfValues(plain) { return .values(self, type: plain) }
            if ValueTypes.isCodable(plain) { return .codableType(self, type: plain) }
            if plain.isTuple || plain.is(FunctionTypeSyntax.self) { return .structureless(self, type: plain) }
            return nil
        }

        /// The problem of a property that is marked as a relationship and is an attribute.
        var attributeProblem: Diagnostic? {
            guard let relationship, let type, ValueTypes.isAttribute(type.withoutOptional) else { return nil }
            return .valueAsRelationship(self, at: relationship, type: type.withoutOptional)
        }

        /// The problems with markers that are written twice.
        var markerProblems: [Diagnostic] {
            ["Attribute", "Relationship"].compactMap { name in
                let markers = variable.attributes.compactMap { element -> AttributeSyntax? in
                    guard case .attribute(let attribute) = element, attribute.attributeName.lastName == name else {
                        return nil
                    }
                    return attribute
                }
                return markers.count > 1 ? .repeatedMarker(self, first: markers[0], second: markers[1]) : nil
            }
        }

        /// The changes that make the property a `Codable` attribute, and give it the value that it then needs.
        private var codableChanges: [FixIt.Change] {
            let start = variable.positionAfterSkippingLeadingTrivia
            var changes: [FixIt.Change] = []
            if let attribute {
                let arguments = ([".codable"] + attribute.labeledArguments.map(\.argumentText)).joined(separator: ", ")
                changes.append(
                    .replaceText(
                        range: attribute.positionAfterSkippingLeadingTrivia..<attribute.endPositionBeforeTrailingTrivia,
                        with: "@Attribute(\(arguments))", in: Syntax(attribute)))
            } else {
                changes.append(.replaceText(range: start..<start, with: "@Attribute(.codable) ", in: Syntax(variable)))
            }
            if initialValue == nil, let type, type.wrappedType == nil, let value = type.emptyValue {
                let end = binding.endPositionBeforeTrailingTrivia
                changes.append(.replaceText(range: end..<end, with: " = \(value)", in: Syntax(binding)))
            }
            return changes
        }

        fileprivate var codableFixIt: [FixIt] {
            // Without a value the property would only have the next error.
            let isComplete = type?.wrappedType != nil || initialValue != nil || type?.emptyValue != nil
            guard isComplete, !isTransient || relationship == nil else { return [] }
            return [
                FixIt(
                    message: EntityRemedy(id: "codable", message: "store it as JSON, by '@Attribute(.codable)'"),
                    changes: codableChanges)
            ]
        }
    }

    extension TypeSyntax {
        /// The literal for an empty collection of the type.
        fileprivate var emptyValue: String? {
            if isDictionary { return "[:]" }
            return elementType == nil ? nil : "[]"
        }
    }

    extension Diagnostic {
        private static func place(_ property: PersistentProperty) -> Syntax {
            Syntax(property.binding.typeAnnotation?.type) ?? Syntax(property.binding.pattern)
        }

        fileprivate static func unsupportedType(
            _ property: PersistentProperty, type: TypeSyntax, use substitute: String
        ) -> Diagnostic {
            let annotation = property.binding.typeAnnotation?.type
            let replacement = property.type?.wrappedType == nil ? substitute : "\(substitute)?"
            return Diagnostic(
                "unsupportedType", at: place(property),
                message:
                    "'\(property.name)' cannot have the type '\(type)', which stores do not know; use '\(substitute)'",
                fixIts: annotation.map { [.replace($0, with: replacement, message: "use '\(replacement)'")] } ?? [])
        }

        fileprivate static func values(_ property: PersistentProperty, type: TypeSyntax) -> Diagnostic {
            Diagnostic(
                "values", at: place(property),
                message: """
                    '\(property.name)' is a collection of values, which only an attribute with the option '.codable' can be; \
                    write '@Attribute(.codable)', or make an entity of the elements and a relationship to it
                    """,
                fixIts: ValueTypes.isCodable(type) ? property.codableFixIt : [])
        }

        fileprivate static func codableType(_ property: PersistentProperty, type: TypeSyntax) -> Diagnostic {
            Diagnostic(
                "codableType", at: place(property),
                message: """
                    '\(property.name)' cannot have the type '\(type)', which stores do not know; write '@Attribute(.codable)' \
                    to store it as JSON
                    """,
                fixIts: property.codableFixIt)
        }

        fileprivate static func structureless(_ property: PersistentProperty, type: TypeSyntax) -> Diagnostic {
            Diagnostic(
                "structureless", at: place(property),
                message: """
                    '\(property.name)' cannot have the type '\(type)', which has no stored form; use a property for each \
                    part, or a 'Codable' struct with '@Attribute(.codable)'
                    """)
        }

        fileprivate static func valueAsRelationship(
            _ property: PersistentProperty, at node: AttributeSyntax, type: TypeSyntax
        ) -> Diagnostic {
            Diagnostic(
                "valueAsRelationship", at: node,
                message: """
                    '\(property.name)' is an attribute, because '\(type)' is no entity's class; remove '@Relationship', or \
                    use '@Attribute' for its options
                    """,
                fixIts: [.remove(node, message: "remove '@Relationship'")])
        }

        fileprivate static func repeatedMarker(
            _ property: PersistentProperty, first: AttributeSyntax, second: AttributeSyntax
        ) -> Diagnostic {
            let name = second.attributeName.lastName ?? ""
            let arguments = first.labeledArguments + second.labeledArguments
            // Options come before what has a label, and each label in its place: only options can simply be joined.
            let areOptions = arguments.allSatisfy { $0.label == nil }
            let joined = "@\(name)(\(arguments.map(\.argumentText).joined(separator: ", ")))"
            let range = first.positionAfterSkippingLeadingTrivia..<second.endPositionBeforeTrailingTrivia
            return Diagnostic(
                "repeatedMarker", at: second,
                message:
                    "'\(property.name)' has '@\(name)' twice, and only the first would count; write all options in one",
                fixIts: areOptions && property.variable.attributes.count == 2
                    ? [
                        FixIt(
                            message: EntityRemedy(id: "join", message: "join them"),
                            changes: [.replaceText(range: range, with: joined, in: Syntax(property.variable))])
                    ] : [])
        }
    }
#endif
