import DataMonk
import Testing

/// **Shared.** Something to do once, at a moment that comes: what another process does in the middle of a call.
final class Disturbance: Sendable {
    private struct State {
        var body: (@Sendable () throws -> Void)?
    }

    private let state = Locked(State())

    var isPending: Bool { state.withLock { $0.body != nil } }

    func prepare(_ body: @escaping @Sendable () throws -> Void) { state.withLock { $0.body = body } }

    /// The moment has come.
    func happen() {
        let body = state.withLock { $0.body.take() }
        #expect(throws: Never.self) { try body?() }
    }
}
