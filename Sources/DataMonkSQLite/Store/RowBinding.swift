import DataMonkCore
import DataMonkSQL

/// Binding packed rows: values go from the row's memory straight into the statement.
extension SQLiteStatement {
    /// Binds one slot of a row, from `parameter` on.
    ///
    /// Text and data are bound where they lie: the row outlives the statement's run.
    @inline(__always)
    func bind(
        _ column: RowWriting.Column, of row: UnsafeRawPointer, at parameter: Int, entityNumbers: [Int],
        _ externalData: ExternalDataLog?
    ) throws {
        let slot = column.slot
        if RowFormat.isNull(row, slot) {
            for offset in 0..<column.width { bindNull(at: parameter + offset) }
            return
        }
        let word = RowFormat.word(row, slot)
        switch column.kind {
        case .integer: bind(Int64(bitPattern: word), at: parameter)
        case .real: bind(Double(bitPattern: word), at: parameter)
        case .text, .decimal: try bind(unsafeBorrowedText: RowFormat.bytes(row, slot), at: parameter)
        case .blob, .uuid: try bind(unsafeBorrowedBlob: RowFormat.bytes(row, slot), at: parameter)
        case .externalData:
            guard let externalData else { preconditionFailure("A store with external data has a folder for it.") }
            try externalData.columnValue(row, slot).withUnsafeBytes { try bind(blob: $0, at: parameter) }
        case .composite(let attribute): try bind(attribute, of: row, at: parameter)
        case .toOne:
            let key = ObjectKey(rawValue: word)
            bind(key.primaryKey, at: parameter)
            if column.entityColumnName != nil { bind(Int64(entityNumbers[key.entityIndex]), at: parameter + 1) }
        }
    }

    /// Binds the elements of a composite attribute, a column each.
    private func bind(_ attribute: Entity.Attribute, of row: UnsafeRawPointer, at parameter: Int) throws {
        guard case .dictionary(let values) = attribute.value(in: row) else { return }
        for (offset, element) in attribute.elements.enumerated() {
            try bind(SQLBinding(values[element.name] ?? .null), at: parameter + offset)
        }
    }
}
