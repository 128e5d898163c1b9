#if Macros
    import SwiftSyntax

    /// **Value.** An array of key paths in `#Unique` or `#Index`, as the names of properties.
    struct PropertyGroup {
        let names: [String]

        /// Returns `nil` unless the expression is an array of key paths to properties of the object itself.
        init?(_ expression: ExprSyntax) {
            guard let elements = expression.as(ArrayExprSyntax.self)?.elements, !elements.isEmpty else { return nil }
            names = elements.compactMap { $0.expression.as(KeyPathExprSyntax.self)?.propertyName }
            if names.count != elements.count { return nil }
        }
    }
#endif
