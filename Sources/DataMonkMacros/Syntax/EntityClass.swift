#if Macros
    import SwiftSyntax

    /// **Value.** What the source of an `@Entity` class says of its entity.
    ///
    /// Only syntax is known here. Whether a property is an attribute or a relationship, and whether a superclass has an
    /// entity, the compiler and the model find out from the code this is turned into.
    struct EntityClass {
        let declaration: ClassDeclSyntax
        let properties: [PersistentProperty]

        init(_ declaration: ClassDeclSyntax) {
            self.declaration = declaration
            properties = declaration.memberBlock.members.compactMap { member in
                member.decl.as(VariableDeclSyntax.self).flatMap(PersistentProperty.init)
            }
        }

        /// The class's name as text.
        var name: String { declaration.name.plainText }

        /// Groups of property names that the class's `#Unique` or `#Index` lines give.
        func groups(of macroName: String) -> [PropertyGroup] {
            declaration.memberBlock.members.flatMap { member -> [PropertyGroup] in
                guard let expansion = member.decl.as(MacroExpansionDeclSyntax.self),
                    expansion.macroName.text == macroName
                else { return [] }
                return expansion.arguments.compactMap { PropertyGroup($0.expression) }
            }
        }

        /// Whether the class has a method of that name; an override stands in the class itself.
        func overrides(_ methodName: String) -> Bool {
            declaration.memberBlock.members.contains { $0.mentions(methodName) }
        }

        /// What to add to a property's number to get its slot: the place where the superclass's properties end.
        ///
        /// Nil for a class directly below the base of all, so that most classes have plain numbers.
        static func firstSlot(in declaration: ClassDeclSyntax) -> String? {
            superclass(of: declaration).map { "\($0).endOfProperties(of: \($0).self)" }
        }

        /// The superclass; nil for a class directly below the base of all.
        var superclass: TypeSyntax? { Self.superclass(of: declaration) }

        private static func superclass(of declaration: ClassDeclSyntax) -> TypeSyntax? {
            guard let superclass = declaration.inheritanceClause?.inheritedTypes.first?.type.trimmed,
                superclass.lastName != "ManagedObject"
            else { return nil }
            return superclass
        }
    }

    extension MemberBlockItemSyntax {
        /// Whether the member is the method, or has it in one of the branches of an `#if`.
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
