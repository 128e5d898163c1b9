import DataMonkCore
import Foundation

extension StoreReport {
    /// Returns the report for people to read.
    package func text(width: Int? = nil) -> String {
        var lines = [
            ("Store", url.path), ("Size", "\(byteCount) bytes"), ("UUID", identifier.uuidString),
            ("Framework", frameworkVersion.map { "Core Data \($0)" } ?? "unknown"),
            ("Version", versionIdentifiers.map { "\"\(ValueText.visible($0))\"" }.joined(separator: ", ")),
        ]
        if !applicationKeys.isEmpty {
            lines.append(("Metadata", applicationKeys.map(ValueText.visible).joined(separator: ", ")))
        }
        if !textIndexes.isEmpty {
            lines.append(("Search", textIndexes.map(ValueText.visible).joined(separator: ", ")))
        }
        lines += filteredAttributes.map { ("Filtered", ValueText.visible($0)) }
        switch model.source {
        case .store: lines.append(("Model", "read from the store"))
        case .given: lines.append(("Model", "the given one; the store's own cannot be used"))
        case nil: lines.append(("Model", "none: \(model.problem ?? "")"))
        }
        lines += model.omissions.map { ("", "not readable: \($0)") }
        if let comparison { lines += comparison.lines }
        let facts = lines.map { label, text in "\(DisplayWidth.pad(label, to: 10, isRight: false)) \(text)\n" }.joined()
        return facts + "\n" + entityTable.text(width: width)
    }

    private var entityTable: TextTable {
        var table = TextTable(columns: [
            .init(title: "Entity"), .init(title: "Own", isRight: true),
            .init(title: "With sub-entities", isRight: true),
        ])
        table.rows = entities.map { entity in
            [
                String(repeating: "  ", count: entity.depth) + ValueText.visible(entity.name)
                    + (entity.isAbstract ? " (abstract)" : ""),
                entity.ownCount.map(String.init) ?? "?", entity.count.map(String.init) ?? "?",
            ]
        }
        return table
    }
}

extension ModelComparison {
    fileprivate var lines: [(String, String)] {
        var name = modelURL.lastPathComponent
        if let versionName { name += ", version \(versionName)" }
        if let configurationName { name += ", configuration \(configurationName)" }
        if isCompatible { return [("Compared", "\(name): compatible")] }
        let parts = [
            ("only in the model", addedEntities), ("only in the store", removedEntities),
            ("different", changedEntities),
        ]
        let differences = parts.filter { !$0.1.isEmpty }.map { ("", "\($0.0): \($0.1.joined(separator: ", "))") }
        return [("Compared", "\(name): not compatible\(problem.map { ". \($0)" } ?? "")")] + differences
    }
}

extension RowPage {
    /// Returns the page in aligned columns, with its position within the whole.
    package func text(width: Int? = nil) -> String {
        var table = TextTable(columns: [.init(title: "Key", isRight: true)])
        if hasSubentities { table.columns.append(.init(title: "Entity")) }
        table.columns += columns.map { .init(title: $0.name, isRight: $0.isNumeric) }
        table.rows = rows.map { row in
            ["\(row.reference.primaryKey)"] + (hasSubentities ? [row.reference.entityName] : [])
                + row.cells.map(ValueText.text)
        }
        let part =
            rows.isEmpty
            // The offset may be the largest number.
            ? "No rows of \(total) from \(UInt(offset) + 1) on"
            : "Rows \(offset + 1) to \(offset + rows.count) of \(total)"
        return "\(entityName)\n\n\(table.text(width: width))\n\(part)\n"
    }
}

extension RowPage.Column {
    fileprivate var isNumeric: Bool {
        switch kind {
        case .attribute(let type): type.isNumeric
        case .toOne: false
        case .toMany: true
        }
    }
}
