#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// The snippets on files of rows and exports.
    @Suite struct ExportingTests {
        @Test func `the article's snippets run`() async throws {
            try await Village.withFile { file in
                let stack = try Stack(Exported.Letter.self)
                try stack.addInMemoryStore()
                let url = file.appendingPathExtension("jsonl")
                try Data("{\"id\": 1, \"text\": \"Send money\", \"postage\": 4}\n".utf8).write(to: url)
                try await Exported.read(url, Data(#"{"data": {"letters": [{"id": 2}]}}"#.utf8), into: stack)
                let target = file.appendingPathExtension("json")
                try await Exported.export(stack, to: target)
                #expect(
                    try String(contentsOf: target, encoding: .utf8)
                        == "id;text\r\n1;Send money\r\n2;\"\"\r\n3;Come home\r\n")
            }
        }
    }

    /// The letters of the article.
    private enum Exported {
        @Entity(userInfo: ["relatedByAttribute": "id"]) final class Letter: ManagedObject {
            var id: Int = 0
            var text: String = ""
            var postage: Int = 1
        }

        static func read(_ url: URL, _ response: Data, into stack: Stack) async throws {
            let lines = JSONLines(.file(url))
            let report = try await stack.importRows(Letter.self, from: lines)
            print(report.inserted, report.failures)

            let answer = JSONRows(.data(response), at: "data.letters")  // {"data": {"letters": [{"id": 1, …}]}}
            try await stack.importRows(Letter.self, from: answer)

            let table = CSVRows(.text("id;text\n3;Come home"), format: CSVFormat(delimiter: .semicolon))
            try await stack.importRows(Letter.self, from: table)
        }

        static func export(_ stack: Stack, to target: URL) async throws {
            let written = try await stack.exportRows(Letter.self, %"postage" > 1, to: .file(target))
            print(written.rows, written.bytes, written.omitted)

            var options = ExportOptions(format: .csv(CSVFormat(delimiter: .semicolon)), properties: ["id", "text"])
            options.replacesFile = true
            options.progress = { report in print("\(report.rows) of \(report.total)") }
            try await stack.exportRows(Letter.self, to: .file(target), options: options)
        }
    }
#endif
