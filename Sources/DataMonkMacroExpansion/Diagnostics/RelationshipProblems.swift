#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    extension PersistentProperty {
        /// The problems with the property as a relationship or an attribute, as it is marked.
        var relationshipProblems: [Diagnostic] {
            var problems: [Diagnostic] = []
            if typeProblem != nil || attributeProblem != nil { return problems }
            if let attribute, toManyElement != nil {
                problems.append(.toManyAttribute(self, at: attribute))
            } else if let attribute, relationship != nil {
                problems.append(.twoKinds(self, at: attribute))
            }
            if let collection = type?.wrappedType, collection.elementType != nil, !isCodable {
                problems.append(.optionalToMany(self, collection: collection))
            }
            guard relationship != nil, let type else { return problems }
            if type.wrappedType == nil, toManyElement == nil {
                problems.append(.requiredToOne(self, type: type))
            }
            if let value = binding.initializer, type.wrappedType != nil, !value.value.isNil {
                problems.append(.linked(self, at: value))
            }
            if let inverse, inverseName == nil, !inverse.expression.isNil {
                problems.append(.inverseIsNoProperty(self, at: inverse))
            }
            if let inverse, inverseName == name, inverse.expression.is(KeyPathExprSyntax.self) {
                problems.append(.circularInverse(self, at: inverse))
            }
            return problems
        }

        /// The destination class, as written.
        fileprivate var destination: TypeSyntax? { type?.wrappedType ?? type?.elementType }
    }

    extension EntityClass {
        /// Pairs of relationships of the class to itself that name each other. The second of each pair is reported.
        var doubledInverses: [Diagnostic] {
            properties.enumerated().compactMap { index, property in
                guard let inverse = property.inverse, let inverseName = property.inverseName,
                    property.destination?.lastName == name,
                    let first = properties[..<index].first(where: { $0.name == inverseName }),
                    first.destination?.lastName == name, first.inverseName == property.name
                else { return nil }
                return .doubledInverse(property, inverse: first, at: inverse)
            }
        }
    }

    extension Diagnostic {
        fileprivate static func toManyAttribute(_ property: PersistentProperty, at node: AttributeSyntax) -> Diagnostic
        {
            Diagnostic(
                "toManyAttribute", at: node,
                message: """
                    '\(property.name)' is a to-many relationship; mark it @Relationship, or add the option .codable to \
                    store Codable values
                    """,
                fixIts: [.replace(node.attributeName, with: "Relationship", message: "make it '@Relationship'")])
        }

        fileprivate static func twoKinds(_ property: PersistentProperty, at node: AttributeSyntax) -> Diagnostic {
            Diagnostic(
                "twoKinds", at: node,
                message: "'\(property.name)' is marked both @Attribute and @Relationship; remove one of them",
                fixIts: [.remove(node, message: "remove '@Attribute'")])
        }

        fileprivate static func optionalToMany(
            _ property: PersistentProperty, collection: TypeSyntax
        ) -> Diagnostic {
            let annotation = property.binding.typeAnnotation?.type
            // An initial value goes with the optional: it was nil, or an empty collection.
            let fixed = "\(property.binding.pattern.trimmed): \(collection)"
            return Diagnostic(
                "optionalToMany", at: Syntax(fromProtocol: annotation ?? collection),
                message: "the to-many relationship '\(property.name)' is never nil; write '\(collection)'",
                fixIts: [.replace(property.binding, with: fixed, message: "write '\(collection)'")])
        }

        fileprivate static func requiredToOne(_ property: PersistentProperty, type: TypeSyntax) -> Diagnostic {
            let annotation = property.binding.typeAnnotation?.type
            return Diagnostic(
                "requiredToOne", at: Syntax(fromProtocol: annotation ?? type),
                message: """
                    the to-one relationship '\(property.name)' is empty in a new object; write '\(type)?', and add the \
                    option '.required' if it must be set when the object is saved
                    """,
                fixIts: annotation.map { [.insert("?", after: $0, message: "make it optional")] } ?? [])
        }

        fileprivate static func linked(_ property: PersistentProperty, at node: InitializerClauseSyntax) -> Diagnostic {
            Diagnostic(
                "linked", at: node.value,
                message: "the relationship '\(property.name)' is empty in a new object; remove its initial value",
                fixIts: [.remove(node, message: "remove the initial value")])
        }

        fileprivate static func inverseIsNoProperty(
            _ property: PersistentProperty, at node: LabeledExprSyntax
        ) -> Diagnostic {
            let destination = property.destination.map { "\($0)" } ?? "Destination"
            return Diagnostic(
                "inverseIsNoProperty", at: node.expression,
                message: "the inverse of '\(property.name)' must be a property of '\(destination)' itself; "
                    + "write it as a key path: '\\\(destination).name'")
        }

        /// Explains the remedy. The compiler itself only reports a circular reference.
        fileprivate static func circularInverse(
            _ property: PersistentProperty, at node: LabeledExprSyntax
        ) -> Diagnostic {
            Diagnostic(
                "circularInverse", at: node.expression,
                message: "the compiler cannot resolve a key path from '\(property.name)' to itself; write the name: "
                    + "'inverse: \"\(property.name)\"'",
                fixIts: [.replace(node.expression, with: "\"\(property.name)\"", message: "write the name")])
        }

        fileprivate static func doubledInverse(
            _ property: PersistentProperty, inverse: PersistentProperty, at node: LabeledExprSyntax
        ) -> Diagnostic {
            Diagnostic(
                "doubledInverse", at: node,
                message:
                    "'\(inverse.name)' already names '\(property.name)' as its inverse; write 'inverse:' on one side only",
                notes: [
                    Note(
                        node: Syntax(inverse.inverse ?? node),
                        message: EntityNote(message: "'\(inverse.name)' names its inverse here"))
                ],
                fixIts: [.removeArgument(node, message: "remove 'inverse:' from '\(property.name)'")])
        }
    }
#endif
