import BenchKit
import DataMonk
import Foundation

/// W17. Each access is a function of its own, which is not inlined: `scripts/accessors.sh` has callgrind count what is spent
/// inside each, the call and the return included. Functions that were alike but for a type would be merged into one: hence
/// some odd results.
extension DataMonkPeer {
    func accessAttributes(times: Int) throws {
        let stack = try Stack(Everything.self)
        try stack.addInMemoryStore()
        try Context(stack: stack).beginUpdateAndWait { update in
            let (object, friend) = (try update.create(Everything.self), try update.create(Everything.self))
            object.friend = friend
            try update.commit()
            access(object, friend, times: times)
            update.rollback()
        }
        try stack.close()
    }
}

/// Not optimized, or the calls would be seen to give the same each time.
@_optimize(none)
private func access(_ object: Everything, _ friend: Everything, times: Int) {
    let (date, uuid) = (Date(timeIntervalSinceReferenceDate: 1_000), UUID())
    let (decimal, data, url) = (Decimal(12.5), Data([1, 2, 3, 4]), URL.fallback)
    let (short, text) = ("Monk", "A text of more than fifteen bytes")
    for _ in 0..<times {
        writeBool(object, true)
        _ = readBool(object)
        writeInt16(object, 16)
        _ = readInt16(object)
        writeInt32(object, 32)
        _ = readInt32(object)
        writeInt(object, 64)
        _ = readInt(object)
        writeFloat(object, 1.5)
        _ = readFloat(object)
        writeDouble(object, 2.5)
        _ = readDouble(object)
        writeDate(object, date)
        _ = readDate(object)
        writeUUID(object, uuid)
        _ = readUUID(object)
        writeOptional(object, 64)
        _ = readOptional(object)
        writeEnum(object, .high)
        _ = readEnum(object)
        writeShortString(object, short)
        _ = readShortString(object)
        writeLongString(object, text)
        _ = readLongString(object)
        writeDecimal(object, decimal)
        _ = readDecimal(object)
        writeBytes(object, data)
        _ = readBytes(object)
        writeURL(object, url)
        _ = readURL(object)
        writeToOne(object, friend)
        _ = readToOne(object)
    }
}

@inline(never) private func readBool(_ object: Everything) -> Bool { object.flag }
@inline(never) private func writeBool(_ object: Everything, _ value: Bool) { object.flag = value }
@inline(never) private func readInt16(_ object: Everything) -> Int16 { object.small }
@inline(never) private func writeInt16(_ object: Everything, _ value: Int16) { object.small = value }
@inline(never) private func readInt32(_ object: Everything) -> Int32 { object.medium }
@inline(never) private func writeInt32(_ object: Everything, _ value: Int32) { object.medium = value }
@inline(never) private func readInt(_ object: Everything) -> Int { object.large }
@inline(never) private func writeInt(_ object: Everything, _ value: Int) { object.large = value }
@inline(never) private func readFloat(_ object: Everything) -> Float { object.single }
@inline(never) private func writeFloat(_ object: Everything, _ value: Float) { object.single = value }
@inline(never) private func readDouble(_ object: Everything) -> Double { object.double }
@inline(never) private func writeDouble(_ object: Everything, _ value: Double) { object.double = value }
@inline(never) private func readDate(_ object: Everything) -> Date { object.date }
@inline(never) private func writeDate(_ object: Everything, _ value: Date) { object.date = value }
@inline(never) private func readUUID(_ object: Everything) -> UUID { object.uuid }
@inline(never) private func writeUUID(_ object: Everything, _ value: UUID) { object.uuid = value }
@inline(never) private func readOptional(_ object: Everything) -> Int64? { object.optional }
@inline(never) private func writeOptional(_ object: Everything, _ value: Int64?) { object.optional = value }
@inline(never) private func readEnum(_ object: Everything) -> Everything.Level { object.level }
@inline(never) private func writeEnum(_ object: Everything, _ value: Everything.Level) { object.level = value }
@inline(never) private func readShortString(_ object: Everything) -> String { object.short }
@inline(never) private func writeShortString(_ object: Everything, _ value: String) { object.short = value }
@inline(never) private func readLongString(_ object: Everything) -> String { object.text }
@inline(never) private func writeLongString(_ object: Everything, _ value: String) { object.text = value }
@inline(never) private func readDecimal(_ object: Everything) -> Decimal { object.decimal }
@inline(never) private func writeDecimal(_ object: Everything, _ value: Decimal) { object.decimal = value }
@inline(never) private func readBytes(_ object: Everything) -> (Data, Bool) { (object.data, true) }
@inline(never) private func writeBytes(_ object: Everything, _ value: Data) { object.data = value }
@inline(never) private func readURL(_ object: Everything) -> URL? { object.url }
@inline(never) private func writeURL(_ object: Everything, _ value: URL) { object.url = value }
@inline(never) private func readToOne(_ object: Everything) -> Everything? { object.friend }
@inline(never) private func writeToOne(_ object: Everything, _ value: Everything) { object.friend = value }
