import DataMonkCore

/// **Confined.** Writes objects as the lines of a table.
struct CSVRowWriter: RowWriting {
    private let plan: ExportPlan
    private let delimiter: UInt8
    private let emptyCells: CSVFormat.EmptyCell
    private let lineEnd: [UInt8]

    init(_ plan: ExportPlan, format: CSVFormat) {
        self.plan = plan
        delimiter = format.delimiter.byte
        emptyCells = format.emptyCells
        lineEnd = Array(format.lineEnd.rawValue.utf8)
    }

    func begin(_ bytes: inout [UInt8]) {
        for (number, property) in plan.forms[plan.rowForm].properties.enumerated() {
            if number > 0 { bytes.append(delimiter) }
            append(property.name, to: &bytes)
        }
        bytes.append(contentsOf: lineEnd)
    }

    func append(_ object: ManagedObject, to bytes: inout [UInt8]) throws {
        for (number, property) in plan.forms[plan.rowForm].properties.enumerated() {
            if number > 0 { bytes.append(delimiter) }
            let text = try text(of: property, of: object)
            try requireMeaning(of: text, for: property, of: object)
            // Null is an empty cell.
            if let text { append(text, to: &bytes) }
        }
        bytes.append(contentsOf: lineEnd)
    }

    func end(_ bytes: inout [UInt8]) {}

    private func text(of property: ExportPlan.Property, of object: ManagedObject) throws -> String? {
        switch property {
        case .attribute(let imported):
            let value = try object.assigned(imported.attribute)
            return ExportedText(value, of: imported.attribute, imported.dateFormat)?.text
        case .relationship(let imported):
            guard let destination = try object.assigned(imported.relationship) else { return nil }
            let form = plan.forms[imported.mapping]
            try destination.requireKind(of: form, for: imported.relationship)
            let key = try destination.exportedKeys(of: form, for: imported.relationship)[0]
            return ExportedText(key.value, of: key.attribute.attribute, key.attribute.dateFormat)?.text
        }
    }

    /// Throws an error if the format reads an empty cell as something else.
    private func requireMeaning(of text: String?, for property: ExportPlan.Property, of object: ManagedObject) throws {
        let isOther = text.map { $0.isEmpty && emptyCells == .null } ?? (emptyCells == .text)
        if !isOther { return }
        throw FormatError(
            .unsupportedExport,
            """
            \(property.name) of \(object.objectDescription) is \(text == nil ? "null" : "an empty text"), but with \
            emptyCells = .\(emptyCells) an import reads \(text == nil ? "an empty text" : "null") there. Write tables with \
            emptyCells = .nullUnlessQuoted.
            """, key: property.name)
    }

    private func append(_ text: String, to bytes: inout [UInt8]) {
        let needsQuotes =
            text.isEmpty || text.utf8.first == 0x20 || text.utf8.last == 0x20
            || text.utf8.contains { $0 == delimiter || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        guard needsQuotes else { return bytes.append(contentsOf: text.utf8) }
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
