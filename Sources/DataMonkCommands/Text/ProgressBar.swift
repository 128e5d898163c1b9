import DataMonkCore
import Foundation

/// **Value.** A line on the terminal that shows how far a migration is.
package struct ProgressBar: Sendable {
    private static let cells = 30

    private let write: @Sendable (String) -> Void

    package init(write: @escaping @Sendable (String) -> Void) { self.write = write }

    /// The bar on standard error, or `nil` if that is no terminal.
    static var current: ProgressBar? {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
        return ProgressBar { StandardStream.report($0) }
    }

    func show(_ progress: MigrationProgress) {
        let fraction = min(1, max(0, progress.fractionCompleted))
        let full = Int(fraction * Double(Self.cells))
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: Self.cells - full)
        write("\r\u{1B}[K\(bar) \(Int(fraction * 100)) %  \(progress.entityName ?? "")")
    }

    /// Removes the line.
    func end() { write("\r\u{1B}[K") }
}
