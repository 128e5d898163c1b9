import Foundation

/// **Value.** How wide lines may be.
enum TerminalWidth {
    /// The terminal's width; nil where the output goes into a file or another program, which take lines of any length.
    static var current: Int? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
