import Foundation

/// **Value.** The maximum width of lines.
enum TerminalWidth {
    /// The width of the terminal; `nil` if the output goes to a file or another program, which accept lines of any length.
    static var current: Int? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
