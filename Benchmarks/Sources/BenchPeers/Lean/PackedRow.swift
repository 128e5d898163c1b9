import BenchKit
import Foundation
import SystemSQLite

/// A row as bytes: a word of null bits, a word a column (a number, or offset << 32 | length of a text), then the
/// texts as UTF-8. A text becomes a String when it is read.
enum PackedRow {
    private static let slots = 8

    @inline(__always)
    static func word(_ row: UnsafeRawPointer, _ column: Int) -> UInt64 {
        (row + slots + column * 8).load(as: UInt64.self)
    }

    @inline(__always)
    static func setWord(_ row: UnsafeMutableRawPointer, _ column: Int, _ word: UInt64) {
        (row + slots + column * 8).storeBytes(of: word, as: UInt64.self)
    }

    @inline(__always)
    static func text(_ row: UnsafeRawPointer, _ column: Int) -> String {
        let word = word(row, column)
        let bytes = UnsafeRawBufferPointer(start: row + Int(word >> 32), count: Int(word & 0xFFFF_FFFF))
        return String(decoding: bytes, as: UTF8.self)
    }

    @inline(__always)
    static func isNull(_ row: UnsafeRawPointer, _ column: Int) -> Bool {
        row.load(as: UInt64.self) & (1 << UInt64(column)) != 0
    }

    /// The row at which the statement stands. Each text is asked for once, and its pointer kept in `texts` until the
    /// size is known; the type is asked for only where zero could be a null.
    @inline(__always)
    static func make(
        _ statement: OpaquePointer, _ plan: RowPlan, in arena: inout RowArena, texts: UnsafeMutablePointer<TextColumn>
    ) -> UnsafeMutableRawPointer {
        var size = slots + plan.count * 8
        for column in 0..<plan.count where plan[column] == .text {
            texts[column] = TextColumn(statement, Int32(truncatingIfNeeded: column))
            size += texts[column].count
        }
        let row = arena.allocate(size)
        var end = slots + plan.count * 8
        var nulls: UInt64 = 0
        for column in 0..<plan.count {
            let index = Int32(truncatingIfNeeded: column)
            switch plan[column] {
            case .int: setWord(row, column, UInt64(bitPattern: sqlite3_column_int64(statement, index)))
            case .double: setWord(row, column, sqlite3_column_double(statement, index).bitPattern)
            case .nullableInt:
                let value = sqlite3_column_int64(statement, index)
                if value == 0, sqlite3_column_type(statement, index) == SQLITE_NULL { nulls |= 1 << UInt64(column) }
                setWord(row, column, UInt64(bitPattern: value))
            case .text: append(texts[column], to: row, column, &end, &nulls)
            }
        }
        row.storeBytes(of: nulls, as: UInt64.self)
        return row
    }

    @inline(__always)
    private static func append(
        _ text: TextColumn, to row: UnsafeMutableRawPointer, _ column: Int, _ end: inout Int, _ nulls: inout UInt64
    ) {
        guard let bytes = text.bytes else {
            nulls |= 1 << UInt64(column)
            return
        }
        memcpy(row + end, bytes, text.count)
        setWord(row, column, UInt64(end) << 32 | UInt64(text.count))
        end += text.count
    }

    /// A new object's row, from the values it was given.
    @inline(__always)
    static func make(_ person: PersonInput, in arena: inout RowArena) -> UnsafeMutableRawPointer {
        var name = person.name
        var location = person.location ?? ""
        return name.withUTF8 { name in
            location.withUTF8 { location in
                var end = slots + RowPlan.person.count * 8
                var nulls: UInt64 = 0
                let row = arena.allocate(end + name.count + location.count)
                setWord(row, 0, UInt64(bitPattern: person.id))
                append(TextColumn(name), to: row, 1, &end, &nulls)
                setWord(row, 2, UInt64(bitPattern: Int64(person.age)))
                if person.location == nil {
                    nulls |= 1 << 3
                } else {
                    append(TextColumn(location), to: row, 3, &end, &nulls)
                }
                setWord(row, 4, person.salary.bitPattern)
                setWord(row, 5, person.created.bitPattern)
                if let friendID = person.friendID {
                    setWord(row, 6, UInt64(bitPattern: friendID))
                } else {
                    nulls |= 1 << 6
                }
                row.storeBytes(of: nulls, as: UInt64.self)
                return row
            }
        }
    }

    /// Every column to the parameters of an INSERT. Text is bound where it lies: the row outlives the step.
    @inline(__always)
    static func bind(_ row: UnsafeRawPointer, _ plan: RowPlan, to statement: OpaquePointer) {
        for column in 0..<plan.count {
            let index = Int32(truncatingIfNeeded: column + 1)
            if isNull(row, column) {
                sqlite3_bind_null(statement, index)
                continue
            }
            let word = word(row, column)
            switch plan[column] {
            case .int, .nullableInt: sqlite3_bind_int64(statement, index, Int64(bitPattern: word))
            case .double: sqlite3_bind_double(statement, index, Double(bitPattern: word))
            case .text:
                let bytes = (row + Int(word >> 32)).assumingMemoryBound(to: CChar.self)
                sqlite3_bind_text(statement, index, bytes, Int32(word & 0xFFFF_FFFF), nil)
            }
        }
    }
}
