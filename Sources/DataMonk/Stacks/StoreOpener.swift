import DataMonkCore

/// **Shared.** Opens and closes a stack's stores, one at a time: on the calling thread, or, for callers that must not wait
/// for a disk, on a thread of the update pool.
///
/// The gate is left on the worker thread, not where the caller resumes. The caller may resume on the main actor; if the main
/// actor were blocked in another call that adds a store, both would wait forever.
actor StoreOpener {
    private let executor = PoolExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func work(through gate: UpdateGate, for call: UpdateCall, _ body: @Sendable () throws -> Void) async throws {
        // The body runs on a pool thread and cannot suspend.
        let party = WaitParticipant(call, canSuspend: false, outer: UpdateScope.partyOfThisFlow)
        var entrance = GateRequest(party, through: [gate])
        try await entrance.pass()
        defer { entrance.leave() }
        try UpdateScope.$current.withValue(UpdateScope(party, until: nil)) { try body() }
    }

    /// - Throws: ``/DataMonkCore/StoreError`` with the code `wouldDeadlock` inside a commit of the stack: another thread
    ///   may wait for that commit, to close the stores.
    static func workAndWait(on stack: Stack, for call: UpdateCall, _ body: () throws -> Void) throws {
        try stack.coordinator.requireOutsideCommit()
        let party = WaitParticipant(call, canSuspend: false, outer: UpdateScope.current?.party)
        let entrance = try GateRequest.enterAndWait(party, through: [stack.storeGate], until: .now + stack.deadline)
        defer { entrance.leave() }
        try UpdateScope.$current.withValue(UpdateScope(party, until: nil)) { try body() }
    }
}
