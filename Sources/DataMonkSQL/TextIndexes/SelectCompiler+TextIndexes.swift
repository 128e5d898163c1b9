import DataMonkCore

extension SelectCompiler {
    /// Appends a search for words by the full-text index of its attribute. Returns `false` if there is none, or if the words
    /// are so many that a function looks for them.
    ///
    /// The words were found in the text before: what SQLite gets is a list of quoted words, and no text of a user's can be
    /// an error in it.
    func append(
        searched comparison: ResolvedComparison, left: SQLText?, to text: inout SQLText
    ) throws(FetchError) -> Bool {
        guard let left, case .constant(.string(let asked)) = comparison.right, case .path(let path) = comparison.left,
            case .attribute(let attribute) = path.terminal, let index = try schema.textIndex(of: attribute)
        else { return false }
        let query = WordQuery(asked)
        if query.parts.isEmpty {
            text.append("0")
            return true
        }
        let match = query.parts.map { "\"\($0.words)\"\($0.isPrefix ? " *" : "")" }.joined(separator: " AND ")
        guard query.parts.count <= Self.maximumParts, match.utf8.count <= Self.maximumBytes else { return false }
        // The SQL of an attribute is that of its object, a period and the column.
        let alias = left.text.prefix { $0 != "." }
        let words = index.identifier
        text.append(compiled: "\(alias).Z_PK IN (SELECT rowid FROM \(words) WHERE \(words) MATCH ")
        text.bind(.text(match))
        text.append(")")
        return true
    }

    /// SQLite limits the depth of a search's expression.
    private static var maximumParts: Int { 128 }
    /// Longer words are cut in an index.
    private static var maximumBytes: Int { 4_096 }
}

extension StoreSchema {
    /// Returns the full-text index of an attribute, or `nil` if the file has none.
    func textIndex(of attribute: Entity.Attribute) throws(FetchError) -> TextIndexSchema? {
        if textIndexes.isEmpty { return nil }
        let schema = try storage(of: attribute.entity)
        guard case .value(let column) = schema.storage[attribute.slot] else { return nil }
        let index = TextIndexSchema(tableName: schema.table.name, columnName: column.name)
        return textIndexes.contains(index) ? index : nil
    }
}
