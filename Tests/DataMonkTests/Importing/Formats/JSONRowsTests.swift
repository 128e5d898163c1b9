import DataMonk
import Foundation
import Testing

/// Rows of JSON: their values, their places, and what is wrong with some of them.
@Suite struct JSONRowsTests {
    private func lines(_ text: String) async -> ReadRows { await ReadRows(JSONLines(.text(text))) }
    private func array(_ text: String, at path: String? = nil) async -> ReadRows {
        await ReadRows(JSONRows(.text(text), at: path))
    }

    // MARK: Values

    @Test func `values of every kind are read`() async {
        let text =
            #"{"a": null, "b": true, "c": [1, "x", {}], "d": {"e": -1.5}, "f": "é\n\u00e9\ud83d\ude80\/", "": false}"#
        let expected: [String: ManagedValue] = [
            "a": .null, "b": .bool(true), "c": .list([.int(1), .string("x"), .dictionary([:])]),
            "d": .dictionary(["e": .double(-1.5)]), "f": .string("é\n\u{E9}🚀/"), "": .bool(false),
        ]
        #expect(await lines(text).values == [expected])
        #expect(await array("[\(text)]").values == [expected])
    }

    @Test(arguments: [
        ("0", ManagedValue.int(0)), ("-0", .int(0)), ("9223372036854775807", .int(.max)),
        ("-9223372036854775808", .int(.min)), ("1.0", .double(1)), ("0.1", .double(0.1)), ("1e3", .double(1_000)),
        ("-2.5E-3", .double(-0.0025)), ("0.0e99", .double(0)), ("0.30000000000000004", .double(0.1 + 0.2)),
        ("5e-324", .double(.leastNonzeroMagnitude)), ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
        ("100000000000000000000", .double(1e20)),
    ])
    func `a number keeps its digits in 64 bits`(text: String, value: ManagedValue) async {
        #expect(await lines("{\"n\": \(text)}").values == [["n": value]])
    }

    @Test(arguments: [
        "9223372036854775808", "-9223372036854775809", "18446744073709551615",
        "0.12345678901234567890123456789012345678",
        "12345678901234567890.5", "1.000000000000000000001",
    ])
    func `a number with more digits than a double has is a decimal`(text: String) async throws {
        let number = try #require(Decimal(string: text))
        #expect(number.description == text)
        #expect(await lines("{\"n\": \(text)}").values == [["n": .decimal(number)]])
    }

    @Test func `a negative zero keeps its sign`() async throws {
        let value = try #require(await lines(#"{"n": -0.0}"#).values.first?["n"])
        guard case .double(let number) = value else { return #expect(value == .double(0)) }
        #expect(number.sign == .minus)
    }

    @Test(arguments: [
        "1e400", "1e-400", "123456789012345678901234567890123456789012345", "1e999999999999999999999",
        "0." + String(repeating: "1", count: 5_000),
    ])
    func `a number that nothing keeps is refused`(text: String) async {
        let read = await lines("{\"n\": \(text)}")
        #expect(read.rows == [nil])
        #expect(
            read.problems == [
                "Line 1, column 7: No Double and no Decimal keeps this number as it is written. Round it, or write it as text."
            ])
    }

    // MARK: Places

    @Test func `an array lies at a path of names, and the rest is passed over`() async {
        let text = #"""
            {"items": [1], "data": {"count": 2, "x": {"items": "]}"}, "items": [{"id": 1},
              {"id": 2}], "next": [[], {}]}, "more": "}"}
            """#
        let read = await array(text, at: "data.items")
        #expect(read.values == [["id": 1], ["id": 2]] && read.failure == nil)
        #expect(read.places == [ImportPlace(index: 0, line: 1), ImportPlace(index: 1, line: 2)])
    }

    @Test(
        arguments: [
            ("[]", nil), (" [ ] ", nil), ("\u{FEFF}[]", nil), (#"{"a": []}"#, "a"), (#"{"\u0061": [], "b": 1}"#, "a"),
        ] as [(String, String?)])
    func `an array may be empty`(text: String, path: String?) async {
        let read = await array(text, at: path)
        #expect(read.rows.isEmpty && read.failure == nil)
    }

    @Test(
        arguments: [
            ("", nil, "Line 1, column 1: The input ends before"),
            ("[{\"a\": 1},", nil, "Line 1, column 11: The input ends before"),
            ("[{\"a\": 1}", nil, "Line 1, column 10: The input ends"),
            ("[{\"a\"", nil, "Line 1, column 6: The input ends"),
            ("{\"a\": []}", nil, "Line 1, column 1: The input is an object, not an array of rows. Name the member"),
            ("3", nil, "Line 1, column 1: The input is no array"),
            ("[]\n ]", nil, "Line 2, column 2: Something follows"),
            ("[]", "a", "Line 1, column 1: The input is no object, so it has no member “a”."),
            ("{\"b\": 1,\n \"c\": []}", "a", "Line 2, column 9: There is no member “a”. Its members are “b”, “c”."),
            ("{\"a\": {}}", "a.b", "Line 1, column 8: There is no member “a.b”. It has no members."),
            ("{\"a\": null}", "a", "Line 1, column 7: “a” is no array"),
            ("{\"a\": [], \"a\": [1]}", "a", "Line 1, column 11: There are two members “a”"),
            ("{\"a\": []", "a", "Line 1, column 9: The input ends"),
            ("[{} {}]", nil, "Line 1, column 5: A , or the end"),
            ("[,]", nil, "Line 1, column 2: An element is expected"),
            ("\u{FFFD}", nil, "Line 1, column 1: The input is no array"),
        ] as [(String, String?, String)])
    func `an input without an array of rows says what is missing and where`(
        text: String, path: String?, start: String
    ) async {
        let failure = await array(text, at: path).failure ?? "nothing"
        #expect(failure.hasPrefix(start), "\(failure)")
    }

    @Test func `a text of 16-bit units is refused`() async throws {
        for mark: [UInt8] in [[0xFE, 0xFF], [0xFF, 0xFE]] {
            let read = await ReadRows(JSONLines(.data(Data(mark + [0, 123]))))
            #expect(read.failure == "Line 1, column 1: This is a text of 16-bit units. Convert it to UTF-8.")
        }
    }

    // MARK: Malformed rows

    @Test(arguments: [
        (#"{"a": 1, "a": 2}"#, "column 10: An object has two members of one name"),
        (#"{"a": {"b": 1, "b": 2}}"#, "column 16: An object has two members of one name"),
        (#"{"a": "\ud800"}"#, "column 8: This escape is half of a surrogate pair"),
        (#"{"a": "\ud800\u0041"}"#, "column 8: This escape is half"),
        (#"{"a": "\udc00\ud800"}"#, "column 8: This escape is half"),
        (#"{"a": "\x"}"#, "column 8: JSON has no such escape"), (#"{"a": "\u12g4"}"#, "column 8: \\u needs four"),
        ("{\"a\": \"\t\"}", "column 8: A text has a control character"),
        ("{\"a\": \"b\0\"}", "column 9: A text has a control"),
        ("{\"a\": \"\\n\0\"}", "column 10: A text has a control"), (#"{"a": "x"#, "column 7: A text has no end"),
        (#"{"a": "\"#, "column 8: A text has no end"), (#"{"a" 1}"#, "column 6: A colon is expected"),
        (#"{"a": 1 "b": 2}"#, "column 9: A comma or } is expected"), (#"{"a": [1 2]}"#, "column 10: A comma or ]"),
        (#"{"a": 1,}"#, "column 9: A member's name"), ("{'a': 1}", "column 2: A member's name"),
        (#"{"a": tru}"#, "column 7: This is no JSON value. Did you mean true?"),
        (#"{"a": abc}"#, "column 7: This is no JSON"),
        (#"{"a": 01}"#, "column 7: This is no JSON number"), (#"{"a": -}"#, "column 7: This is no JSON number"),
        (#"{"a": 1.}"#, "column 9: A digit"), (#"{"a": 1e}"#, "column 9: A digit"),
        (#"{"a": NaN}"#, "column 7: This is no JSON"),
        ("{} {}", "column 4: Something follows"), ("3", "column 1: Expected a JSON object"),
        ("[]", "column 1: Expected a JSON object as a row"),
        ("{", "column 2: A member's name"), (#"{"a":"#, "column 6: The text ends where a value"),
    ])
    func `a malformed line is a problem with its place, and the next one is read`(line: String, start: String) async {
        let read = await lines("{\"ok\": 1}\n\(line)\n{\"ok\": 2}\n")
        #expect(read.values == [["ok": 1], ["ok": 2]] && read.failure == nil, "\(read)")
        #expect(read.problems.count == 1 && read.problems[0].hasPrefix("Line 2, \(start)"), "\(read.problems)")
        #expect(read.places[1] == ImportPlace(index: 1, line: 2) && read.places[2] == ImportPlace(index: 2, line: 3))
    }

    @Test func `bytes that are no UTF-8 are found in plain texts and beside escapes`() async {
        for (before, column) in [("", 9), ("\\n", 11), ("é", 11)] {
            let bytes = Array("{\"a\": \"x\(before)".utf8) + [0xC3, 0x28] + Array("\"}".utf8)
            let read = await ReadRows(JSONLines(.data(Data(bytes))))
            #expect(
                read.problems == ["Line 1, column \(column): This byte is no part of UTF-8. Convert the text to UTF-8."]
            )
        }
    }

    @Test func `a row that is nested too deep is refused, and does not end the stack`() async {
        func nested(_ depth: Int) -> String {
            "{\"a\": " + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1) + "}"
        }
        #expect(await lines(nested(128)).values.count == 1)
        #expect(await lines(nested(129)).problems.first?.contains("nested more than 128 deep") == true)
        #expect(await lines(nested(1_000_000)).problems.count == 1)
        #expect(await lines(String(repeating: "[", count: 1_000_000)).problems.count == 1)
        #expect(await array(String(repeating: "[", count: 1_000_000)).failure != nil)
    }

    @Test func `a malformed element of an array does not hide the next one`() async {
        let read = await array("[{\"a\": 1}, {\"a\": x},\n 7, {\"a\": 1, \"a\": 2}, {\"a\": 3}]")
        #expect(read.values == [["a": 1], ["a": 3]] && read.failure == nil)
        #expect(read.problems.map { $0.prefix(17) } == ["Line 1, column 18", "Line 2, column 2:", "Line 2, column 14"])
        #expect(read.places.map(\.index) == [0, 1, 2, 3, 4])
    }

    // MARK: Parts

    @Test(arguments: 1...9) func `the sizes of chunks change nothing`(size: Int) async {
        let inputs = [
            "{\"a\": \"é\\\"}\\u00e9\"}\r\n\r\n{\"a\": [1, {\"b\": 2}]}\n x \n{\"a\": 1", "", "\n\n",
            "\u{FEFF}{\"a\": 1}",
        ]
        for text in inputs {
            #expect(await ReadRows(JSONLines(.chunks(of: text, size: size))) == lines(text))
        }
        let arrays = [
            "\u{FEFF} {\"x\": \"\\\\\", \"d\": {\"y\": [\"]\"], \"r\": [{\"a\": 1.5e3} , {\"b\": \"\\\"\"},\r\n\r {\"c\"}] } , \"z\" : 12 }  ",
            "{\"d\": {\"r\": [{}, {}", "{\"d\": {\"r\": [{}]}} x", "{\"d\":{\"r\":[1,nul,\"x\",[]]}}",
        ]
        for text in arrays {
            #expect(await ReadRows(JSONRows(.chunks(of: text, size: size), at: "d.r")) == array(text, at: "d.r"))
        }
    }

    @Test(arguments: [1, 7, 1_000]) func `a row that is too large is a problem, and is not kept`(size: Int) async {
        let long = String(repeating: "x\\n", count: 100)
        let text = "{\"a\": 1}\n{\"a\": \"\(long)\"}\n{\"a\": 2}\n{\"b\": \"\(long)\"}"
        let read = await ReadRows(JSONLines(.chunks(of: text, size: size), maximumRowSize: 50))
        #expect(read.values == [["a": 1], ["a": 2]] && read.problems.count == 2)
        #expect(
            read.problems.first == "Line 2, column 1: A row has more than 50 bytes. Raise the limit, or split the row.")
        #expect(read.places.map(\.line) == [1, 2, 3, 4])
        let array = "{\"skipped\": \"\(long)\", \"r\": [{\"a\": 1}, {\"a\": \"\(long)\"}, {\"a\": 2}]}"
        let elements = await ReadRows(JSONRows(.chunks(of: array, size: size), at: "r", maximumRowSize: 50))
        #expect(elements.values == [["a": 1], ["a": 2]] && elements.problems.count == 1 && elements.failure == nil)
    }

    // MARK: Sources

    @Test func `a file is read, and read again`() async throws {
        let folder = try TemporaryFolder()
        let url = folder.file("people.jsonl")
        let text = (0..<8_000).map { "{\"id\": \($0), \"name\": \"Person \($0)\"}\n" }.joined()
        try Data(text.utf8).write(to: url)
        let rows = JSONLines(.file(url))
        let first = await ReadRows(rows)
        #expect(first.values.count == 8_000 && first.problems.isEmpty)
        #expect(first.values.last == ["id": 7_999, "name": "Person 7999"])
        #expect(await ReadRows(rows) == first)
    }

    @Test func `a file that cannot be read says so when its first row is asked for`() async throws {
        let folder = try TemporaryFolder()
        #expect(
            await ReadRows(JSONRows(.file(folder.file("none.json")))).failure
                == "none.json could not be opened: No such file or directory. Pass the location of a file that exists.")
        #expect(
            await ReadRows(JSONRows(.file(folder.url))).failure?.contains("could not be read: Is a directory.") == true)
        let web = try #require(URL(string: "https://example.com/a"))
        #expect(
            await ReadRows(JSONRows(.file(web))).failure?.hasPrefix("https://example.com/a is no URL of a file.")
                == true)
    }

    @Test func `bytes are read one by one, and an error of the source is the reader's`() async throws {
        struct Broken: Error {}
        let (bytes, continuation) = AsyncThrowingStream<UInt8, any Error>.makeStream()
        for byte in "{\"a\": 1}\n{\"a\": 2}\n{\"a".utf8 { continuation.yield(byte) }
        continuation.finish(throwing: Broken())
        var rows = JSONLines(.bytes(bytes)).makeAsyncIterator()
        #expect(try await rows.next()?.content.get() == ["a": 1])
        #expect(try await rows.next()?.content.get() == ["a": 2])
        await #expect(throws: Broken.self) { try await rows.next() }
        #expect(try await rows.next()?.place == nil)
    }
}
