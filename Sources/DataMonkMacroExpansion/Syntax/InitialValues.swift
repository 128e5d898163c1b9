#if Macros
    import SwiftSyntax
    import SwiftSyntaxBuilder

    extension ExprSyntax {
        /// The type that a declaration without an annotation certainly has with this initial value.
        ///
        /// Literals and calls without arguments are certain. Arguments make the type uncertain: `Int("3")` is an optional.
        var evidentType: TypeSyntax? {
            switch kind {
            case .stringLiteralExpr: return "String"
            case .integerLiteralExpr: return "Int"
            case .floatLiteralExpr: return "Double"
            case .booleanLiteralExpr: return "Bool"
            case .prefixOperatorExpr: return `as`(PrefixOperatorExprSyntax.self)?.negatedType
            case .functionCallExpr: return constructedType
            default: return nil
            }
        }

        /// The type that a call with arguments has if the types are Foundation's or Swift's own.
        var likelyType: String? {
            guard let call = `as`(FunctionCallExprSyntax.self), let first = call.arguments.first,
                let name = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
            else { return nil }
            switch (name, first.label?.text) {
            case ("URL", "string"), ("UUID", "uuidString"), ("Decimal", "string"), ("Data", "base64Encoded"):
                return "\(name)?"
            case ("Int", nil) where first.expression.is(StringLiteralExprSyntax.self),
                ("Double", nil) where first.expression.is(StringLiteralExprSyntax.self):
                return "\(name)?"
            case ("Date", _?), ("URL", "filePath"), ("URL", "fileURLWithPath"), ("UUID", "uuid"), ("Data", nil):
                return name
            case ("String", nil): return name
            default: return nil
            }
        }

        var isNil: Bool { `is`(NilLiteralExprSyntax.self) }

        /// A Boolean value indicating whether this is `[]`, `Set()`, `[Person]()` or similar.
        var isEmptyCollection: Bool {
            if let array = `as`(ArrayExprSyntax.self) { return array.elements.isEmpty }
            return `as`(FunctionCallExprSyntax.self)?.hasArguments == false
        }

        /// Returns `true` if each evaluation yields a different value by design: `Date()`, `.now`, `UUID()`.
        func changes(asA type: TypeSyntax?) -> Bool {
            let name = (type?.wrappedType ?? type)?.lastName
            guard name == "Date" || name == "UUID" else { return false }
            if let call = `as`(FunctionCallExprSyntax.self) { return !call.hasArguments }
            return `as`(MemberAccessExprSyntax.self)?.declName.baseName.text == "now"
        }

        private static var typesWithEmptyInitializer: Set<String> {
            ["Bool", "Data", "Date", "Decimal", "Double", "Float", "Int", "Int16", "Int32", "Int64", "String", "UUID"]
        }

        private var constructedType: TypeSyntax? {
            guard let call = `as`(FunctionCallExprSyntax.self), !call.hasArguments else { return nil }
            let callee = call.calledExpression
            if let name = callee.as(DeclReferenceExprSyntax.self)?.baseName.text {
                return Self.typesWithEmptyInitializer.contains(name) ? "\(raw: name)" : nil
            }
            let isCollection = callee.is(ArrayExprSyntax.self) || callee.is(GenericSpecializationExprSyntax.self)
            return isCollection ? "\(raw: callee.trimmedDescription)" : nil
        }
    }

    extension PrefixOperatorExprSyntax {
        fileprivate var negatedType: TypeSyntax? {
            guard `operator`.text == "-" else { return nil }
            switch expression.kind {
            case .integerLiteralExpr: return "Int"
            case .floatLiteralExpr: return "Double"
            default: return nil
            }
        }
    }

    extension FunctionCallExprSyntax {
        fileprivate var hasArguments: Bool { !arguments.isEmpty || trailingClosure != nil }
    }
#endif
