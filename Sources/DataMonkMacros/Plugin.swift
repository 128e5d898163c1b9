#if Macros
    import SwiftCompilerPlugin
    import SwiftSyntaxMacros

    @main
    struct Plugin: CompilerPlugin {
        let providingMacros: [any Macro.Type] = [
            EntityMacro.self, ManagedPropertyMacro.self, PropertyMarkerMacro.self, PropertyGroupMacro.self,
        ]
    }
#else
    /// Without the trait `Macros` there is nothing to plug in.
    @main
    struct Plugin {
        static func main() {}
    }
#endif
