#if Macros
    package import SwiftSyntax
    import SwiftSyntaxBuilder
    package import SwiftSyntaxMacros

    /// **Value.** `@ManagedProperty(2)`, which `@Entity` adds to each property: accessors for the object's row.
    package protocol ManagedPropertyExpansion: WrittenMacro, AccessorMacro {}

    extension ManagedPropertyExpansion {
        package static func expansion(
            of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) -> [AccessorDeclSyntax] {
            guard let number = node.labeledArguments.first?.expression.trimmed,
                let group = context.lexicalContext.first?.asProtocol((any DeclGroupSyntax).self),
                let entity = EntityClass(group)
            else { return [] }
            if "\(number)" == "\(PersistentProperty.unusableNumber)" {
                // Never runs: the property was reported as an error, and without accessors others would follow.
                return ["    get { fatalError() }", "    set {}"]
            }
            let slot = entity.firstSlot.map { "\($0) + \(number)" } ?? "\(number)"
            if let property = declaration.as(VariableDeclSyntax.self).flatMap(PersistentProperty.init),
                property.isCodable
            {
                let standard = property.requiredDefault.map { ", default: \($0)" } ?? ""
                return [
                    "    get { codableProperty(at: \(raw: slot)\(raw: standard)) }",
                    "    set { setCodableProperty(newValue, at: \(raw: slot)) }",
                ]
            }
            return [
                "    get { property(at: \(raw: slot)) }",
                "    set { setProperty(newValue, at: \(raw: slot)) }",
            ]
        }
    }

    extension PersistentProperty {
        /// The initial value of a property that is not optional.
        fileprivate var requiredDefault: ExprSyntax? { type?.wrappedType == nil ? initialValue : nil }
    }
#endif
