import DataMonkCore
import DataMonkSQL
import Foundation
import Testing

@Suite("Malformed property lists")
struct MalformedPropertyListTests {
    private func reason(_ data: Data, limits: PropertyListLimits = .init()) -> PropertyListError.Reason? {
        do {
            _ = try BinaryPropertyListReader.read(data, limits: limits)
            return nil
        } catch let error as PropertyListError {
            return error.reason
        } catch {
            Issue.record("another error: \(error)")
            return nil
        }
    }

    @Test func `bytes of something else are refused`() {
        #expect(reason(Data()) == .notABinaryPropertyList)
        #expect(reason(Data("<?xml version=\"1.0\"?>".utf8)) == .notABinaryPropertyList)
        #expect(reason(Data("bplist00".utf8)) == .truncated)
    }

    @Test func `a container that holds itself is refused`() {
        #expect(reason(plist(objects: [[0xa1, 0]])) == .cycle)
        #expect(reason(plist(objects: [[0xa1, 1], [0xd1, 2, 0], [0x51, 0x61]])) == .cycle)
    }

    @Test func `a few bytes that stand for billions of objects are refused`() {
        // Each array names the next one ten times: 10^12 strings at the bottom.
        let arrays = (0..<12).map { [0xaa] + [UInt8](repeating: UInt8($0 + 1), count: 10) }
        #expect(reason(plist(objects: arrays + [[0x51, 0x61]])) == .tooManyObjects)
    }

    /// Each of a thousand objects is the same megabyte: together they would be a gigabyte.
    @Test(arguments: [0x4f, 0x6f, 0xaf, 0xdf] as [UInt8]) func `objects that share their bytes are refused`(
        marker: UInt8
    ) {
        let (count, size) = (1_000, 1 << 20)
        var bytes = [UInt8]("bplist00".utf8) + [0xaf, 0x11, UInt8(count >> 8), UInt8(count & 0xff)]
        for index in 1...count { bytes += [UInt8(index >> 8), UInt8(index & 0xff)] }
        let shared = bytes.count
        let length = size / (marker == 0x4f ? 1 : marker == 0x6f ? 2 : 4)
        bytes += [marker, 0x12] + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) }
        // As references they lead to the last object, which is of no other size.
        bytes += (0..<size / 2).flatMap { _ in [UInt8((count + 1) >> 8), UInt8((count + 1) & 0xff)] }
        let last = bytes.count
        bytes += [0x08]
        let table = bytes.count
        for offset in [8] + Array(repeating: shared, count: count) + [last] {
            bytes += (0..<4).map { UInt8(truncatingIfNeeded: offset >> (24 - 8 * $0)) }
        }
        bytes += [0, 0, 0, 0, 0, 0, 4, 2]
        for number in [count + 2, 0, table] {
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        }
        let reason = reason(Data(bytes))
        #expect(reason == (marker == 0xdf ? .keyIsNotAString : .badTable))
    }

    @Test func `nesting deeper than the limit is refused on reading and writing`() throws {
        let arrays = (0..<200).map { [0xa1, UInt8($0 + 1)] }
        #expect(reason(plist(objects: arrays + [[0x08]])) == .tooDeep)
        var value = PropertyListValue.bool(true)
        for _ in 0..<128 { value = .array([value]) }
        #expect(try BinaryPropertyListReader.read(BinaryPropertyListWriter.write(value)) == value)
        #expect(throws: PropertyListError(.tooDeep)) { try BinaryPropertyListWriter.write(.array([value])) }
    }

    @Test func `a deep object that is reached twice counts where it is deepest`() {
        // The top names a chain of 100 directly, and again at the end of another chain of 100.
        var objects: [[UInt8]] = [[0xa2, 1, 101]]
        objects += (1...99).map { [0xa1, UInt8($0 + 1)] } + [[0xa0]]
        objects += (101...199).map { [0xa1, UInt8($0 + 1)] } + [[0xa1, 1]]
        #expect(reason(plist(objects: objects)) == .tooDeep)
    }

    @Test func `sizes beyond the end are refused`() {
        #expect(reason(plist(objects: [[0x4f, 0x13] + [UInt8](repeating: 0x7f, count: 8)])) == .truncated)
        #expect(reason(plist(objects: [[0x5e, 0x61]])) == .truncated)
        #expect(reason(plist(objects: [[0xaf, 0x11, 0xff, 0xff, 0]])) == .truncated)
    }

    @Test func `strings that are none are refused`() {
        #expect(reason(plist(objects: [[0x51, 0xff]])) == .badString)
        #expect(reason(plist(objects: [[0x61, 0xd8, 0x00]])) == .badString)
    }

    @Test func `keys must be strings and differ`() {
        #expect(reason(plist(objects: [[0xd1, 1, 1], [0x10, 1]])) == .keyIsNotAString)
        #expect(reason(plist(objects: [[0xd2, 1, 1, 1, 1], [0x51, 0x61]])) == .duplicateKey)
    }

    @Test func `unknown types and wild references are refused`() {
        #expect(reason(plist(objects: [[0xc1, 0]])) == .unknownType)
        #expect(reason(plist(objects: [[0x0f]])) == .unknownType)
        #expect(reason(plist(objects: [[0xa1, 9]])) == .badTable)
    }

    @Test func `size and object limits hold`() throws {
        let data = try BinaryPropertyListWriter.write(.array((0..<100).map { .integer($0) }))
        var limits = PropertyListLimits()
        limits.objectCount = 50
        #expect(reason(data, limits: limits) == .tooManyObjects)
        limits = PropertyListLimits()
        limits.byteCount = 100
        #expect(reason(data, limits: limits) == .tooLarge)
    }

    @Test func `two thousand mutations give a value or a typed error`() throws {
        let seed: UInt64 = 1
        print("seed of the mutations: \(seed)")
        var random = SplitMix(state: seed)
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: ["name": "Monk", "age": 18] as NSDictionary, requiringSecureCoding: false)
        let small = try BinaryPropertyListWriter.write(
            .dictionary(["a": .array([.integer(1), .real(2), .uid(3)]), "b": .dictionary(["é": .data(Data([1, 2]))])]))
        var refused = 0
        for round in 0..<2_000 {
            var bytes = [UInt8](round.isMultiple(of: 2) ? archive : small)
            for _ in 0...Int.random(in: 0..<4, using: &random) { mutate(&bytes, using: &random) }
            do {
                _ = try BinaryPropertyListReader.read(Data(bytes))
            } catch is PropertyListError {
                refused += 1
            }
        }
        #expect(refused > 500)
    }

    private func mutate(_ bytes: inout [UInt8], using random: inout SplitMix) {
        guard !bytes.isEmpty else { return }
        // Half of the changes hit the trailer and the table, where all structure hangs.
        let tail = max(0, bytes.count - 60)
        let place = Int.random(in: (Bool.random(using: &random) ? tail : 0)..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[place] = [0, 0x7f, 0x80, 0xff].randomElement(using: &random) ?? 0
        case 2: bytes[place] = .random(in: .min ... .max, using: &random)
        case 3: bytes.remove(at: place)
        default: bytes.insert(.random(in: .min ... .max, using: &random), at: place)
        }
    }
}

/// A generator that a printed seed brings back.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
