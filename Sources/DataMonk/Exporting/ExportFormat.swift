/// **Value.** The format of an export.
public enum ExportFormat: Sendable, Hashable {
    /// One JSON array, with an object on each line.
    case json
    /// A JSON object on each line.
    case jsonLines
    /// A table with a line for each object, and a header. It has attributes, and to-ones by their keys; to-manys and
    /// composite attributes do not fit into cells.
    ///
    /// - Important: Spreadsheets run cells that begin with `=`, `+`, `-` or `@` as formulas. Values are written as they are, since
    ///   anything else would be other data; open tables with other people's texts by an import that takes columns as text.
    case csv(CSVFormat)
}
