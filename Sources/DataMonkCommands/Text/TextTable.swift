/// **Value.** Rows of text in aligned columns.
struct TextTable {
    struct Column {
        var title: String
        /// A Boolean value indicating whether the column is right-aligned, as numbers are.
        var isRight = false
    }

    var columns: [Column]
    var rows: [[String]] = []
    /// The maximum width of a column: one long text would push the others out of sight.
    var maximumColumnWidth = 40

    /// Returns the lines, at most `width` cells wide; `nil` for no limit.
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
