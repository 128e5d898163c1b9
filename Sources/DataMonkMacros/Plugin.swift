#if Macros
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
#else
    /// **Value.** A placeholder: without the trait `Macros` there is no plugin.
    @main
    struct Plugin {
        static func main() {}
    }
#endif
