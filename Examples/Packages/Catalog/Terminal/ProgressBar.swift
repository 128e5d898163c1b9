import Foundation

/// **Shared.** Shows how far a step has come: on a terminal a bar that grows, elsewhere one line when it is done.
actor ProgressBar {
    private static let width = 30

    private let title: String
    private let total: Int
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let start = ContinuousClock.now
    private var done = 0
    /// What the terminal shows, so that nothing is written which would not change it.
    private var shown = ""

    init(_ title: String, total: Int) {
        self.title = title
        self.total = total
    }

    func advance(by count: Int) {
        done += count
        if isTerminal { show() }
    }

    /// Shows that the step is done, and with how many things.
    func finish(with count: Int) {
        let seconds = (ContinuousClock.now - start).formatted(
            .units(allowed: [.seconds], fractionalPart: .show(length: 2)))
        let line = "\(padded(title)) \(count.formatted()) in \(seconds)"
        write(isTerminal ? "\r\u{1B}[K\(line)\n" : "\(line)\n")
    }

    private func show() {
        let filled = min(Self.width, total == 0 ? 0 : done * Self.width / total)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        let line = "\(padded(title)) \(bar) \(done.formatted()) of \(total.formatted())"
        if line == shown { return }
        shown = line
        write("\r\u{1B}[K\(line)")
    }

    private func padded(_ title: String) -> String {
        title.padding(toLength: 9, withPad: " ", startingAt: 0)
    }

    /// Progress is no result: it goes to the error stream, so that the answers can be piped.
    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
