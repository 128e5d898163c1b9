import Foundation
import Synchronization

/// **Shared.** A bar on the terminal; nothing where the output goes elsewhere.
final class StressBar: Sendable {
    private static let width = 40
    private let shown = Mutex(-1)
    private let isTerminal = isatty(STDERR_FILENO) == 1

    func show(_ part: Double) {
        guard isTerminal else { return }
        let filled = Int(part * Double(Self.width))
        shown.withLock { shown in
            // Nothing is written that would not change it.
            guard filled > shown else { return }
            shown = filled
            let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
            FileHandle.standardError.write(Data("\r\(bar)".utf8))
        }
    }

    func end() {
        if isTerminal { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
    }
}
