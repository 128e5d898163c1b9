import ApplicationCompiler
import Testing

/// A data race does not compile: each leak is refused by the error named in the table, and
/// compiles without its refused lines, in modules of both kinds. Those that Swift and the system's libraries let
/// through stand in the same table, so that a hole that closes, or a new one, fails by its name.
@Suite struct `What the compiler refuses` {
    private static let refused = Leak.cases { $0.pass != nil }
    private static let compiled = Leak.cases { $0.pass == nil }

    @Test(arguments: refused)
    func `a leak does not compile`(leak: Leak, mode: IsolationMode) async throws {
        let errors = try await Refusals.shared.errors(in: leak, mode)
        #expect(Set(errors.map(\.name)) == leak.verdict.errors, "\(errors)")
    }

    @Test(arguments: refused)
    func `its twin compiles`(leak: Leak, mode: IsolationMode) async throws {
        let errors = try await Refusals.shared.errors(inTwinOf: leak, mode)
        #expect(errors.isEmpty, "\(errors)")
    }

    @Test(arguments: compiled)
    func `a hole is one still, with the same warnings`(leak: Leak, mode: IsolationMode) async throws {
        let found = try await Refusals.shared.diagnostics(inHole: leak, mode, .asTheyAre)
        #expect(found.filter(\.isError).isEmpty, "\(found)")
        #expect(Set(found.map(\.name)) == leak.verdict.warnings, "\(found)")
    }

    /// What the article on isolation tells to turn on.
    @Test(arguments: compiled)
    func `a warning can be made an error`(leak: Leak, mode: IsolationMode) async throws {
        guard case .warned(_, let warnings, let group) = leak.verdict else { return }
        let ofGroup = try await Refusals.shared.diagnostics(inHole: leak, mode, .groupsAsErrors)
        #expect(Set(ofGroup.filter(\.isError).map(\.name)) == (group == nil ? [] : warnings), "\(ofGroup)")
        let ofAll = try await Refusals.shared.diagnostics(inHole: leak, mode, .allAsErrors)
        #expect(Set(ofAll.filter(\.isError).map(\.name)) == warnings, "\(ofAll)")
    }

    @Test func `the groups of the table are those that the compiler is asked for`() {
        let groups = Leak.all.compactMap { leak -> String? in
            if case .warned(_, _, let group) = leak.verdict { group } else { nil }
        }
        #expect(Set(groups) == Set(Refusals.groups))
    }

    @Test(arguments: refused)
    func `under a preconcurrency import it is warned of at least`(leak: Leak, mode: IsolationMode) async throws {
        let found = try await Refusals.shared.preconcurrencyDiagnostics(in: leak, mode)
        #expect(leak.verdict.errors.isSubset(of: found.map(\.name)), "\(found)")
    }

    @Test(arguments: IsolationMode.allCases)
    func `there are no errors elsewhere`(mode: IsolationMode) async throws {
        let errors = try await Refusals.shared.otherErrors(mode)
        #expect(errors.isEmpty, "\(errors)")
    }

    @Test func `the leaks have names of their own`() {
        let names = Dictionary(grouping: Leak.all, by: \.name).filter { $0.value.count > 1 }.keys
        #expect(names.isEmpty)
    }
}
