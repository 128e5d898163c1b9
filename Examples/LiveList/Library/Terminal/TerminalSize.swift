import Foundation

/// **Value.** The number of columns and rows of a terminal.
public struct TerminalSize: Hashable, Sendable {
    /// The number of columns, at least 1.
    public let columns: Int
    /// The number of rows, at least 1.
    public let rows: Int

    /// Creates a size.
    public init(columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
    }

    /// The size of an open terminal: 80 by 24 if it does not know its own.
    init(of descriptor: Int32) {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
        self.init(columns: isKnown ? Int(size.ws_col) : 80, rows: isKnown ? Int(size.ws_row) : 24)
    }
}
