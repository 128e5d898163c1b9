import DataMonkCore
import DataMonkSQL
import Foundation

/// **Confined.** Packs the rows of one SELECT: from the statement's columns into a row's memory, each value once.
///
/// Two passes a row. The first asks for each long value (text, data), whose pointer SQLite keeps until the next step,
/// and adds up the size; the second writes slots and tail. A column's type is asked for only where the value alone
/// cannot tell NULL: zero numbers, empty data.
struct RowLoader {
    private let plan: RowPlan
    private let layouts: [EntityLayout]
    private let storeIndex: Int
    private let entityIndicesByNumber: [Int: Int]
    private let store: SQLiteStore
    /// The long values of the row at hand, by column.
    private let long: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>

    init(_ plan: RowPlan, store: SQLiteStore) {
        self.plan = plan
        self.store = store
        layouts = plan.entities.map { store.directory.layouts[$0.entity.index] }
        storeIndex = store.index
        entityIndicesByNumber = store.plans.entityIndicesByNumber
        long = .allocate(capacity: plan.entities.map(\.columns.count).max() ?? 0)
    }

    func deallocate() { long.deallocate() }

    /// The object of the current row, and which entity's plan reads it.
    @inline(__always)
    func key(_ statement: SQLiteStatement) throws -> (key: ObjectKey, position: Int) {
        var position = 0
        if let column = plan.key.entityColumn {
            let number = Int(statement.int64(at: column))
            guard let found = plan.key.position(ofNumber: number) else {
                throw StoreError.unexpectedEntity(number, store.fileURL)
            }
            position = found
        }
        let primaryKey = statement.int64(at: 0)
        guard primaryKey > 0, primaryKey <= ObjectKey.maximumPrimaryKey else {
            throw StoreError.unusablePrimaryKey(primaryKey, store.fileURL)
        }
        let entity = plan.entities[position].entity.index
        return (ObjectKey(store: storeIndex, entity: entity, primaryKey: primaryKey), position)
    }

    /// Packs the current row. The result is the row pointer.
    @inline(__always)
    func pack(
        _ statement: SQLiteStatement, _ position: Int, _ arena: inout RowArena
    ) throws -> UnsafeMutableRawPointer {
        let layout = layouts[position]
        let columns = plan.entities[position].columns
        var size = layout.headerSize &+ layout.slotsSize
        for index in columns.indices {
            switch columns[index].kind {
            case .text:
                let bytes = statement.unsafeText(at: columns[index].position)
                long[index] = bytes
                size &+= bytes.count
            case .blob, .uuid:
                let bytes = statement.unsafeBlob(at: columns[index].position)
                long[index] = bytes
                size &+= bytes.count
            case .decimal, .externalData:
                return try packSlowly(statement, position, &arena)
            case .integer, .real, .toOne: continue
            }
        }
        guard size < RowFormat.maximumSize else { throw StoreError.rowTooLarge(layout.entity, store.fileURL) }
        let memory = arena.allocate(size)
        let row = memory + layout.headerSize
        clear(memory, row, layout)
        RowFormat.setVersion(statement.int64(at: plan.versionColumn), row)
        var end = layout.slotsSize
        for index in columns.indices {
            try fill(row, columns[index], index, statement, &end)
        }
        return row
    }

    /// Every slot zero, and null where the store holds nothing: to-manys and transient properties.
    @inline(__always)
    private func clear(_ memory: UnsafeMutableRawPointer, _ row: UnsafeMutableRawPointer, _ layout: EntityLayout) {
        memory.copyMemory(
            from: layout.emptyRow.pointer - layout.headerSize, byteCount: layout.headerSize + layout.slotsSize)
    }

    @inline(__always)
    private func fill(
        _ row: UnsafeMutableRawPointer, _ column: RowColumn, _ index: Int, _ statement: SQLiteStatement, _ end: inout Int
    ) throws {
        let slot = column.slot
        switch column.kind {
        case .integer:
            let value = statement.int64(at: column.position)
            if value == 0, statement.isNull(at: column.position) { return }
            RowFormat.setWord(UInt64(bitPattern: value), row, slot)
        case .real:
            let value = statement.double(at: column.position)
            if value == 0, statement.isNull(at: column.position) { return }
            RowFormat.setWord(value.bitPattern, row, slot)
        case .text, .blob, .uuid:
            let bytes = long[index]
            guard let start = bytes.baseAddress else {
                // SQLite gives no address for empty data either.
                if statement.isNull(at: column.position) { return }
                RowFormat.setWord(RowFormat.tailWord(offset: end, count: 0), row, slot)
                break
            }
            (row + end).copyMemory(from: start, byteCount: bytes.count)
            RowFormat.setWord(RowFormat.tailWord(offset: end, count: bytes.count), row, slot)
            end &+= bytes.count
        case .toOne(let destination, let entityColumn):
            let primaryKey = statement.int64(at: column.position)
            if primaryKey == 0 { return }
            RowFormat.setWord(
                try destinationKey(primaryKey, destination, entityColumn, statement).rawValue, row, slot)
        case .decimal, .externalData:
            return
        }
        RowFormat.setNull(false, row, slot)
    }

    private func destinationKey(
        _ primaryKey: Int64, _ destination: Entity, _ entityColumn: Int?, _ statement: SQLiteStatement
    ) throws -> ObjectKey {
        guard primaryKey > 0, primaryKey <= ObjectKey.maximumPrimaryKey else {
            throw StoreError.unusablePrimaryKey(primaryKey, store.fileURL)
        }
        var entity = destination.index
        if let entityColumn {
            let number = Int(statement.int64(at: entityColumn))
            guard let found = entityIndicesByNumber[number] else {
                throw StoreError.unexpectedEntity(number, store.fileURL)
            }
            entity = found
        }
        return ObjectKey(store: storeIndex, entity: entity, primaryKey: primaryKey)
    }

    // MARK: Values that are not packed as they lie

    /// Rows with decimals or external data: through a draft, value by value.
    @inline(never)
    private func packSlowly(
        _ statement: SQLiteStatement, _ position: Int, _ arena: inout RowArena
    ) throws -> UnsafeMutableRawPointer {
        let layout = layouts[position]
        let empty = layout.emptyRow.pointer
        let draft = DraftRow(copying: empty, slots: layout.slotCount, size: layout.slotsSize, base: nil)
        for column in plan.entities[position].columns where !statement.isNull(at: column.position) {
            try put(column, statement, into: draft)
        }
        let version = statement.int64(at: plan.versionColumn)
        let row = layout.seal(draft, version: version, in: &arena)
        // Just made, and nobody else's yet.
        return UnsafeMutableRawPointer(mutating: row.pointer)
    }

    private func put(_ column: RowColumn, _ statement: SQLiteStatement, into draft: DraftRow) throws {
        var editor = RowEditor(draft)
        switch column.kind {
        case .integer: editor.setInt64(statement.int64(at: column.position), column.slot)
        case .real: editor.setDouble(statement.double(at: column.position), column.slot)
        case .text: editor.setBytes(statement.unsafeText(at: column.position), column.slot)
        case .blob, .uuid: editor.setBytes(statement.unsafeBlob(at: column.position), column.slot)
        case .decimal: Decimal.write(decimal(statement, column.position), to: &editor, slot: column.slot)
        case .externalData:
            let bytes = statement.unsafeBlob(at: column.position)
            guard bytes.first == 1 else { throw StoreError.externalData(store.fileURL) }
            editor.setBytes(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()), column.slot)
        case .toOne(let destination, let entityColumn):
            let primaryKey = statement.int64(at: column.position)
            let key = try destinationKey(primaryKey, destination, entityColumn, statement)
            editor.setInt64(Int64(bitPattern: key.rawValue), column.slot)
        }
    }

    private func decimal(_ statement: SQLiteStatement, _ column: Int) -> Decimal {
        switch statement.type(at: column) {
        case .integer: Decimal(statement.int64(at: column))
        case .double: Decimal(shortest: statement.double(at: column))
        default:
            Decimal(string: statement.text(at: column) ?? "", locale: Locale(identifier: "en_US_POSIX")) ?? .zero
        }
    }
}
