#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Keys of entities that inherit from one another.
    @Suite struct `Keys of sub-entities of an import` {
        @Entity("SiblingThing") class Thing: ManagedObject {
            var note: String = ""
            var shelf: Shelf?
        }

        @Entity("SiblingBook", userInfo: ["relatedByAttribute": "isbn"]) final class Book: Thing {
            var isbn: Int = 0
        }

        @Entity("SiblingDisc", userInfo: ["relatedByAttribute": "code"]) final class Disc: Thing {
            var code: Int = 0
        }

        @Entity("SiblingShelf", userInfo: ["relatedByAttribute": "id"]) final class Shelf: ManagedObject {
            var id: Int = 0
            @Relationship(inverse: \Thing.shelf, userInfo: ["className": "SiblingBook"]) var books: Set<Thing>
            var disc: Disc?
        }

        @Test func `leave the code of a sub-entity's class in place, which a superentity's row has found`() async throws
        {
            let stack = try Stack(Record.self, Single.self)
            try stack.addInMemoryStore()
            try await stack.importRows(Single.self, from: [["code": 1, "note": "a"]])
            let report = try await stack.importRows(Record.self, from: [["code": 1, "note": "b"], ["code": 2]])
            #expect(report.line == "1 1 0 0 0", "\(report.failures)")
            let notes = try await Context(stack: stack).read { reader in
                try reader.fetchAll(Record.self, orderBy: .Ascending("code")).map(\.note)
            }
            #expect(notes == ["B", ""])
        }

        @Entity("SiblingRecord", userInfo: ["relatedByAttribute": "code"]) class Record: ManagedObject {
            var code: Int = 0
            var note: String = ""
        }

        @Entity("SiblingSingle") final class Single: Record {}

        @Test func `are apart, though they lie in the same place`() async throws {
            let stack = try Stack(Thing.self, Book.self, Disc.self, Shelf.self)
            try stack.addInMemoryStore()
            let report = try await stack.importRows(Shelf.self, from: [["id": 1, "books": [1, 2], "disc": 1]])
            #expect(report.line == "1 0 0 0 0" && report.relatedInserted == 3, "\(report.failures)")
            let context = try Context(stack: stack)
            #expect(try await context.read { try $0.count(Disc.self) } == 1)
            #expect(try await context.read { try $0.count(Book.self) } == 2)
        }
    }

    extension `Keys of sub-entities of an import`.Single: ImportHooks {
        func didImport(_ values: [String: ManagedValue]) throws { note = note.uppercased() }
    }
#endif
