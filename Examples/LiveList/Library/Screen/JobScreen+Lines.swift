import DataMonk

// The lines of a frame.
extension JobScreen {
    func titleLine(_ columns: Int) -> TerminalLine {
        var line = TerminalLine(width: columns)
        let count = provider.results?.count ?? 0
        line.appendShortened(" LiveList  \(count) \(count == 1 ? "job" : "jobs")", .bar)
        if !search.isEmpty { line.appendShortened(" with “\(search)”", .bar) }
        if isPaused { line.append("  paused", .bar) }
        line.fill(.bar)
        return line
    }

    func listLine(_ contents: JobTable.Line, _ columns: Int) -> TerminalLine {
        var line = TerminalLine(width: columns)
        switch contents {
        case .section(let title, let count): line.appendShortened(" \(title) (\(count))", .bold)
        case .row(let row, let mark):
            let isSelected = row.id == selected?.id && mark != .deleted
            let plain = mark?.style ?? .plain
            let style = isSelected ? plain.selected : plain
            line.append(isSelected ? ">" : " ", style)
            line.append((mark?.sign ?? " ") + " ", style)
            if columns >= 20 { line.append(Self.padded(row.urgency) + "  ", style) }
            line.appendShortened(row.title, style)
            if isSelected { line.fill(style) }
        }
        return line
    }

    private static func padded(_ urgency: Int) -> String {
        let text = "\(urgency)"
        return String(repeating: " ", count: max(0, 3 - text.count)) + text
    }

    func fieldLine(_ columns: Int) -> TerminalLine {
        var line = TerminalLine(width: columns)
        guard let field else {
            line.appendShortened(" " + message)
            return line
        }
        // The end of a long text is what is being typed. A column is left for the cursor.
        line.append(" " + field.label)
        let cells = TerminalText(field.text).cells
        var room = columns - line.width - 1
        let shown = cells.reversed().prefix {
            room -= $0.width
            return room >= 0
        }
        line.append(shown.reversed().map(\.character).joined(), .field)
        return line
    }

    func helpLine(_ columns: Int) -> TerminalLine {
        var line = TerminalLine(width: columns)
        let help =
            switch field?.purpose {
            case .search: "Enter keeps the search  Esc ends it"
            case .newJob: "Enter adds the job  Esc does not"
            case nil: "↑↓ select  / search  n new  + − urgency  Space next stage  d delete  p pause  q quit"
            }
        line.appendShortened(" " + help, .dim)
        return line
    }
}
