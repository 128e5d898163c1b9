/// **Shared.** What the compiler says of the leaks: each program is compiled once for all tests.
///
/// All leaks of a pass stand in one file, so that four compilations a mode serve every test.
actor Refusals {
    static let shared = Refusals()

    private enum Program: Hashable {
        case leaks(Leak.Pass)
        case twins
    }

    private struct Key: Hashable {
        let program: Program
        let mode: IsolationMode
    }

    /// The leaks by the names that the programs give them.
    private static let leaks = Dictionary(
        uniqueKeysWithValues: Leak.all.enumerated().map { ("Leak\($0.offset)", $0.element) })

    private var results: [Key: Result<[Compiler.Diagnostic], any Error>] = [:]

    /// The errors in a leak.
    func errors(in leak: Leak, _ mode: IsolationMode) throws -> [Compiler.Diagnostic] {
        try errors(in: .leaks(leak.pass), mode).filter { Self.leaks[$0.file]?.name == leak.name }
    }

    /// The errors in a leak's twin.
    func errors(inTwinOf leak: Leak, _ mode: IsolationMode) throws -> [Compiler.Diagnostic] {
        try errors(in: .twins, mode).filter { Self.leaks[$0.file]?.name == leak.name }
    }

    /// The errors outside of every leak: the programs' common part must be right.
    func otherErrors(_ mode: IsolationMode) throws -> [Compiler.Diagnostic] {
        try ([.twins] + Leak.Pass.allCases.map(Program.leaks))
            .flatMap { try errors(in: $0, mode) }
            .filter { Self.leaks[$0.file] == nil }
    }

    private func errors(in program: Program, _ mode: IsolationMode) throws -> [Compiler.Diagnostic] {
        let key = Key(program: program, mode: mode)
        if let known = results[key] { return try known.get() }
        let result = Result { try Compiler().errors(in: source(of: program), mode) }
        results[key] = result
        return try result.get()
    }

    private func source(of program: Program) -> String {
        let parts = Self.leaks.compactMap { file, leak -> String? in
            switch program {
            case .twins: leak.source(file: file, isTwin: true)
            case .leaks(let pass): leak.pass == pass ? leak.source(file: file, isTwin: false) : nil
            }
        }
        return ([Self.model] + parts).joined(separator: "\n")
    }

    /// What every program has: a model.
    private static var model: String {
        #if Macros
            """
            import DataMonk
            import Foundation

            @Entity final class Person: ManagedObject {
                var name: String = ""
                var age: Int = 0
                @Relationship(inverse: \\Person.friends) var friend: Person?
                var friends: Set<Person>
            }
            """
        #else
            """
            import DataMonk
            import Foundation

            final class Person: ManagedObject {
                var name: String { get { property(at: 0) } set { setProperty(newValue, at: 0) } }
                var age: Int { get { property(at: 1) } set { setProperty(newValue, at: 1) } }
                var friend: Person? { get { property(at: 2) } set { setProperty(newValue, at: 2) } }
                var friends: Set<Person> { get { property(at: 3) } set { setProperty(newValue, at: 3) } }
            }
            """
        #endif
    }
}
