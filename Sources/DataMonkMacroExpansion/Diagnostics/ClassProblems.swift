#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    extension DeclGroupSyntax {
        /// Returns every problem that prevents this declaration from being an entity's class.
        func problems(asEntityOf node: AttributeSyntax, in surroundings: [Syntax]) -> [Diagnostic] {
            guard let declaration = self.as(ClassDeclSyntax.self), let entity = EntityClass(declaration) else {
                return [.notAClass(self, at: node)]
            }
            return declaration.headerProblems(in: surroundings) + entity.problems
        }
    }

    extension EntityClass {
        /// The problems of the members.
        var problems: [Diagnostic] {
            memberProblems + properties.flatMap(\.relationshipProblems) + doubledInverses + nameProblems
        }
    }

    extension ClassDeclSyntax {
        fileprivate func headerProblems(in surroundings: [Syntax]) -> [Diagnostic] {
            var problems: [Diagnostic] = []
            if inheritanceClause == nil { problems.append(.noSuperclass(self)) }
            if let foreign = foreignSuperclass { problems.append(.foreignSuperclass(self, at: foreign)) }
            if let generics = genericParameterClause { problems.append(.generic(self, at: generics)) }
            if surroundings.contains(where: \.isGenericType) { problems.append(.nestedInGeneric(self)) }
            if let actor = attributes.attribute(named: "MainActor") { problems.append(.isolated(self, at: actor)) }
            if let types = inheritanceClause?.inheritedTypes, let sendable = types.first(where: \.isSendable) {
                problems.append(.sendable(self, at: sendable, after: types.first))
            }
            return problems
        }

    }

    extension EntityClass {
        fileprivate var memberProblems: [Diagnostic] {
            declaration.memberBlock.members.flatMap { member -> [Diagnostic] in
                if let initializer = member.decl.as(InitializerDeclSyntax.self), !initializer.isRequired {
                    return [.initializer(name, at: initializer)]
                }
                if let condition = member.decl.as(IfConfigDeclSyntax.self) {
                    return condition.persistentProperties.map(Diagnostic.conditional)
                }
                guard let variable = member.decl.as(VariableDeclSyntax.self),
                    PersistentProperty.isPersistent(variable)
                else { return [] }
                return variable.problems
            }
        }
    }

    extension ClassDeclSyntax {
        /// A superclass that is certainly no managed object.
        var foreignSuperclass: TypeSyntax? {
            guard let type = inheritanceClause?.inheritedTypes.first?.type, let name = type.lastName else { return nil }
            return ["NSObject", "NSManagedObject", "PersistentModel"].contains(name) ? type : nil
        }

        /// Removes an inherited type with the comma before it.
        fileprivate func fixIt(removing node: InheritedTypeSyntax, after first: InheritedTypeSyntax) -> FixIt? {
            guard node.id != first.id, node.trailingComma == nil else { return nil }
            let before = inheritanceClause?.inheritedTypes.dropLast().last ?? first
            return FixIt(
                message: EntityRemedy(id: "remove", message: "remove the conformance"),
                changes: [
                    .replaceText(
                        range: before.type.endPositionBeforeTrailingTrivia..<node.endPositionBeforeTrailingTrivia,
                        with: "",
                        in: Syntax(node))
                ])
        }
    }

    extension DeclGroupSyntax {
        /// Makes a struct or an actor the class of an entity, and removes the macro from an enum, which stays one.
        fileprivate func fixItForClass(at node: AttributeSyntax) -> FixIt? {
            if self.is(EnumDeclSyntax.self) { return .remove(node, message: "remove '@Entity'") }
            guard self.is(StructDeclSyntax.self) || self.is(ActorDeclSyntax.self), inheritanceClause == nil,
                !Syntax(self).isGenericType, !memberBlock.members.contains(where: \.decl.isForeignToEntityClasses),
                let name = asProtocol((any NamedDeclSyntax).self)?.name
            else { return nil }
            let start = introducer.positionAfterSkippingLeadingTrivia..<introducer.endPositionBeforeTrailingTrivia
            let end = name.endPositionBeforeTrailingTrivia
            return FixIt(
                message: EntityRemedy(id: "replace", message: "make '\(name.plainText)' a class"),
                changes: [
                    .replaceText(range: start, with: "final class", in: Syntax(introducer)),
                    .replaceText(range: end..<end, with: ": ManagedObject", in: Syntax(name)),
                ])
        }
    }

    extension Syntax {
        fileprivate var isGenericType: Bool {
            asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
        }
    }

    extension DeclSyntax {
        /// A Boolean value indicating whether the class of an entity cannot have this member: an initializer, or a function
        /// that changes a struct as a whole.
        fileprivate var isForeignToEntityClasses: Bool {
            let modifiers = asProtocol((any WithModifiersSyntax).self)?.modifiers
            return self.is(InitializerDeclSyntax.self)
                || modifiers?.contains { $0.name.tokenKind == .keyword(.mutating) } ?? false
        }
    }

    extension InheritedTypeSyntax {
        fileprivate var isSendable: Bool {
            let type = self.type.as(AttributedTypeSyntax.self)?.baseType ?? self.type
            return type.lastName == "Sendable"
        }
    }

    extension InitializerDeclSyntax {
        fileprivate var isRequired: Bool { modifiers.contains { $0.name.tokenKind == .keyword(.required) } }
    }

    extension IfConfigDeclSyntax {
        fileprivate var persistentProperties: [VariableDeclSyntax] {
            clauses.flatMap { clause -> [VariableDeclSyntax] in
                guard case .decls(let members) = clause.elements else { return [] }
                return members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
                    .filter(PersistentProperty.isPersistent)
            }
        }
    }

    extension Diagnostic {
        fileprivate static func notAClass(_ declaration: some DeclGroupSyntax, at node: AttributeSyntax) -> Diagnostic {
            let keyword = declaration.introducer
            guard let fixIt = declaration.fixItForClass(at: node) else {
                return .notAClass(declaration, keyword, at: node, fixIts: [])
            }
            return .notAClass(declaration, keyword, at: node, fixIts: [fixIt])
        }

        private static func notAClass(
            _ declaration: some DeclGroupSyntax, _ keyword: TokenSyntax, at node: AttributeSyntax, fixIts: [FixIt]
        ) -> Diagnostic {
            let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name.plainText ?? "it"
            return Diagnostic(
                "notAClass", at: node,
                message: """
                    @Entity can only be applied to a class that inherits from ManagedObject; '\(name)' is declared as \
                    '\(keyword.text)'\(declaration.is(EnumDeclSyntax.self) ? "; an attribute's enum conforms to ManagedAttribute" : "")
                    """,
                fixIts: fixIts)
        }

        static func notAnExtension(_ declaration: some DeclGroupSyntax, at node: AttributeSyntax) -> Diagnostic {
            Diagnostic(
                "notAnExtension", at: node,
                message: """
                    @EntityProperties can only be applied to an extension of a class that overrides 'entityDeclaration' and \
                    'keyNames'; use @Entity for a class with its properties
                    """,
                fixIts: declaration.is(ClassDeclSyntax.self)
                    ? [.replace(node.attributeName, with: "Entity", message: "make it '@Entity'")] : [])
        }

        fileprivate static func noSuperclass(_ declaration: ClassDeclSyntax) -> Diagnostic {
            let name = declaration.name.plainText
            return Diagnostic(
                "noSuperclass", at: declaration.name,
                message: "the entity class '\(name)' needs a superclass: ManagedObject or another entity class",
                fixIts: declaration.genericParameterClause == nil
                    ? [.insert(": ManagedObject", after: declaration.name, message: "inherit from ManagedObject")] : [])
        }

        fileprivate static func generic(
            _ declaration: ClassDeclSyntax, at node: GenericParameterClauseSyntax
        ) -> Diagnostic {
            Diagnostic(
                "generic", at: node,
                message: """
                    the entity class '\(declaration.name.plainText)' cannot be generic, because an entity has a single \
                    class; write a class for each case, with a common superclass
                    """)
        }

        fileprivate static func nestedInGeneric(_ declaration: ClassDeclSyntax) -> Diagnostic {
            Diagnostic(
                "nestedInGeneric", at: declaration.name,
                message:
                    "the entity class '\(declaration.name.plainText)' is nested in a generic type, so it is generic "
                    + "too; move it out of that type")
        }

        fileprivate static func isolated(_ declaration: ClassDeclSyntax, at node: AttributeSyntax) -> Diagnostic {
            Diagnostic(
                "isolated", at: node,
                message: """
                    the entity class '\(declaration.name.plainText)' cannot be isolated to the main actor, because its \
                    objects belong to their context, on the main actor or in an update
                    """,
                fixIts: [.remove(node, message: "remove '@MainActor'")])
        }

        fileprivate static func foreignSuperclass(_ declaration: ClassDeclSyntax, at node: TypeSyntax) -> Diagnostic {
            Diagnostic(
                "foreignSuperclass", at: node,
                message: """
                    the entity class '\(declaration.name.plainText)' cannot inherit from '\(node.trimmed)'; its superclass is \
                    ManagedObject or another entity class
                    """,
                fixIts: [.replace(node, with: "ManagedObject", message: "inherit from ManagedObject")])
        }

        fileprivate static func sendable(
            _ declaration: ClassDeclSyntax, at node: InheritedTypeSyntax, after first: InheritedTypeSyntax?
        ) -> Diagnostic {
            Diagnostic(
                "sendable", at: node.type,
                message: """
                    the entity class '\(declaration.name.plainText)' cannot be Sendable, because its objects cannot leave \
                    their context; pass their 'objectID' instead
                    """,
                fixIts: first.flatMap { declaration.fixIt(removing: node, after: $0) }.map { [$0] } ?? [])
        }

        fileprivate static func initializer(_ name: String, at node: InitializerDeclSyntax) -> Diagnostic {
            Diagnostic(
                "initializer", at: node.initKeyword,
                message: """
                    objects of the entity class '\(name)' are created with 'update.create(\(name).self)', never with an \
                    initializer; write a static function that has the update as a parameter, creates the object and sets \
                    its values
                    """)
        }

        fileprivate static func conditional(_ variable: VariableDeclSyntax) -> Diagnostic {
            Diagnostic(
                "conditional", at: variable,
                message: """
                    a persistent property cannot be declared inside '#if', because an entity has the same properties in \
                    every build; move it out, or make it computed
                    """)
        }
    }
#endif
