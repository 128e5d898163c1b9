#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Members without a key, which lie inside of the rows of their owners.
    @Suite struct `Members without a key in an import` {
        @Entity("MembersDiary", userInfo: ["relatedByAttribute": "id"]) final class Diary: ManagedObject {
            @Attribute(.unique) var id: Int = 0
            var next: Diary?
            @Relationship(deleteRule: .cascade, inverse: \Note.diary) var notes: Set<Note>
        }

        @Entity("MembersNote") final class Note: ManagedObject {
            var text: String = ""
            var diary: Diary?
        }

        private static func diary(_ id: Int, _ notes: [String], next: Int? = nil) -> [String: any Sendable] {
            var row: [String: any Sendable] = ["id": id, "notes": notes.map { ["text": $0] }]
            row["next"] = next
            return row
        }

        @Test(arguments: [1, 100])
        func `are made for an owner that another row has led to`(chunkSize: Int) async throws {
            let stack = try Stack(Diary.self, Note.self)
            try stack.addInMemoryStore()
            var options = ImportOptions()
            options.chunkSize = chunkSize
            let rows = [Self.diary(1, ["a"], next: 2), Self.diary(2, ["b", "c"])]
            let report = try await stack.importRows(Diary.self, from: rows, options: options)
            #expect(report.line == "1 1 0 0 0", "\(report.failures)")
            // They could be those that are there.
            let again = try await stack.importRows(Diary.self, from: rows, options: options)
            #expect(again.failures.map(\.place.index) == [0, 1] && again.failures.first?.key == "notes")
            let texts = try await Context(stack: stack).read { reader in
                try reader.fetchAll(Diary.self, orderBy: .Ascending("id")).map { $0.notes.map(\.text).sorted() }
            }
            #expect(texts == [["a"], ["b", "c"]])
        }
    }
#endif
