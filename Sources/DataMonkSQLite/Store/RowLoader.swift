import DataMonkCore
import DataMonkSQL
import Foundation

/// **Confined.** Packs rows from a statement's columns into a row's memory, each value once.
///
/// Each row takes two passes. The first reads the address of each long value (text, data), which SQLite keeps until the next
/// step, and adds up the size. The second writes slots and tail. A column's type is read only if its value alone cannot be
/// distinguished from NULL: zero numbers and empty data.
struct RowLoader {
    private let storeIndex: Int
    private let store: SQLiteStore
    private let maximumSize = RowFormat.maximumSize
    /// The long values of the current row, by column; grown by `prepare`.
    private var long: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>

    init(store: SQLiteStore) {
        self.store = store
        storeIndex = store.index
        long = .allocate(capacity: 32)
    }

    func deallocate() { long.deallocate() }

    /// Makes room for the columns of a plan. Call it before rows of the plan are packed.
    @inline(__always)
    mutating func prepare(_ plan: LoadPlan) {
        if plan.columnCount <= long.count { return }
        long.deallocate()
        long = .allocate(capacity: plan.columnCount)
    }

    /// Returns the key of the current row's object, and the position of the entity's plan.
    @inline(__always)
    func key(of statement: SQLiteStatement, plan: LoadPlan) throws -> (key: ObjectKey, position: Int) {
        var position = 0
        if plan.entityColumn >= 0 {
            let number = Int(statement.int64(at: plan.entityColumn))
            while position < plan.entities.count, plan.entities[position].number != number { position &+= 1 }
            if position == plan.entities.count { throw StoreError.unexpectedEntity(number, in: store.fileURL) }
        }
        let primaryKey = try store.usable(statement.int64(at: 0))
        let entity = plan.entities[position].entityIndex
        return (ObjectKey(store: storeIndex, entity: entity, primaryKey: primaryKey), position)
    }

    /// Packs the current row and returns its row pointer.
    @inline(__always)
    func pack(
        _ statement: SQLiteStatement, plan: LoadPlan, position: Int, into arena: inout RowArena
    ) throws -> UnsafeMutableRawPointer {
        let entity = plan.entities[position]
        if entity.hasSpecial { return try packSlowly(statement, plan: plan, position: position, into: &arena) }
        var size = entity.headerSize &+ entity.blankSize
        for index in 0..<entity.longCount {
            let column = entity.columns[index]
            let position = Int(column.position)
            // A pattern, here and below: `==` would be a call into the module of the type.
            let bytes =
                if case .text = column.form { statement.unsafeText(at: position) } else {
                    statement.unsafeBlob(at: position)
                }
            long[index] = bytes
            size &+= bytes.count
        }
        guard size < maximumSize else { throw StoreError.rowTooLarge(entity.layout.entity, in: store.fileURL) }
        let memory = arena.allocate(size)
        let row = memory + entity.headerSize
        // All slots are zero and null, as to-manys and NULLs stay; transient attributes have their defaults.
        memory.copyMemory(
            from: entity.blankRow - entity.headerSize, byteCount: entity.headerSize &+ entity.blankSize)
        RowFormat.setVersion(statement.int64(at: plan.versionColumn), of: row)
        var end = entity.blankSize
        for index in 0..<entity.longCount {
            fill(row, column: entity.columns[index], with: long[index], of: statement, at: &end)
        }
        for index in entity.longCount..<entity.columns.count {
            try fill(row, column: entity.columns[index], of: statement)
        }
        return row
    }

    @inline(__always)
    private func fill(
        _ row: UnsafeMutableRawPointer, column: StoredColumn, with bytes: UnsafeRawBufferPointer,
        of statement: SQLiteStatement, at end: inout Int
    ) {
        if let start = bytes.baseAddress {
            (row + end).copyMemory(from: start, byteCount: bytes.count)
        } else if statement.isNull(at: Int(column.position)) {
            // SQLite returns no address for empty data either.
            return
        }
        let slot = Int(column.slot)
        RowFormat.setWord(RowFormat.tailWord(offset: end, count: bytes.count), in: row, at: slot)
        RowFormat.setNull(false, in: row, at: slot)
        end &+= bytes.count
    }

    @inline(__always)
    private func fill(
        _ row: UnsafeMutableRawPointer, column: StoredColumn, of statement: SQLiteStatement
    ) throws {
        let slot = Int(column.slot)
        let position = Int(column.position)
        switch column.form {
        case .integer:
            let value = statement.int64(at: position)
            if value == 0, try isNull(statement, at: position) { return }
            RowFormat.setWord(UInt64(bitPattern: value), in: row, at: slot)
        case .real:
            let value = statement.double(at: position)
            if value == 0, try isNull(statement, at: position) { return }
            RowFormat.setWord(value.bitPattern, in: row, at: slot)
        case .toOne, .toAnyOne:
            let primaryKey = statement.int64(at: position)
            if primaryKey == 0 {
                _ = try isNull(statement, at: position)
                return
            }
            RowFormat.setWord(try destinationKey(primaryKey, column: column, of: statement).rawValue, in: row, at: slot)
        case .text, .bytes, .decimal, .externalData, .composite:
            return
        }
        RowFormat.setNull(false, in: row, at: slot)
    }

    /// Returns `true` if a column that reads as zero is NULL. Text and data also read as zero, and are not numbers. (Text
    /// that begins with digits reads as those digits; detecting it would mean reading the type of every value.)
    @inline(__always)
    private func isNull(_ statement: SQLiteStatement, at position: Int) throws -> Bool {
        switch statement.type(at: position) {
        case .null: true
        case .integer, .double: false
        case .text, .blob: throw StoreError.valueIsNoNumber(store.fileURL)
        }
    }

    @inline(__always)
    private func destinationKey(
        _ primaryKey: Int64, column: StoredColumn, of statement: SQLiteStatement
    ) throws -> ObjectKey {
        let primaryKey = try store.usable(primaryKey)
        var entity = Int(column.destination)
        if case .toAnyOne = column.form {
            let number = Int(statement.int64(at: Int(column.position) &+ 1))
            guard let found = store.plans.entityIndicesByNumber[number] else {
                throw StoreError.damagedReference(number, in: store.fileURL)
            }
            entity = found
        }
        return ObjectKey(store: storeIndex, entity: entity, primaryKey: primaryKey)
    }

    // MARK: Values that are not packed in their stored form

    /// Packs a row with decimals or external data through a draft, value by value.
    @inline(never)
    private func packSlowly(
        _ statement: SQLiteStatement, plan: LoadPlan, position: Int, into arena: inout RowArena
    ) throws -> UnsafeMutableRawPointer {
        let layout = plan.entities[position].layout
        let draft = DraftRow(copying: layout.blankRow.pointer, of: layout, base: nil)
        for column in plan.entities[position].columns {
            if column.form == .composite, let attribute = layout.entity.properties[Int(column.slot)].attribute {
                put(attribute, of: statement, from: Int(column.position), into: draft)
            } else if !statement.isNull(at: Int(column.position)) {
                try put(column, of: statement, into: draft)
            }
        }
        if draft.refusedSlot >= 0 { throw StoreError.rowTooLarge(layout.entity, in: store.fileURL) }
        let version = statement.int64(at: plan.versionColumn)
        let row = layout.seal(draft, version: version, in: &arena)
        // Just created, and not shared yet.
        return UnsafeMutableRawPointer(mutating: row.pointer)
    }

    private func put(_ column: StoredColumn, of statement: SQLiteStatement, into draft: DraftRow) throws {
        var editor = RowEditor(draft)
        let (slot, position) = (Int(column.slot), Int(column.position))
        switch column.form {
        case .integer:
            let value = statement.int64(at: position)
            if value == 0 { _ = try isNull(statement, at: position) }
            editor.setInt64(value, at: slot)
        case .real:
            let value = statement.double(at: position)
            if value == 0 { _ = try isNull(statement, at: position) }
            editor.setDouble(value, at: slot)
        case .text: editor.setBytes(statement.unsafeText(at: position), at: slot)
        case .bytes: editor.setBytes(statement.unsafeBlob(at: position), at: slot)
        case .decimal: try put(decimalOf: statement, at: position, into: &editor, slot: slot)
        case .externalData: try putExternalData(statement.unsafeBlob(at: position), into: draft, slot: slot)
        case .composite: break
        case .toOne, .toAnyOne:
            let key = try destinationKey(statement.int64(at: position), column: column, of: statement)
            editor.setInt64(Int64(bitPattern: key.rawValue), at: slot)
        }
    }

    /// Reads the elements of a composite attribute, one column each.
    private func put(
        _ attribute: Entity.Attribute, of statement: SQLiteStatement, from position: Int, into draft: DraftRow
    ) {
        var values: [String: ManagedValue] = [:]
        for (offset, element) in attribute.elements.enumerated() {
            let value = ValueColumn(element, at: position + offset).value(statement.managedValue(at: position + offset))
            // A value that does not fit the element's type counts as none. Only another program can have written it.
            if !value.isNull, element.accepts(value) { values[element.name] = value }
        }
        var editor = RowEditor(draft)
        attribute.write(.dictionary(values), to: &editor)
    }

    /// Reads external data. The first byte gives its kind: 1 the data itself, 2 the name of its file.
    private func putExternalData(_ bytes: UnsafeRawBufferPointer, into draft: DraftRow, slot: Int) throws {
        switch bytes.first {
        case 1:
            draft.setBytes(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()), slot: slot)
        case 2:
            guard let folder = store.externalData,
                let reference = ExternalReference(column: bytes, source: folder.number)
            else { throw StoreError.damagedExternalData(store.fileURL) }
            reference.withBytes { draft.setReference($0, slot: slot) }
        default:
            throw StoreError.damagedExternalData(store.fileURL)
        }
    }

    private func put(
        decimalOf statement: SQLiteStatement, at position: Int, into editor: inout RowEditor, slot: Int
    ) throws {
        switch statement.type(at: position) {
        case .integer: Decimal.writeStored(Decimal(statement.int64(at: position)), to: &editor, slot: slot)
        case .double: Decimal.writeStored(Decimal(shortest: statement.double(at: position)), to: &editor, slot: slot)
        default:
            let text = statement.text(at: position) ?? ""
            guard let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) else {
                throw StoreError.valueIsNoNumber(store.fileURL)
            }
            Decimal.write(value, to: &editor, slot: slot)
        }
    }
}
