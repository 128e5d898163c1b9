import DataMonkCore
import Foundation

/// **Shared.** A line on the terminal with a bar, the number of rows and their rate. Elsewhere nothing is written.
final class RowProgress: Sendable {
    private struct State {
        var rows = 0
        /// The part of the input that was read, from 0 to 1; `nil` if its size is not known.
        var done: Double?
        var lastShown: ContinuousClock.Instant?
    }

    private static let width = 30
    private static let interval = Duration.milliseconds(100)

    private let state = Locked(State())
    private let start = ContinuousClock.now
    private let write: @Sendable (String) -> Void

    /// Writes to the error stream: progress is no result.
    init() { write = { StandardStream.report($0) } }

    /// Writes with a function, for tests.
    init(write: @escaping @Sendable (String) -> Void) { self.write = write }

    /// Returns the progress of a command that runs on a terminal, `nil` elsewhere.
    static var onTerminal: RowProgress? { isatty(STDERR_FILENO) == 1 ? RowProgress() : nil }

    func advance(rows: Int? = nil, done: Double? = nil) {
        let text = state.withLock { state -> String? in
            state.rows = rows ?? state.rows
            state.done = done ?? state.done
            let now = ContinuousClock.now
            if let last = state.lastShown, now - last < Self.interval { return nil }
            state.lastShown = now
            return line(state, at: now)
        }
        if let text { write("\r\u{1B}[K\(text)") }
    }

    /// Removes the line.
    func finish() {
        if state.withLock({ $0.lastShown }) != nil { write("\r\u{1B}[K") }
    }

    private func line(_ state: State, at now: ContinuousClock.Instant) -> String {
        let seconds = (now - start) / .seconds(1)
        let rate = seconds > 0 ? Int(Double(state.rows) / seconds) : 0
        let figures = "\(state.rows.formatted()) rows, \(rate.formatted()) a second"
        guard let done = state.done else { return figures }
        let filled = Int(min(1, max(0, done)) * Double(Self.width))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        return "\(bar) \(figures)"
    }
}
