#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    extension DeclGroupSyntax {
        /// Returns every problem that prevents this declaration from being an entity's class.
        func problems(asEntityOf node: AttributeSyntax, in surroundings: [Syntax]) -> [Diagnostic] {
            guard let declaration = self.as(ClassDeclSyntax.self) else { return [.notAClass(self, at: node)] }
            let entity = EntityClass(declaration)
            return declaration.headerProblems(in: surroundings)
                + declaration.memberProblems
                + entity.properties.flatMap(\.relationshipProblems)
                + entity.doubledInverses
        }
    }

    extension ClassDeclSyntax {
        fileprivate func headerProblems(in surroundings: [Syntax]) -> [Diagnostic] {
            var problems: [Diagnostic] = []
            if inheritanceClause == nil { problems.append(.noSuperclass(self)) }
            if let generics = genericParameterClause { problems.append(.generic(self, at: generics)) }
            if surroundings.contains(where: \.isGenericType) { problems.append(.nestedInGeneric(self)) }
            if let actor = attributes.attribute(named: "MainActor") { problems.append(.isolated(self, at: actor)) }
            if let sendable = inheritanceClause?.inheritedTypes.first(where: \.isSendable) {
                problems.append(.sendable(self, at: sendable))
            }
            return problems
        }

        fileprivate var memberProblems: [Diagnostic] {
            memberBlock.members.flatMap { member -> [Diagnostic] in
                if let initializer = member.decl.as(InitializerDeclSyntax.self), !initializer.isRequired {
                    return [.initializer(self, at: initializer)]
                }
                if let condition = member.decl.as(IfConfigDeclSyntax.self) {
                    return condition.persistentProperties.map(Diagnostic.conditional)
                }
                guard let variable = member.decl.as(VariableDeclSyntax.self),
                    PersistentProperty.isPersistent(variable)
                else { return [] }
                return variable.problems(in: self)
            }
        }
    }

    extension Syntax {
        fileprivate var isGenericType: Bool {
            asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
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
            let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name.plainText ?? "it"
            return Diagnostic(
                "notAClass", at: node,
                message: """
                    @Entity can only be applied to a class that inherits from ManagedObject; '\(name)' is declared as \
                    '\(keyword.text)'
                    """,
                fixIts: [.replace(keyword, with: "final class", message: "make '\(name)' a class")])
        }

        fileprivate static func noSuperclass(_ declaration: ClassDeclSyntax) -> Diagnostic {
            let name = declaration.name.plainText
            return Diagnostic(
                "noSuperclass", at: declaration.name,
                message: "the entity class '\(name)' needs a superclass: ManagedObject or another entity class",
                fixIts: [.insert(": ManagedObject", after: declaration.name, message: "inherit from ManagedObject")])
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

        fileprivate static func sendable(_ declaration: ClassDeclSyntax, at node: InheritedTypeSyntax) -> Diagnostic {
            Diagnostic(
                "sendable", at: node.type,
                message: """
                    the entity class '\(declaration.name.plainText)' cannot be Sendable, because its objects cannot leave \
                    their context; pass their 'objectID' instead
                    """)
        }

        fileprivate static func initializer(_ declaration: ClassDeclSyntax, at node: InitializerDeclSyntax)
            -> Diagnostic
        {
            let name = declaration.name.plainText
            return Diagnostic(
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
