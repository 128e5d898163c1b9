import ApplicationCompiler

/// **Shared.** What the compiler says of the leaks: each program is compiled once for all tests.
///
/// All leaks of a pass stand in one file, so that a few compilations a mode serve every test.
actor Refusals {
    static let shared = Refusals()

    /// The groups of warnings that can be made errors by name.
    static let groups = ["ActorIsolatedCall", "SendableClosureCaptures"]

    /// What becomes of warnings.
    enum Strictness: Hashable {
        case asTheyAre
        case groupsAsErrors
        case allAsErrors

        var compilerArguments: [String] {
            switch self {
            case .asTheyAre: []
            case .groupsAsErrors: Refusals.groups.flatMap { ["-Werror", $0] }
            case .allAsErrors: ["-warnings-as-errors"]
            }
        }
    }

    private enum Program: Hashable {
        case leaks(Leak.Pass, isPreconcurrency: Bool = false)
        case twins
        case holes(Strictness)
    }

    private struct Key: Hashable {
        let program: Program
        let mode: IsolationMode
    }

    private var results: [Key: Result<[Compiler.Diagnostic], any Error>] = [:]

    /// The names that the programs give the leaks.
    private static let files = Dictionary(
        Leak.all.enumerated().map { ($0.element.name, "Leak\($0.offset)") }, uniquingKeysWith: { first, _ in first })

    /// The errors in a leak that is refused.
    func errors(in leak: Leak, _ mode: IsolationMode) throws -> [Compiler.Diagnostic] {
        guard let pass = leak.verdict.pass else { return [] }
        return try diagnostics(in: .leaks(pass), of: leak, mode).filter(\.isError)
    }

    /// The errors in a leak's twin.
    func errors(inTwinOf leak: Leak, _ mode: IsolationMode) throws -> [Compiler.Diagnostic] {
        try diagnostics(in: .twins, of: leak, mode).filter(\.isError)
    }

    /// The errors and warnings in a leak that compiles.
    func diagnostics(
        inHole leak: Leak, _ mode: IsolationMode, _ strictness: Strictness
    ) throws -> [Compiler.Diagnostic] {
        try diagnostics(in: .holes(strictness), of: leak, mode)
    }

    /// The errors and warnings in a leak that is refused, in a file that imports the library with `@preconcurrency`.
    func preconcurrencyDiagnostics(in leak: Leak, _ mode: IsolationMode) throws -> [Compiler.Diagnostic] {
        guard let pass = leak.verdict.pass else { return [] }
        return try diagnostics(in: .leaks(pass, isPreconcurrency: true), of: leak, mode)
    }

    /// The errors outside of every leak: the programs' common part must be right.
    func otherErrors(_ mode: IsolationMode) throws -> [Compiler.Diagnostic] {
        let files = Set(Self.files.values)
        return try ([.twins, .holes(.asTheyAre)] + Leak.Pass.allCases.map { Program.leaks($0) })
            .flatMap { try diagnostics(in: $0, mode) }
            .filter { $0.isError && !files.contains($0.file) }
    }

    private func diagnostics(
        in program: Program, of leak: Leak, _ mode: IsolationMode
    ) throws -> [Compiler.Diagnostic] {
        try diagnostics(in: program, mode).filter { $0.file == Self.files[leak.name] }
    }

    private func diagnostics(in program: Program, _ mode: IsolationMode) throws -> [Compiler.Diagnostic] {
        let key = Key(program: program, mode: mode)
        if let known = results[key] { return try known.get() }
        let result = Result {
            try Compiler().diagnostics(in: source(of: program, mode), mode, arguments: arguments(of: program))
        }
        results[key] = result
        return try result.get()
    }

    private func arguments(of program: Program) -> [String] {
        if case .holes(let strictness) = program { strictness.compilerArguments } else { [] }
    }

    /// The leaks in their order: errors of one can keep the compiler from finding those of the next.
    private func source(of program: Program, _ mode: IsolationMode) -> String {
        let parts = Leak.all.filter { $0.modes.contains(mode) }.compactMap { leak -> String? in
            guard let file = Self.files[leak.name] else { return nil }
            return switch program {
            case .twins: leak.verdict.pass != nil ? leak.source(file: file, isTwin: true) : nil
            case .leaks(let pass, _): leak.verdict.pass == pass ? leak.source(file: file, isTwin: false) : nil
            case .holes: leak.verdict.pass == nil ? leak.source(file: file, isTwin: false) : nil
            }
        }
        let isPreconcurrency =
            if case .leaks(_, true) = program { true } else { false }
        return ([isPreconcurrency ? "@preconcurrency import DataMonk" : "import DataMonk", Self.model] + parts)
            .joined(separator: "\n")
    }

    /// What every program has: a model.
    static var model: String {
        #if Macros
            """
            import Dispatch
            import Foundation
            import Observation
            import Synchronization

            @Entity nonisolated final class Person: ManagedObject {
                var name: String = ""
                var age: Int = 0
                @Relationship(inverse: \\Person.friends) var friend: Person?
                var friends: Set<Person>
            }
            """
        #else
            """
            import Dispatch
            import Foundation
            import Observation
            import Synchronization

            nonisolated final class Person: ManagedObject {
                var name: String { get { property(at: 0) } set { setProperty(newValue, at: 0) } }
                var age: Int { get { property(at: 1) } set { setProperty(newValue, at: 1) } }
                var friend: Person? { get { property(at: 2) } set { setProperty(newValue, at: 2) } }
                var friends: Set<Person> { get { property(at: 3) } set { setProperty(newValue, at: 3) } }
            }
            """
        #endif
    }
}
