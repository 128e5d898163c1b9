import Testing

/// **Value.** A piece of a program that lets something confined escape, and the twin that does not.
///
/// The lines that end in `// refused` are what the twin lacks. The rest is the same, so a twin that compiles shows
/// that those lines alone are refused.
struct Leak: Sendable, CustomTestStringConvertible {
    /// Which pass of the compiler refuses it: one that finds errors keeps the later ones from running.
    enum Pass: Sendable, CaseIterable {
        case types
        /// Regions and captured variables, found on the intermediate language.
        case flow
    }

    /// **Value.** The function that the statements stand in.
    enum Place: String, Sendable {
        case main = "@MainActor static func run(_ World: MainContext) async throws"
        case mainWaiting = "@MainActor static func run(_ World: MainContext) throws"
        case offMain = "nonisolated static func run(_ World: MainContext) async throws"
    }

    let name: String
    let pass: Pass
    /// The compiler's own names of the errors that it reports.
    let diagnostics: Set<String>
    let place: Place
    /// Functions and types beside the one that leaks.
    var declarations = ""
    let statements: String

    var testDescription: String { name }

    /// The program, whole or without the refused lines. In it, the compiler takes `file` for the name of the file.
    func source(file: String, isTwin: Bool) -> String {
        let lines = """
            enum \(file) {
            #sourceLocation(file: "\(file)", line: 1)
            \(declarations)
            \(place.rawValue) {
            \(statements)
            }
            #sourceLocation()
            }
            """.split(separator: "\n")
        return lines.filter { !isTwin || !$0.hasSuffix("// refused") }.joined(separator: "\n")
    }
}
