import Testing

/// A data race does not compile: each leak is refused by the error named in the table, and
/// compiles without its refused lines, in modules of both kinds.
@Suite struct `What the compiler refuses` {
    @Test(arguments: Leak.all, IsolationMode.allCases)
    func `a leak does not compile`(leak: Leak, mode: IsolationMode) async throws {
        let errors = try await Refusals.shared.errors(in: leak, mode)
        #expect(Set(errors.map(\.name)) == leak.diagnostics, "\(errors)")
    }

    @Test(arguments: Leak.all, IsolationMode.allCases)
    func `its twin compiles`(leak: Leak, mode: IsolationMode) async throws {
        let errors = try await Refusals.shared.errors(inTwinOf: leak, mode)
        #expect(errors.isEmpty, "\(errors)")
    }

    @Test(arguments: IsolationMode.allCases)
    func `there are no errors elsewhere`(mode: IsolationMode) async throws {
        let errors = try await Refusals.shared.otherErrors(mode)
        #expect(errors.isEmpty, "\(errors)")
    }

    @Test func `the leaks have names of their own`() {
        #expect(Set(Leak.all.map(\.name)).count == Leak.all.count)
    }
}
