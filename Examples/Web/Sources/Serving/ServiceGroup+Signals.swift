import Foundation
public import ServiceLifecycle

extension ServiceGroup {
    /// Runs the services until a signal asks for the end. The requests that are being answered are finished first; a second
    /// signal ends the program at once.
    @MainActor public func runUntilSignal() async throws {
        var isEnding = false
        let signals = try SignalPipe.follow([SIGINT, SIGTERM]) { number in
            if isEnding { SignalPipe.endProgram(by: number) }
            isEnding = true
            Task { await self.triggerGracefulShutdown() }
        }
        defer { signals.cancel() }
        try await run()
    }
}
