#if Macros
    import SwiftSyntax

    /// **Value.** The description of an entity in the source of an `@Entity` class, or of an `@EntityProperties` extension.
    ///
    /// Only the syntax is known here. The compiler and the model determine from the generated code whether a property is an
    /// attribute or a relationship, and whether a superclass has an entity.
    struct EntityClass {
        let declaration: any DeclGroupSyntax
        /// The class, as code.
        let type: String
        /// The name of the class as a string.
        let name: String
        /// The superclass; `nil` for a direct subclass of the base class.
        let superclass: String?
        let properties: [PersistentProperty]

        /// Returns `nil` for a declaration that is neither a class nor an extension.
        init?(_ declaration: some DeclGroupSyntax) {
            if let classDeclaration = declaration.as(ClassDeclSyntax.self) {
                type = classDeclaration.name.trimmed.text
                name = classDeclaration.name.plainText
                superclass = Self.superclass(of: classDeclaration)
            } else if let extended = declaration.as(ExtensionDeclSyntax.self) {
                type = extended.extendedType.trimmedDescription
                name = extended.extendedType.lastName ?? type
                superclass = extended.attributes.attribute(named: "EntityProperties")?.superclass
            } else {
                return nil
            }
            self.declaration = declaration
            properties = declaration.memberBlock.members.compactMap { member in
                member.decl.as(VariableDeclSyntax.self).flatMap(PersistentProperty.init)
            }
            // Code that mentions them would only add errors in the expansion.
            .filter { !ReservedNames.all.contains($0.name) }
        }

        /// Returns the groups of property names in the class's `#Unique` or `#Index` lines.
        func groups(of macroName: String) -> [PropertyGroup] {
            declaration.memberBlock.members.flatMap { member -> [PropertyGroup] in
                guard let expansion = member.decl.as(MacroExpansionDeclSyntax.self),
                    expansion.macroName.text == macroName
                else { return [] }
                return expansion.arguments.compactMap { PropertyGroup($0.expression) }
            }
        }

        /// Returns `true` if the class has a method with this name. An override must be in the class itself.
        func overrides(_ methodName: String) -> Bool {
            declaration.memberBlock.members.contains { $0.mentions(methodName) }
        }

        /// The expression to add to a property's number to get its slot: the slot after the superclass's properties.
        ///
        /// `nil` for a direct subclass of the base class, so that most classes have plain numbers.
        var firstSlot: String? { superclass.map { "\($0).endOfProperties(of: \($0).self)" } }

        private static func superclass(of declaration: ClassDeclSyntax) -> String? {
            guard let superclass = declaration.inheritanceClause?.inheritedTypes.first?.type.trimmed,
                superclass.lastName != "ManagedObject"
            else { return nil }
            return "\(superclass)"
        }
    }

    extension AttributeSyntax {
        /// `Person` for the argument `superclass: Person.self`.
        fileprivate var superclass: String? {
            let argument = labeledArguments.first { $0.label?.text == "superclass" }?.expression
            return argument?.as(MemberAccessExprSyntax.self)?.base?.trimmedDescription
        }
    }

    extension MemberBlockItemSyntax {
        /// Returns `true` if the member is the method, or contains it in a branch of an `#if`.
        fileprivate func mentions(_ methodName: String) -> Bool {
            if let branches = decl.as(IfConfigDeclSyntax.self) {
                return branches.clauses.contains { clause in
                    clause.elements?.as(MemberBlockItemListSyntax.self)?.contains { $0.mentions(methodName) } ?? false
                }
            }
            return decl.as(FunctionDeclSyntax.self)?.name.text == methodName
        }
    }
#endif
