import DataMonkCore

/// **Shared.** Opens and closes a stack's stores, one at a time: on the calling thread, or on one of the updates' pool for
/// code that may not wait for a disk.
///
/// The gate is left on the thread that worked, not where the caller goes on: that may be the main actor, and who blocks it
/// to add a store, too, would wait for ever.
actor StoreKeeper {
    private let executor = PoolExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func work(through gate: UpdateGate, _ call: UpdateCall, _ body: @Sendable () throws -> Void) async throws {
        // What the body calls runs on a pool's thread and cannot suspend.
        let party = WaitParty(call, canSuspend: false, outer: UpdateScope.partyOfThisFlow)
        var entrance = Entrance(party, through: [gate])
        try await entrance.enter()
        defer { entrance.leave() }
        try UpdateScope.$current.withValue(UpdateScope(party)) { try body() }
    }

    static func workAndWait(
        through gate: UpdateGate, _ call: UpdateCall, until deadline: Duration, _ body: () throws -> Void
    ) throws {
        let party = WaitParty(call, canSuspend: false, outer: UpdateScope.current?.party)
        let entrance = try Entrance.enterAndWait(party, through: [gate], until: .now + deadline)
        defer { entrance.leave() }
        try UpdateScope.$current.withValue(UpdateScope(party)) { try body() }
    }
}
