import DataMonkCore

/// **Confined.** Writes objects as the lines of a table.
struct CSVRowWriter: RowWriting {
    private let plan: ExportPlan
    private let delimiter: UInt8
    private let lineEnd: [UInt8]

    init(_ plan: ExportPlan, format: CSVFormat) {
        self.plan = plan
        delimiter = format.delimiter.byte
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
            switch property {
            case .attribute(let imported): append(try object.assigned(imported.attribute), of: imported, to: &bytes)
            case .relationship(let imported):
                guard let destination = try object.assigned(imported.relationship) else { continue }
                let form = plan.forms[imported.mapping]
                try destination.requireKind(of: form, for: imported.relationship)
                let keys = try destination.exportedKeys(of: form, for: imported.relationship)
                append(keys[0].value, of: keys[0].attribute, to: &bytes)
            }
        }
        bytes.append(contentsOf: lineEnd)
    }

    func end(_ bytes: inout [UInt8]) {}

    private func append(_ value: ManagedValue, of imported: ImportedAttribute, to bytes: inout [UInt8]) {
        // Null is an empty cell.
        guard let text = ExportedText(value, of: imported.attribute, imported.dateFormat) else { return }
        append(text.text, to: &bytes)
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
