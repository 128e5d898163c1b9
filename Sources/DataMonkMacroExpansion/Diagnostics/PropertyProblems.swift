#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    extension VariableDeclSyntax {
        /// Returns every problem that prevents this stored variable from being a persistent property.
        var problems: [Diagnostic] {
            guard let property = PersistentProperty(self) else {
                return [.severalVariables(self)]
            }
            if let obstacle = property.obstacle { return [obstacle] }
            return property.markerProblems + [property.valueProblem].compactMap(\.self) + property.optionProblems
        }
    }

    extension PersistentProperty {
        /// Returns the reason why the variable cannot have accessors at all, if there is one.
        var obstacle: Diagnostic? {
            if variable.bindings.count > 1 { return .severalVariables(variable) }
            if variable.bindingSpecifier.tokenKind == .keyword(.let) { return .constant(self) }
            if let observer = binding.observer { return .observer(self, at: observer) }
            if let reference = variable.modifiers.first(where: \.isReferenceStrength) {
                return .reference(self, at: reference)
            }
            if let override = variable.modifiers.first(where: { $0.name.tokenKind == .keyword(.override) }) {
                return .override(self, at: override)
            }
            if ReservedNames.all.contains(name) { return .reservedName(self) }
            return typeProblem ?? attributeProblem
        }

        /// A Boolean value indicating whether accessors would be accepted, whatever else is wrong.
        var canHaveAccessors: Bool {
            variable.bindings.count == 1 && variable.bindingSpecifier.tokenKind == .keyword(.var)
                && binding.observer == nil && binding.typeAnnotation != nil
                && !variable.modifiers.contains { $0.isReferenceStrength || $0.name.tokenKind == .keyword(.override) }
        }

        /// The problem with the type and the initial value, if there is one.
        fileprivate var valueProblem: Diagnostic? {
            guard let type else { return .noType(self) }
            if isCodable, initialValue == nil, type.wrappedType == nil { return .noCodableDefault(self) }
            guard let initialValue, let original = binding.initializer else { return nil }
            if toManyElement != nil, !initialValue.isEmptyCollection {
                return .notEmpty(self, at: original)
            }
            if initialValue.changes(asA: type) { return .changingDefault(self, at: original) }
            return nil
        }
    }

    extension PersistentProperty {
        /// `born: Date?` for `born = Date()`.
        fileprivate var optionalWithoutValue: String? {
            guard let type else { return nil }
            return "\(binding.pattern.trimmedDescription): \(type.withoutOptional)?"
        }
    }

    extension VariableDeclSyntax {
        /// The declaration with a line for each variable; `nil` if one of them is a pattern, or only the last has a type.
        fileprivate var separateDeclarations: String? {
            let all = Array(bindings)
            guard all.count > 1,
                all.allSatisfy({ $0.pattern.is(IdentifierPatternSyntax.self) && $0.accessorBlock == nil }),
                all.allSatisfy({ $0.typeAnnotation != nil || $0.initializer?.value.evidentType != nil })
            else { return nil }
            let start = "\(attributes)\(modifiers)\(bindingSpecifier.trimmed) "
            let head = String(start.drop { $0.isWhitespace })
            let indentation =
                leadingTrivia.description.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
            return all.map { head + $0.with(\.trailingComma, nil).trimmedDescription }.joined(
                separator: "\n\(indentation)")
        }
    }

    extension DeclModifierSyntax {
        fileprivate var isReferenceStrength: Bool {
            [.keyword(.weak), .keyword(.unowned)].contains(name.tokenKind)
        }
    }

    extension Diagnostic {
        fileprivate static func severalVariables(_ variable: VariableDeclSyntax) -> Diagnostic {
            Diagnostic(
                "severalVariables", at: variable,
                message: "each property of an entity needs a declaration of its own; write one 'var' per line",
                fixIts: variable.separateDeclarations.map {
                    [.replace(variable, with: $0, message: "write a 'var' for each")]
                } ?? [])
        }

        fileprivate static func constant(_ property: PersistentProperty) -> Diagnostic {
            let keyword = property.variable.bindingSpecifier
            return Diagnostic(
                "constant", at: keyword,
                message: "'\(property.name)' is set when its object is read from the store, so it cannot be a 'let'; "
                    + "make it 'private(set) var' to keep others from setting it, or 'static let'",
                fixIts: [
                    .replace(keyword, with: "var", message: "make it a 'var'"),
                    .replace(keyword, with: "private(set) var", message: "make it a 'private(set) var'"),
                ])
        }

        fileprivate static func observer(_ property: PersistentProperty, at node: AccessorDeclSyntax) -> Diagnostic {
            let keyword = node.accessorSpecifier
            return Diagnostic(
                "observer", at: keyword,
                message: "'\(property.name)' is a persistent property, so it cannot have '\(keyword.text)'; "
                    + "add a computed property that sets '\(property.name)' and does the rest")
        }

        fileprivate static func reference(_ property: PersistentProperty, at node: DeclModifierSyntax) -> Diagnostic {
            Diagnostic(
                "reference", at: node,
                message: """
                    '\(property.name)' cannot be '\(node.name.text)', because the context manages relationships, which \
                    retain nothing
                    """,
                fixIts: [.remove(node, message: "remove '\(node.name.text)'")])
        }

        fileprivate static func override(_ property: PersistentProperty, at node: DeclModifierSyntax) -> Diagnostic {
            Diagnostic(
                "override", at: node,
                message: "'\(property.name)' is a property of the superentity, so it cannot be declared again, "
                    + "only overridden by a computed property")
        }

        fileprivate static func reservedName(_ property: PersistentProperty) -> Diagnostic {
            Diagnostic(
                "reservedName", at: property.binding.pattern,
                message: "managed objects use the name '\(property.name)' themselves; choose another name")
        }

        fileprivate static func noType(_ property: PersistentProperty) -> Diagnostic {
            Diagnostic(
                "noType", at: property.binding.pattern,
                message: "the type of '\(property.name)' cannot be inferred from its initial value; declare it",
                fixIts: property.initialValue?.likelyType.map {
                    [.insert(": \($0)", after: property.binding.pattern, message: "declare it as '\($0)'")]
                } ?? [])
        }

        fileprivate static func noCodableDefault(_ property: PersistentProperty) -> Diagnostic {
            Diagnostic(
                "noCodableDefault", at: property.binding.pattern,
                message: """
                    '\(property.name)' needs an initial value, which it also has while its stored value cannot be read; \
                    add one, or make the property optional
                    """,
                fixIts: property.binding.typeAnnotation.map {
                    [.insert("?", after: $0.type, message: "make it optional")]
                } ?? [])
        }

        fileprivate static func notEmpty(
            _ property: PersistentProperty, at node: InitializerClauseSyntax
        ) -> Diagnostic {
            Diagnostic(
                "notEmpty", at: node.value,
                message:
                    "the to-many relationship '\(property.name)' is empty in a new object; remove its initial value",
                fixIts: [.remove(node, message: "remove the initial value")])
        }

        fileprivate static func changingDefault(
            _ property: PersistentProperty, at node: InitializerClauseSyntax
        ) -> Diagnostic {
            Diagnostic(
                "changingDefault", at: node.value,
                message: """
                    the initial value of '\(property.name)' would be computed only once, for the model, and be the same \
                    in every object; make the property optional or give it a constant, and set it in 'awakeFromInsert()'
                    """,
                fixIts: property.optionalWithoutValue.map {
                    [.replace(property.binding, with: $0, message: "make it optional, without an initial value")]
                } ?? [])
        }
    }
#endif
