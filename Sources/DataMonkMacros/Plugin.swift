#if canImport(SwiftCompilerPlugin)
    import SwiftCompilerPlugin
    import SwiftSyntaxMacros

    @main
    struct Plugin: CompilerPlugin {
        let providingMacros: [any Macro.Type] = []
    }
#else
    /// Without the trait `Macros` there is nothing to plug in.
    @main
    struct Plugin {
        static func main() {}
    }
#endif
