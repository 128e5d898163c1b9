#if Macros
    import DataMonkMacroExpansion
    import SwiftCompilerPlugin
    import SwiftSyntaxMacros

    /// **Value.** The compiler plugin that provides the macros.
    @main
    struct Plugin: CompilerPlugin {
        let providingMacros: [any Macro.Type] = [
            EntityMacro.self, EntityPropertiesMacro.self, ManagedPropertyMacro.self, PropertyMarkerMacro.self,
            PropertyGroupMacro.self,
        ]
    }

    // The compiler asks for macros by the name of this module, so they are types of this module.

    /// **Value.** `@Entity`.
    struct EntityMacro: EntityExpansion {}
    /// **Value.** `@EntityProperties`.
    struct EntityPropertiesMacro: EntityPropertiesExpansion {}
    /// **Value.** `@ManagedProperty`.
    struct ManagedPropertyMacro: ManagedPropertyExpansion {}
    /// **Value.** `@Attribute`, `@Relationship` and `@Transient`.
    struct PropertyMarkerMacro: PropertyMarkerExpansion {}
    /// **Value.** `#Unique` and `#Index`.
    struct PropertyGroupMacro: PropertyGroupExpansion {}
#else
    /// **Value.** A placeholder: without the trait `Macros` there is no plugin.
    @main
    struct Plugin {
        static func main() {}
    }
#endif
