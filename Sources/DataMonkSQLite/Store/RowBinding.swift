import DataMonkCore
import DataMonkSQL

/// Binding packed rows: values go from the row's memory straight into the statement.
extension SQLiteStatement {
    /// Binds one slot of a row, from `parameter` on.
    ///
    /// Text and data are bound where they lie: the row outlives the statement's run.
    @inline(__always)
    func bind(
        _ column: RowWriting.Column, of row: UnsafeRawPointer, at parameter: Int, entityNumbers: [Int]
    ) throws {
        let slot = column.slot
        if RowFormat.isNull(row, slot) {
            bindNull(at: parameter)
            if column.entityColumnName != nil { bindNull(at: parameter + 1) }
            return
        }
        let word = RowFormat.word(row, slot)
        switch column.kind {
        case .integer: bind(Int64(bitPattern: word), at: parameter)
        case .real: bind(Double(bitPattern: word), at: parameter)
        case .text, .decimal: try bind(unsafeBorrowedText: RowFormat.bytes(row, slot), at: parameter)
        case .blob, .uuid: try bind(unsafeBorrowedBlob: RowFormat.bytes(row, slot), at: parameter)
        case .externalData: try bindInline(RowFormat.bytes(row, slot), at: parameter)
        case .toOne:
            let key = ObjectKey(rawValue: word)
            bind(key.primaryKey, at: parameter)
            if column.entityColumnName != nil { bind(Int64(entityNumbers[key.entityIndex]), at: parameter + 1) }
        }
    }

    /// Data of an attribute that allows external storage stands behind a byte 1 when it lies in the row itself.
    private func bindInline(_ bytes: UnsafeRawBufferPointer, at parameter: Int) throws {
        var value: [UInt8] = [1]
        value.append(contentsOf: bytes)
        try value.withUnsafeBytes { try bind(blob: $0, at: parameter) }
    }
}
