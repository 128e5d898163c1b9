import DataMonk
import Foundation
import Testing

/// Rows of CSV: the oddities of files that others have written.
@Suite struct CSVRowsTests {
    private func read(_ text: String, _ format: CSVFormat = CSVFormat(), columns: [String]? = nil) async -> ReadRows {
        await ReadRows(CSVRows(.text(text), format: format, columns: columns))
    }

    @Test func `the first line names the columns`() async {
        let read = await read("id,name\r\n1,Monk\r\n2,Knight")
        #expect(read.values == [["id": "1", "name": "Monk"], ["id": "2", "name": "Knight"]])
        #expect(read.places.map(\.line) == [2, 3])
    }

    @Test func `a quotation has delimiters, line breaks and quotation marks in it`() async {
        let read = await read("a,b\n\"x,\"\"y\"\"\r\nz\",\" \"\n\"\"\"\",\"q\"\n")
        #expect(read.values == [["a": "x,\"y\"\r\nz", "b": " "], ["a": "\"", "b": "q"]])
        #expect(read.places.map(\.line) == [2, 4])
    }

    @Test(arguments: ["\n", "\r\n", "\r"]) func `lines end in three ways, the last one perhaps not at all`(end: String)
        async
    {
        for last in ["", end] {
            let read = await read(["a,b", "1,2", "", "3,4"].joined(separator: end) + last)
            #expect(read.values == [["a": "1", "b": "2"], ["a": "3", "b": "4"]])
            #expect(read.places.map(\.line) == [2, 4])
        }
    }

    @Test func `a mark of UTF-8 is no part of the first name, and blanks around names are none`() async {
        #expect(await read("\u{FEFF}id , \"n\"\n1,2").values == [["id": "1", "\"n\"": "2"]])
        #expect(await read("\u{FEFF}\"id\",b\n1,2").values == [["id": "1", "b": "2"]])
    }

    @Test func `empty cells are null, quoted ones are empty texts`() async {
        let text = "a,b\n,\"\"\n"
        #expect(await read(text).values == [["a": .null, "b": ""]])
        #expect(await read(text, CSVFormat(emptyCells: .null)).values == [["a": .null, "b": .null]])
        #expect(await read(text, CSVFormat(emptyCells: .text)).values == [["a": "", "b": ""]])
    }

    @Test func `missing cells are no values, and empty surplus ones nothing`() async {
        let read = await read("a,b,c\n1\n1,2,3,,\n1,2,3,4\n5,6,7\n")
        #expect(read.values == [["a": "1"], ["a": "1", "b": "2", "c": "3"], ["a": "5", "b": "6", "c": "7"]])
        #expect(
            read.problems.first?.hasPrefix("Line 4, column 7: The row has 4 cells, and there are 3 columns.") == true)
        #expect(read.places.map(\.index) == [0, 1, 2, 3])
    }

    @Test func `an empty line is a value where there is one column`() async {
        #expect(await read("a\n1\n\n2\n").values == [["a": "1"], ["a": .null], ["a": "2"]])
    }

    @Test(arguments: CSVFormat.Delimiter.allCases) func `each delimiter divides cells`(delimiter: CSVFormat.Delimiter)
        async
    {
        let sign = String(delimiter.rawValue)
        let text = ["a", "b"].joined(separator: sign) + "\n" + ["x y", "\"1\(sign)2\""].joined(separator: sign)
        #expect(await read(text, CSVFormat(delimiter: delimiter)).values == [["a": "x y", "b": .string("1\(sign)2")]])
    }

    @Test func `delimiters at the end of the header name no columns`() async {
        let read = await read("id,name,,\n1,Monk,,\n2,Knight\n3,a,b\n")
        #expect(read.values == [["id": "1", "name": "Monk"], ["id": "2", "name": "Knight"]], "\(read)")
        #expect(read.problems.count == 1)
    }

    @Test func `given columns have different names`() async {
        let read = await read("1,2\n", columns: ["id", "id"])
        #expect(read.rows.isEmpty && read.failure?.contains("Two columns have the name “id”") == true, "\(read)")
    }

    @Test func `a table without a header has the columns that are given`() async {
        let read = await read("1,Monk\n", columns: ["id", "name"])
        #expect(read.values == [["id": "1", "name": "Monk"]] && read.places.map(\.line) == [1])
    }

    @Test func `quotation marks inside of a plain cell are text`() async {
        #expect(await read("a,b\n5\" disk, \"x\"\n").values == [["a": "5\" disk", "b": " \"x\""]])
    }

    @Test func `what is wrong with a row has its place`() async {
        let read = await read("a,b\n1,\"x\"y\n2,z\n")
        #expect(read.values == [["a": "2", "b": "z"]])
        #expect(
            read.problems == [
                "Line 2, column 6: A delimiter is expected after a quotation. Double the quotation marks inside of it."
            ])
    }

    @Test(arguments: [1, 1_000]) func `a quotation that nothing closes is the end of the input`(size: Int) async {
        for (text, limit) in [("a,b\n1,2\n3,\"open\n4,w\n", 100), ("a,b\n1,2\n\"3,open\n4,w\n5,6\n", 5)] {
            let read = await ReadRows(CSVRows(.chunks(of: text, size: size), maximumRowSize: limit))
            #expect(read.values == [["a": "1", "b": "2"]] && read.problems.isEmpty)
            let place = limit == 5 ? "Line 3, column 1" : "Line 3, column 3"
            #expect(
                read.failure?.hasPrefix("\(place): Nothing closes this quotation, so everything up to the end") == true,
                "\(read)")
        }
    }

    @Test(arguments: [7, 1_000]) func `a problem of a row of several lines says how many it has`(limit: Int) async {
        let text = "a,b\n1,\"open\n2,x\n3,\"y\"\n4,z\n"
        let read = await ReadRows(CSVRows(.text(text), maximumRowSize: limit))
        #expect(read.values == [["a": "4", "b": "z"]] && read.failure == nil)
        #expect(read.problems.count == 1)
        #expect(
            read.problems.first?.hasSuffix(
                "The row has 3 lines: a quotation mark that is not doubled may have joined them.")
                == true, "\(read)")
    }

    @Test func `bytes that are no UTF-8 spoil their row alone`() async {
        let bytes = Array("a,b\n1,x".utf8) + [0xE9] + Array("\n2,\"".utf8) + [0xFF] + Array("\"\"\"\n3,z".utf8)
        let read = await ReadRows(CSVRows(.data(Data(bytes))))
        #expect(read.values == [["a": "3", "b": "z"]])
        #expect(read.problems.map { $0.prefix(17) } == ["Line 2, column 4:", "Line 3, column 4:"])
    }

    @Test(arguments: [
        ("a,b,a\n", "Line 1, column 5: Two columns have the name “a”"),
        (",,a\n", "Line 1, column 2: Two columns have the name “”"),
        ("a\0,b\n", "Line 1, column 1: The header has a NUL."),
        ("\"a\n1,2\n", "Line 1, column 1: Nothing closes this quotation"),
    ])
    func `a header that would lose values is refused`(text: String, start: String) async {
        let read = await read(text)
        #expect(read.rows.isEmpty && read.failure?.hasPrefix(start) == true, "\(read)")
    }

    @Test func `a table without lines has no rows`() async {
        for text in ["", "\n", "a,b", "a,b\n", "\u{FEFF}"] {
            let read = await read(text)
            #expect(read.rows.isEmpty && read.failure == nil)
        }
    }

    @Test func `a NUL is a character of a text`() async {
        #expect(await read("a\nx\0y\n").values == [["a": "x\0y"]])
    }

    @Test(arguments: 1...7) func `the sizes of chunks change nothing`(size: Int) async {
        let inputs = [
            "\u{FEFF}a,b\r\n1,\"x\"\"\r\n\"\r\n\r\n2,\"\"\r\n3,é\r\n\"4\"z,5,6\r\n7", "a\r\r\n1\r\n", "a,b\n1,2\n\"",
            "a,b\r\n1,2\r",
        ]
        for text in inputs {
            #expect(await ReadRows(CSVRows(.chunks(of: text, size: size))) == read(text), "\(text)")
        }
    }

    @Test(arguments: [1, 7, 1_000]) func `a row that is too large is a problem, and is not kept`(size: Int) async {
        let long = String(repeating: "x,\"\"", count: 100)
        let text = "a,b\n1,2\n\"\(long)\",3\n4,5\n"
        let read = await ReadRows(CSVRows(.chunks(of: text, size: size), maximumRowSize: 50))
        #expect(read.values == [["a": "1", "b": "2"], ["a": "4", "b": "5"]] && read.failure == nil)
        #expect(read.problems == ["Line 3, column 1: A row has more than 50 bytes. Raise the limit, or split the row."])
        let header = await ReadRows(CSVRows(.chunks(of: long + "\n1", size: size), maximumRowSize: 50))
        #expect(header.failure != nil && header.rows.isEmpty)
    }
}
