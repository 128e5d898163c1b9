#if Macros
    import SwiftSyntax
    import SwiftSyntaxBuilder

    extension TypeSyntax {
        /// `Person` for both `Person` and `Kingdom.Person`.
        var lastName: String? {
            `as`(IdentifierTypeSyntax.self)?.name.plainText ?? `as`(MemberTypeSyntax.self)?.name.plainText
        }

        /// The type with `T!` written as `T?`, which is its stored type.
        var settingOptional: TypeSyntax {
            guard let unwrapped = `as`(ImplicitlyUnwrappedOptionalTypeSyntax.self) else { return trimmed }
            return "\(unwrapped.wrappedType.trimmed)?"
        }

        /// `Person` for `Person?` and `Optional<Person>`; `nil` for other types.
        var wrappedType: TypeSyntax? {
            if let optional = `as`(OptionalTypeSyntax.self) { return optional.wrappedType.trimmed }
            return genericArgument(of: "Optional")
        }

        /// `Person` for `Set<Person>`, `[Person]` and `Array<Person>`; `nil` for other types.
        var elementType: TypeSyntax? {
            if let array = `as`(ArrayTypeSyntax.self) { return array.element.trimmed }
            return genericArgument(of: "Set") ?? genericArgument(of: "Array")
        }

        private func genericArgument(of name: String) -> TypeSyntax? {
            guard let identifier = `as`(IdentifierTypeSyntax.self), identifier.name.text == name,
                case .type(let argument) = identifier.genericArgumentClause?.arguments.first?.argument
            else { return nil }
            return argument.trimmed
        }
    }
#endif
