import DataMonkCore
import DataMonkSQL
import Foundation
import Testing

struct KeyedArchiveTests {
    private func archive(_ objects: [PropertyListValue], root: UInt64 = 1) throws -> Data {
        try BinaryPropertyListWriter.write(
            .dictionary([
                "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"),
                "$top": .dictionary(["root": .uid(root)]), "$objects": .array([.string("$null")] + objects),
            ]))
    }

    private func reason(_ data: Data) -> KeyedArchiveError.Reason? {
        do {
            var archive = try KeyedArchive(data)
            _ = try archive.root()
            return nil
        } catch {
            return (error as? KeyedArchiveError)?.reason
        }
    }

    @Test func `objects may refer to each other in circles`() throws {
        var writer = KeyedArchiveWriter()
        let (one, other) = (writer.reserve(), writer.reserve())
        writer.fill(one, classes: ["Node"], fields: ["next": other.uid, "name": writer.add(.string("one"))])
        writer.fill(other, classes: ["Node"], fields: ["next": one.uid])
        var archive = try KeyedArchive(writer.archive(root: one))
        let first = try #require(try archive.root().object)
        let second = try #require(try archive.value(of: first, "next").object)
        #expect(try archive.string(of: first, "name") == "one")
        #expect(try archive.value(of: second, "next").object?.number == first.number)
        #expect(first.isKind(of: "Node") && first.isKind(of: "NSObject") && !first.isKind(of: "Other"))
    }

    @Test func `texts are kept apart that Swift calls equal`() throws {
        var writer = KeyedArchiveWriter()
        let root = writer.reserve()
        writer.fill(
            root, classes: ["Pair"], fields: ["a": writer.add(.string("é")), "b": writer.add(.string("e\u{301}"))])
        var archive = try KeyedArchive(writer.archive(root: root))
        let pair = try #require(try archive.root().object)
        #expect(try archive.string(of: pair, "a")?.unicodeScalars.count == 1)
        #expect(try archive.string(of: pair, "b")?.unicodeScalars.count == 2)
    }

    @Test func `what is no archive is refused with the reason`() throws {
        let list = try BinaryPropertyListWriter.write(.dictionary(["a": .integer(1)]))
        let later = try BinaryPropertyListWriter.write(
            .dictionary([
                "$version": .integer(200_000), "$archiver": .string("NSKeyedArchiver"), "$objects": .array([]),
                "$top": .dictionary(["root": .uid(0)]),
            ]))
        #expect(reason(list) == .notAnArchive)
        #expect(reason(later) == .unknownVersion)
        #expect(reason(try archive([], root: 5)) == .danglingReference)
        #expect(reason(try archive([.dictionary(["a": .integer(1)])])) == .objectWithoutClass)
        #expect(reason(try archive([.dictionary(["$class": .uid(9)])])) == .objectWithoutClass)
        #expect(reason(try archive([.dictionary(["$class": .uid(1)])])) == .objectWithoutClass)
    }

    @Test func `a few objects that stand for billions run into the cap`() throws {
        let array = PropertyListValue.dictionary(["$classname": .string("NSArray"), "$classes": .array([])])
        let levels = (UInt64(1)...40).map { level in
            PropertyListValue.dictionary([
                "$class": .uid(41), "NS.objects": .array(Array(repeating: .uid(level < 40 ? level + 1 : 0), count: 10)),
            ])
        }
        var archive = try KeyedArchive(archive(levels + [array]), maximumSteps: 10_000)
        func visit(_ value: KeyedArchiveValue) throws {
            for element in try archive.array(value) ?? [] { try visit(element) }
        }
        let root = try archive.root()
        #expect(throws: KeyedArchiveError(.tooMuchWork)) { try visit(root) }
    }
}
