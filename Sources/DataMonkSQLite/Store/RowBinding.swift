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
        case .externalData:
            guard let externalData else { preconditionFailure("A store with external data has a folder for it.") }
            try externalData.columnValue(row, slot).withUnsafeBytes { try bind(blob: $0, at: parameter) }
        case .toOne:
            let key = ObjectKey(rawValue: word)
            bind(key.primaryKey, at: parameter)
            if column.entityColumnName != nil { bind(Int64(entityNumbers[key.entityIndex]), at: parameter + 1) }
        }
    }
}
