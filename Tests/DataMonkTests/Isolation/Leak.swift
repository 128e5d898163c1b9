import ApplicationCompiler
import Testing

/// **Value.** A piece of a program that would let something confined escape, and what the compiler makes of it.
///
/// Where it is refused, the lines that end in `// refused` are what its twin lacks. The rest is the same, so a twin that
/// compiles shows that those lines alone are refused.
struct Leak: Sendable, CustomTestStringConvertible {
    /// Which pass of the compiler refuses it: one that finds errors keeps the later ones from running.
    enum Pass: Sendable, CaseIterable {
        case types
        /// Regions and captured variables, found on the intermediate language.
        case flow
    }

    /// Who lets it through.
    enum Hole: Sendable {
        case swift
        case dispatch
        case foundation
        /// DataMonk, for the sake of programs in Swift 5 mode.
        case library
        /// The program's author, who asks in so many words not to be checked.
        case author
    }

    /// What is left where the compiler says nothing.
    enum Net: Sendable {
        /// The object stops the program when it is used elsewhere: see `OwnerCheckTests`.
        case ownerCheck
        case nothing
    }

    enum Verdict: Sendable {
        /// Errors of these names, the compiler's own.
        case refused(Pass, Set<String>)
        /// Warnings of these names. Errors where the group is made one; without a group, where all warnings are.
        case warned(Hole, Set<String>, group: String? = nil)
        case silent(Hole, stoppedBy: Net)
        /// No leak, though it looks like one.
        case harmless(warnings: Set<String>)
    }

    /// **Value.** The function that the statements stand in.
    enum Place: String, Sendable {
        case main = "@MainActor static func run(_ World: MainContext) async throws"
        case mainWaiting = "@MainActor static func run(_ World: MainContext) throws"
        case offMain = "nonisolated static func run(_ World: MainContext) async throws"
    }

    let name: String
    let verdict: Verdict
    let place: Place
    /// Functions and types beside the one that leaks.
    var declarations = ""
    /// Extensions, which stand in the file. In them `Here` is the type that the declarations stand in.
    var extensions = ""
    let statements: String
    /// The kinds of modules in which that is the verdict.
    var modes = IsolationMode.allCases

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
            }
            \(extensions.replacing("Here.", with: "\(file)."))
            #sourceLocation()
            """.split(separator: "\n")
        return lines.filter { !isTwin || !$0.hasSuffix("// refused") }.joined(separator: "\n")
    }
}

extension Leak.Verdict {
    /// A closure that runs elsewhere captures the object: a task, mostly.
    static let taskCapture = refused(.flow, ["regionbasedisolation_typed_tns_passed_sending_closure"])
    /// The object is handed to code that runs elsewhere.
    static let sent = refused(.flow, ["regionbasedisolation_named_send_yields_race"])
    /// A Sendable closure captures the object.
    static let capture = refused(.types, ["non_sendable_capture"])
    /// Something asks for a Sendable type.
    static let notSendable = refused(.types, ["conformance_availability_unavailable"])
    static let harmless = harmless(warnings: [])

    /// The pass that refuses it; nil where it compiles.
    var pass: Leak.Pass? {
        if case .refused(let pass, _) = self { pass } else { nil }
    }

    /// The names of the errors that it is refused with.
    var errors: Set<String> {
        if case .refused(_, let errors) = self { errors } else { [] }
    }

    /// The names of the warnings with which it compiles.
    var warnings: Set<String> {
        switch self {
        case .warned(_, let warnings, _), .harmless(let warnings): warnings
        case .refused, .silent: []
        }
    }
}

extension Leak {
    init(
        name: String, pass: Pass, diagnostics: Set<String>, place: Place, declarations: String = "", statements: String
    ) {
        self.init(
            name: name, verdict: .refused(pass, diagnostics), place: place, declarations: declarations,
            statements: statements)
    }

    static func program(
        _ name: String, _ verdict: Verdict, place: Place = .main, modes: [IsolationMode] = IsolationMode.allCases,
        declarations: String = "", extensions: String = "", _ statements: String = ""
    ) -> Leak {
        Leak(
            name: name, verdict: verdict, place: place, declarations: declarations, extensions: extensions,
            statements: statements, modes: modes)
    }

    /// A leak out of an update, whose object `hero` is used again after the statements.
    static func ofUpdate(
        _ name: String, _ verdict: Verdict, declarations: String = "", extensions: String = "",
        _ statements: String = ""
    ) -> Leak {
        program(
            name, verdict, declarations: declarations, extensions: extensions,
            """
            try await World.update { update in
            let hero = try update.create(Person.self)
            \(statements)
            hero.age = 2
            }
            """)
    }

    /// A leak out of the main context, whose object `hero` is used again after the statements.
    static func ofMain(
        _ name: String, _ verdict: Verdict, declarations: String = "", extensions: String = "",
        _ statements: String = ""
    ) -> Leak {
        program(
            name, verdict, declarations: declarations, extensions: extensions,
            """
            let hero = try World.fetch(Person.self)
            \(statements)
            print(hero.age)
            """)
    }
}
