#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// The snippets on imports.
    @Suite struct ImportingTests {
        private struct Broken: Error {}

        private func stream(_ count: Int, breaks: Bool) -> AsyncThrowingStream<ImportRow, any Error> {
            AsyncThrowingStream { continuation in
                for index in 0..<count {
                    let values: [String: ManagedValue] = [
                        "isbn": .string("\(index)"), "title": " A title ", "published": "24.12.2001",
                        "writer": ["id": 1, "profile": ["fullName": "Dora"]], "topics": ["sea", "ships"],
                        "draft": .bool(index == 3),
                        "shelf": 4,
                    ]
                    continuation.yield(ImportRow(at: ImportPlace(index: index), values: values))
                }
                continuation.finish(throwing: breaks ? Broken() : nil)
            }
        }

        @Test func `the article's snippets run`() async throws {
            let stack = try Stack(Book.self)
            try stack.addInMemoryStore()
            let report = try await stack.importRows(
                Writer.self,
                from: [
                    ["id": 1, "profile": ["fullName": "Anna"]], ["id": 2, "profile": ["fullName": "Berta"]],
                ])
            print(
                "\(report.inserted) new, \(report.updated) changed, \(report.unchanged) as before, \(report.failed) failed"
            )
            #expect(report.inserted == 2)

            try await Context(stack: stack).update { update in
                let report = try update.import(Writer.self, from: [["id": 3, "profile": ["fullName": "Cleo"]]])
                if report.failed == 0 { try update.commit() }
            }

            let (rows, brokenRows) = (stream(1_200, breaks: false), stream(700, breaks: true))
            var options = ImportOptions()
            options.chunkSize = 500
            options.progress = { report in print("\(report.rows) rows") }
            let outcome = try await stack.importRows(Book.self, from: stream(10, breaks: false), options: options)
            #expect(outcome.inserted == 9 && outcome.skipped == 1 && outcome.unusedNames == ["draft", "shelf"])
            do {
                try await stack.importRows(Book.self, from: brokenRows, options: options)
            } catch let error as ImportError where error.code == .inputFailed {
                options.resumingAt = error.report?.nextIndex ?? 0
                try await stack.importRows(Book.self, from: rows, options: options)
            }
            #expect(options.resumingAt == 500)
            try await read(stack)
            try await tell(stack, stream(5, breaks: false))
        }

        private func tell(_ stack: Stack, _ rows: AsyncThrowingStream<ImportRow, any Error>) async throws {
            var options = ImportOptions()
            options.chunkSize = 500
            options.progress = { report in print("\(report.rows) rows") }
            let outcome = try await stack.importRows(Book.self, from: rows, options: options)
            for failure in outcome.failures { print(failure.place, failure.key ?? "", failure.message) }
            if !outcome.unusedNames.isEmpty { print("in no property:", outcome.unusedNames) }
        }

        private func read(_ stack: Stack) async throws {
            try await Context(stack: stack).read { reader in
                #expect(try reader.count(Book.self) == 1_199 && reader.count(Writer.self) == 3)
                let book = try reader.fetch(Book.self, %"isbn" == "7")
                #expect(book.title == "A title" && book.author?.name == "Dora")
                #expect(book.topics.map(\.name).sorted() == ["sea", "ships"])
            }
        }
    }

    @Entity final class Writer: ManagedObject {
        @Attribute(.unique) var id: Int = 0
        @Attribute(importedFrom: "profile.fullName") var name: String = ""
        var books: Set<Book>
    }

    @Entity(userInfo: ["relatedByAttribute": "isbn"]) final class Book: ManagedObject {
        var isbn: String = ""
        var title: String = ""
        @Attribute(userInfo: ["dateFormat": "dd.MM.yyyy"]) var published: Date?
        @Relationship(inverse: \Writer.books, importedFrom: "writer") var author: Writer?
        @Relationship(inverse: \Topic.books, relatedBy: "name") var topics: Set<Topic>
    }

    @Entity final class Topic: ManagedObject {
        @Attribute(.unique) var name: String = ""
        var books: Set<Book>
    }

    extension Book: ImportHooks {
        func shouldImport(_ values: [String: ManagedValue]) throws -> Bool { values["draft"] != true }

        func importValue(_ value: ManagedValue, forKey key: String) throws -> Bool {
            guard key == "title", case .string(let text) = value else { return false }
            title = text.trimmingCharacters(in: .whitespaces)
            return true
        }
    }
#endif
