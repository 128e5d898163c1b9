import DataMonkCore

extension ModelDifference {
    /// The differences for people to read, and what a migration makes of them.
    var text: String {
        var lines = changes.map { change in
            "\(change.sign) \(change.place): \(change.text)\(Self.note(on: change.effect))"
        }
        let discarded = changes.filter { if case .discards = $0.effect { true } else { false } }
        if lines.isEmpty { lines.append("No differences.") }
        lines.append("")
        if isCompatible {
            lines.append("Stores of one version open with the other.")
        } else if problems.isEmpty {
            lines.append("Stores migrate by inference.")
        } else {
            lines.append("Stores need a mapping:")
            lines += problems.map { "  \($0)" }
        }
        if !isCompatible, !discarded.isEmpty {
            lines.append("If a store has them, these would be discarded, which a migration does only with permission:")
            lines += discarded.map { "  \($0.place)" }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func note(on effect: Change.Effect) -> String {
        switch effect {
        case .none, .inferred: ""
        case .discards(let subject): " (\(subject) would be discarded)"
        case .loses(let subject): " (\(subject) would be lost)"
        }
    }
}
