import DataMonkCore
import DataMonkSQL
import Foundation
import Testing

@Suite("Binary property lists")
struct BinaryPropertyListTests {
    /// One of every kind, in sizes on both sides of the format's borders.
    static let everything: PropertyListValue = .dictionary([
        "empty": .string(""), "ascii": .string("NSStoreModelVersionHashes"), "accent": .string("Zoë 🏯"),
        "long": .string(String(repeating: "x", count: 300)), "longer": .string(String(repeating: "é", count: 70_000)),
        "integers": .array(
            [0, 1, 127, 128, 255, 256, 65_535, 65_536, 4_294_967_295, 1 << 32, .max, -1, .min].map(
                PropertyListValue.integer)),
        "reals": .array([.real(0.5), .real(-1e300), .real(.infinity)]),
        "flags": .array([.bool(true), .bool(false), .bool(true)]),
        "date": .date(Date(timeIntervalSinceReferenceDate: 445_103_622.25)),
        "data": .data(Data((0..<300).map { UInt8(truncatingIfNeeded: $0) })), "noData": .data(Data()),
        "many": .array((0..<400).map { .integer($0) }), "none": .array([]), "empties": .dictionary([:]),
    ])

    @Test func `what is written is read back equal`() throws {
        let data = try BinaryPropertyListWriter.write(Self.everything)
        #expect(try BinaryPropertyListReader.read(data) == Self.everything)
    }

    @Test func `Foundation reads what we write as equal`() throws {
        let data = try BinaryPropertyListWriter.write(Self.everything)
        let read = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        let expected = try #require(Self.everything.foundation as? [String: Any])
        #expect(NSDictionary(dictionary: try #require(read)).isEqual(to: expected))
    }

    @Test func `we read what Foundation writes as equal`() throws {
        let data = try PropertyListSerialization.data(
            fromPropertyList: Self.everything.foundation, format: .binary, options: 0)
        #expect(try BinaryPropertyListReader.read(data) == Self.everything)
    }

    @Test func `null and UIDs of every width survive`() throws {
        let value: PropertyListValue = .array([.null, .uid(0), .uid(255), .uid(256), .uid(70_000), .uid(.max)])
        #expect(try BinaryPropertyListReader.read(BinaryPropertyListWriter.write(value)) == value)
    }

    @Test func `the UIDs of a keyed archive are read`() throws {
        let archive = try NSKeyedArchiver.archivedData(withRootObject: NSString("Monk"), requiringSecureCoding: true)
        let value = try BinaryPropertyListReader.read(archive)
        guard case .uid(let root)? = value["$top"]?["root"] else {
            Issue.record("no UID at $top.root")
            return
        }
        #expect(value["$archiver"] == .string("NSKeyedArchiver"))
        #expect(root > 0 && Int(root) < value["$objects"]?.arrayValue?.count ?? 0)
    }

    @Test func `equal plain values are written once`() throws {
        let text = PropertyListValue.string(String(repeating: "Kyoto", count: 100))
        let once = try BinaryPropertyListWriter.write(.array([text]))
        let often = try BinaryPropertyListWriter.write(.array(Array(repeating: text, count: 50)))
        #expect(often.count < once.count + 60)
    }

    @Test func `strings that differ in composition only stay apart`() throws {
        let value: PropertyListValue = .array([.string("\u{e9}"), .string("e\u{301}"), .real(0.0), .real(-0.0)])
        let read = try BinaryPropertyListReader.read(BinaryPropertyListWriter.write(value)).arrayValue ?? []
        #expect(read.compactMap { $0.stringValue?.unicodeScalars.count } == [1, 2])
        guard case .real(let zero)? = read.last else {
            Issue.record("no real at the end")
            return
        }
        #expect(zero.sign == .minus)
    }

    @Test func `equal dictionaries give equal bytes`() throws {
        let pairs = (0..<50).map { ("key\($0)", PropertyListValue.integer($0)) }
        let one = try BinaryPropertyListWriter.write(.dictionary(Dictionary(uniqueKeysWithValues: pairs)))
        let other = try BinaryPropertyListWriter.write(.dictionary(Dictionary(uniqueKeysWithValues: pairs.reversed())))
        #expect(one == other)
    }

    @Test func `integers of sixteen bytes are read where they fit and refused where not`() throws {
        let fits = plist(objects: [[0x14] + [UInt8](repeating: 0, count: 15) + [7]])
        #expect(try BinaryPropertyListReader.read(fits) == .integer(7))
        let tooLarge = plist(objects: [[0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xff, count: 8)])
        #expect(throws: PropertyListError.self) { try BinaryPropertyListReader.read(tooLarge) }
    }
}

extension PropertyListValue {
    var foundation: Any {
        switch self {
        case .null, .uid: NSNull()
        case .bool(let flag): NSNumber(value: flag)
        case .integer(let integer): NSNumber(value: integer)
        case .real(let real): NSNumber(value: real)
        case .string(let string): string
        case .date(let date): date
        case .data(let data): data
        case .array(let array): array.map(\.foundation)
        case .dictionary(let dictionary): dictionary.mapValues(\.foundation)
        }
    }
}

/// A property list of these encoded objects, the first at the top.
func plist(objects: [[UInt8]], referenceSize: UInt8 = 1) -> Data {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
        offsets += [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)]
        bytes += object
    }
    let table = UInt64(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, 2, referenceSize]
    for number in [UInt64(objects.count), 0, table] {
        bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }
    return Data(bytes)
}
