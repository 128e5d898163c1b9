#if Macros
    import SwiftSyntax

    /// **Value.** A `var` of an `@Entity` class that becomes a property of the entity.
    struct PersistentProperty {
        /// The number of a property that cannot be kept. It gets accessors all the same, so that the reason is the only error.
        static let unusableNumber = -1

        let variable: VariableDeclSyntax
        let binding: PatternBindingSyntax
        /// The property's name, without backticks.
        let name: String
        let attribute: AttributeSyntax?
        let relationship: AttributeSyntax?
        let isTransient: Bool

        /// Returns `nil` for a variable that is not a persistent property: a computed, static or lazy one.
        ///
        /// A variable that should be persistent but is written incorrectly still counts, so that one error does not cause
        /// others; `problems` reports it.
        init?(_ variable: VariableDeclSyntax) {
            guard Self.isPersistent(variable), let binding = variable.bindings.first,
                let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
            else { return nil }
            self.variable = variable
            self.binding = binding
            name = pattern.identifier.plainText
            attribute = variable.attributes.attribute(named: "Attribute")
            relationship = variable.attributes.attribute(named: "Relationship")
            isTransient = variable.attributes.attribute(named: "Transient") != nil
        }

        /// The declared type, or the one determined by a literal initial value.
        ///
        /// Computed: an expansion for one property makes the list of all, and needs the types of few.
        var type: TypeSyntax? {
            binding.typeAnnotation?.type.settingOptional ?? binding.initializer?.value.evidentType
        }

        /// A Boolean value indicating whether the property is marked `@Attribute(.codable)`.
        var isCodable: Bool {
            attribute?.labeledArguments.contains { argument in
                argument.label == nil
                    && argument.expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "codable"
            } ?? false
        }

        /// `Person` for a property of the type `Set<Person>` or `[Person]` that is a to-many relationship, else `nil`.
        var toManyElement: TypeSyntax? { isCodable ? nil : type?.elementType }

        var initialValue: ExprSyntax? { binding.initializer?.value.trimmed }

        /// The argument of `@Relationship(inverse:)`: a key path or a name.
        var inverse: LabeledExprSyntax? { relationship?.labeledArguments.first { $0.label?.text == "inverse" } }

        /// The name of the inverse relationship.
        var inverseName: String? {
            let expression = inverse?.expression
            return expression?.as(KeyPathExprSyntax.self)?.propertyName
                ?? expression?.as(StringLiteralExprSyntax.self)?.plainText
        }

        static func isPersistent(_ variable: VariableDeclSyntax) -> Bool {
            let keywords = variable.modifiers.map(\.name.tokenKind)
            guard !keywords.contains(.keyword(.static)), !keywords.contains(.keyword(.class)),
                !keywords.contains(.keyword(.lazy))
            else { return false }
            return variable.bindings.contains { $0.accessorBlock == nil || $0.hasObservers }
        }
    }

    extension PatternBindingSyntax {
        /// A Boolean value indicating whether the accessor block contains `willSet` or `didSet`, as only stored properties
        /// do.
        var hasObservers: Bool { observer != nil }

        /// The first `willSet` or `didSet`.
        var observer: AccessorDeclSyntax? {
            guard case .accessors(let accessors) = accessorBlock?.accessors else { return nil }
            return accessors.first {
                [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
            }
        }
    }
#endif
