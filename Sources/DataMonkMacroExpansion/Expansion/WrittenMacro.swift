#if Macros
    package import SwiftSyntaxMacros

    /// **Value.** A macro whose code is written with its line breaks and indentation. Formatting it once more would take a third
    /// of the time of an expansion.
    package protocol WrittenMacro: Macro {}

    extension WrittenMacro {
        package static var formatMode: FormatMode { .disabled }
    }
#endif
