#if Macros
    import SwiftCompilerPlugin
    import SwiftSyntaxMacros

    /// **Value.** What the compiler asks for the macros.
    @main
    struct Plugin: CompilerPlugin {
        let providingMacros: [any Macro.Type] = [
            EntityMacro.self, ManagedPropertyMacro.self, PropertyMarkerMacro.self, PropertyGroupMacro.self,
        ]
    }
#else
    /// **Value.** Without the trait `Macros` there is nothing to plug in.
    @main
    struct Plugin {
        static func main() {}
    }
#endif
