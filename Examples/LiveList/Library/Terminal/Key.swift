/// **Value.** A key that was pressed.
enum Key: Hashable, Sendable {
    case character(Character)
    case enter, escape, backspace, tab
    case up, down, left, right
    case pageUp, pageDown, home, end, delete
    /// A letter together with Control.
    case control(Character)
}
