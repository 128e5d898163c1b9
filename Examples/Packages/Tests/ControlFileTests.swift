import DebianPackages
import Foundation
import Testing

@Suite struct ControlFileTests {
    @Test func `a value may go on over lines`() throws {
        let file = ControlFile("Package: a\nDepends: b,\n c (>= 1),\n\td\nDescription: short\n long\n .\n more\n")
        let paragraph = try #require(try file.paragraphs().first)
        #expect(paragraph["Depends"] == "b,\n c (>= 1),\n\td")
        #expect(paragraph.firstLine(of: "Description") == "short")
    }

    @Test func `names of fields are the same in any case`() throws {
        let paragraph = try #require(try ControlFile("PACKAGE: a\n").paragraphs().first)
        #expect(paragraph["package"] == "a")
        #expect(paragraph["Packages"] == nil)
    }

    @Test(arguments: [
        "A: 1\n\nA: 2\n", "A: 1\n\nA: 2", "\n\n\nA: 1\n\n\n\nA: 2\n\n\n", "A: 1\r\n\r\nA: 2\r\n", "A: 1\n \t\nA: 2\n",
        "# first\nA: 1\n# inside\n\nA: 2\n", "A:1\n\nA:\t2 \n", "A: 1\nURL: http://a:80/\n\nA: 2\n",
    ])
    func `two paragraphs are found in every spelling`(text: String) throws {
        #expect(try ControlFile(text).paragraphs().map { $0["A"] } == ["1", "2"])
    }

    @Test(arguments: ["", "\n", " \n\t\n", "# nothing\n"])
    func `a file of nothing has no paragraph`(text: String) throws {
        #expect(try ControlFile(text).paragraphs().isEmpty)
    }

    @Test func `a field may be empty, or its value begin on the next line`() throws {
        let paragraph = try #require(try ControlFile("A:\nB:\n one\n two\n").paragraphs().first)
        #expect(paragraph["A"] == "")
        #expect(paragraph["B"] == "one\n two")
        #expect(paragraph.firstLine(of: "A") == "")
    }

    @Test(arguments: [("A: 1\n\nno field here\n", 3), (" goes on\n", 1), ("A: 1\n\n\n\n: x\n", 5)])
    func `a line that is no field is refused by its number`(text: String, line: Int) throws {
        let error = #expect(throws: ControlFileError.self) { try ControlFile(text).paragraphs() }
        #expect(error?.line == line)
    }

    @Test func `pieces hold all paragraphs, in order, however many there are`() throws {
        let paragraphs = (1...100).map { "A: \($0)\nB: \(String(repeating: "x\n ", count: $0 % 7))y\n" }
        let text = paragraphs.joined(separator: "\n")
        let file = ControlFile(text)
        for count in [1, 2, 3, 7, 50, 99, 1000] {
            let found = try file.pieces(count).flatMap { try file.paragraphs(in: $0) }.compactMap { $0["A"] }
            #expect(found == (1...100).map(String.init), "\(count) pieces")
            #expect(file.pieces(count).count <= count)
        }
    }

    @Test func `bytes that are not UTF-8 are replaced`() throws {
        let file = ControlFile(Data([UInt8]("A: x".utf8) + [0xE9, 0x0A]))
        #expect(try file.paragraphs().first?["A"] == "x\u{FFFD}")
    }
}
