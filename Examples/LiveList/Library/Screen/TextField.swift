/// **Value.** The line in which a person types.
struct TextField: Hashable, Sendable {
    /// The purpose of the text.
    enum Purpose: Hashable, Sendable { case search, newJob }

    let purpose: Purpose
    var text = ""

    var label: String { purpose == .search ? "Search: " : "New job: " }

    /// Takes a key; returns `false` for one that the field has no use for.
    mutating func take(_ key: Key) -> Bool {
        switch key {
        case .character(let character): text.append(character)
        case .backspace: _ = text.popLast()
        case .control("u"): text = ""
        default: return false
        }
        return true
    }
}
