/// **Value.** The latest change of a row.
enum RowMark: Hashable, Sendable {
    case inserted, deleted, movedUp, movedDown, changed

    /// The sign before the row, which says it without colours too.
    var sign: String {
        switch self {
        case .inserted: "+"
        case .deleted: "−"
        case .movedUp: "↑"
        case .movedDown: "↓"
        case .changed: "•"
        }
    }

    var style: TerminalLine.Style {
        switch self {
        case .inserted: .inserted
        case .deleted: .deleted
        case .movedUp, .movedDown: .moved
        case .changed: .changed
        }
    }
}
