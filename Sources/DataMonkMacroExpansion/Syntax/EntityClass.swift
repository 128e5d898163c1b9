#if Macros
    import SwiftSyntax

    /// **Value.** The description of an entity in the source of an `@Entity` class.
    ///
    /// Only the syntax is known here. The compiler and the model determine from the generated code whether a property is an
    /// attribute or a relationship, and whether a superclass has an entity.
    struct EntityClass {
        let declaration: ClassDeclSyntax
        let properties: [PersistentProperty]

        init(_ declaration: ClassDeclSyntax) {
            self.declaration = declaration
            properties = declaration.memberBlock.members.compactMap { member in
                member.decl.as(VariableDeclSyntax.self).flatMap(PersistentProperty.init)
            }
            // Code that mentions them would only add errors in the expansion.
            .filter { !ReservedNames.all.contains($0.name) }
        }

        /// The name of the class as a string.
        var name: String { declaration.name.plainText }

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

        /// Returns the expression to add to a property's number to get its slot: the slot after the superclass's properties.
        ///
        /// `nil` for a direct subclass of the base class, so that most classes have plain numbers.
        static func firstSlot(in declaration: ClassDeclSyntax) -> String? {
            superclass(of: declaration).map { "\($0).endOfProperties(of: \($0).self)" }
        }

        /// The superclass; `nil` for a direct subclass of the base class.
        var superclass: TypeSyntax? { Self.superclass(of: declaration) }

        private static func superclass(of declaration: ClassDeclSyntax) -> TypeSyntax? {
            guard let superclass = declaration.inheritanceClause?.inheritedTypes.first?.type.trimmed,
                superclass.lastName != "ManagedObject"
            else { return nil }
            return superclass
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
