/// **Value.** Rows of texts in aligned columns.
struct TextTable {
    struct Column {
        var title: String
        /// Numbers stand to the right.
        var isRight = false
    }

    var columns: [Column]
    var rows: [[String]] = []
    /// No column is wider: one long text would push the others out of sight.
    var maximumColumnWidth = 40

    /// The lines, at most `width` cells wide; nil for no bound.
    func text(width: Int?) -> String {
        let widths = columns.indices.map { column in
            let texts = [columns[column].title] + rows.map { $0[column] }
            return min(maximumColumnWidth, texts.map(DisplayWidth.width).max() ?? 0)
        }
        func line(_ cells: [String]) -> String {
            let padded = cells.indices.map { column in
                DisplayWidth.pad(
                    DisplayWidth.cut(cells[column], to: widths[column]), to: widths[column],
                    isRight: columns[column].isRight)
            }
            var line = padded.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return width.map { DisplayWidth.cut(line, to: $0) } ?? line
        }
        let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
        let head = [line(columns.map(\.title)), width.map { DisplayWidth.cut(rule, to: $0) } ?? rule]
        return (head + rows.map(line)).map { $0 + "\n" }.joined()
    }
}
