import DataMonkCore
import DataMonkSQL

/// Binds packed rows: values go directly from the row's memory to the statement.
extension SQLiteStatement {
    /// Binds the values of a row that a plan writes, beginning with the parameter `first`.
    ///
    /// Text and data are bound without copying: the row outlives the statement's run.
    @inline(__always)
    func bind(
        _ plan: WritePlan, of row: UnsafeRawPointer, from first: Int, entityNumbers: [Int],
        externalData: ExternalDataLog?
    ) throws {
        for index in plan.columns.indices {
            let column = plan.columns[index]
            let slot = Int(column.slot)
            let parameter = first &+ Int(column.position)
            if RowFormat.isNull(in: row, at: slot) {
                bindNull(at: parameter)
                for offset in 1..<max(1, Int(column.width)) { bindNull(at: parameter &+ offset) }
                continue
            }
            let word = RowFormat.word(in: row, at: slot)
            switch column.form {
            case .integer: bind(Int64(bitPattern: word), at: parameter)
            case .real: bind(Double(bitPattern: word), at: parameter)
            case .text: try bind(unsafeBorrowedText: RowFormat.bytes(in: row, at: slot), at: parameter)
            case .decimal: bind(decimal: RowFormat.bytes(in: row, at: slot), at: parameter)
            case .bytes: try bind(unsafeBorrowedBlob: RowFormat.bytes(in: row, at: slot), at: parameter)
            case .toOne: bind(ObjectKey(rawValue: word).primaryKey, at: parameter)
            case .toAnyOne:
                let key = ObjectKey(rawValue: word)
                bind(key.primaryKey, at: parameter)
                bind(Int64(entityNumbers[key.entityIndex]), at: parameter &+ 1)
            case .externalData, .composite:
                try bindSlowly(plan.written[index], of: row, at: parameter, externalData: externalData)
            }
        }
    }

    /// Binds a decimal as a number.
    @inline(never)
    private func bind(decimal text: UnsafeRawBufferPointer, at parameter: Int) {
        switch StoredDecimal(text: text) {
        case .integer(let number): bind(number, at: parameter)
        case .real(let number): bind(number, at: parameter)
        }
    }

    /// Binds a value whose form in the store differs from that in a row.
    @inline(never)
    private func bindSlowly(
        _ column: RowWriting.Column, of row: UnsafeRawPointer, at parameter: Int, externalData: ExternalDataLog?
    ) throws {
        if column.stored.form == .composite, let attribute = column.property.attribute {
            return try bind(attribute, of: row, at: parameter)
        }
        guard let externalData else { preconditionFailure("A store with external data has a folder for it") }
        try externalData.bind(column.slot, of: row, to: self, at: parameter)
    }

    /// Binds the elements of a composite attribute, one column each.
    private func bind(_ attribute: Entity.Attribute, of row: UnsafeRawPointer, at parameter: Int) throws {
        guard case .dictionary(let values) = attribute.value(in: row) else { return }
        for (offset, element) in attribute.elements.enumerated() {
            try bind(SQLBinding(values[element.name] ?? .null), at: parameter + offset)
        }
    }
}
